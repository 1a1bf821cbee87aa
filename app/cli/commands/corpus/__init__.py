"""What can be done with a corpus, registered by one line."""

from __future__ import annotations

from app.cli.arguments import Entry, group_of

ACTIONS = (
    Entry("extract", "Extract from folders, archives and tables of reports into a folder", "corpus.extract"),
    Entry("sample", "Draw reports of a corpus into a project for people", "corpus.results:SAMPLE"),
    Entry(
        "quality", "Estimate how good a corpus is, by what people say of a sample", "corpus.results:QUALITY"
    ),
    Entry(
        "summary",
        "Count what is in a corpus: by year, journal, category and length",
        "corpus.results:SUMMARY",
    ),
    Entry("search", "Find words in the reports of a corpus, or in its quotes", "corpus.results:SEARCH"),
)
COMMAND = group_of("corpus", "extract articles/ --out corpus --with rules", ACTIONS)
