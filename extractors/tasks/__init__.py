"""The tasks that models are asked to do, each registered by one line."""

from __future__ import annotations

# The task of records that name none: there was no other.
QUOTES = "quotes"
PHENOTYPES = "phenotypes"
ANCHOR = "anchor"
CONCEPTS = "concepts"
# Where each stands; imported only when it is asked for.
TASKS = {
    QUOTES: "extractors.tasks.quotes:QuotesTask",
    PHENOTYPES: "extractors.tasks.phenotypes:PhenotypesTask",
    ANCHOR: "extractors.tasks.choice:AnchorTask",
    CONCEPTS: "extractors.tasks.concepts:ConceptsTask",
}
