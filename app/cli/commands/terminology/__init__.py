"""What can be done with terminologies, registered by one line."""

from __future__ import annotations

from app.cli.arguments import Entry, group_of

ACTIONS = (
    Entry("list", "List the terminologies there are, by release", "terminology.releases:LIST"),
    Entry(
        "search",
        "Search a terminology by name, beginning, misspelling or code",
        "terminology.concepts:SEARCH",
    ),
    Entry(
        "show",
        "Show a concept with its names, parents, children and cross references",
        "terminology.concepts:SHOW",
    ),
    Entry(
        "import", "Keep another release of a terminology in your data folder", "terminology.releases:IMPORT"
    ),
)
COMMAND = group_of("terminology", "list", ACTIONS)
