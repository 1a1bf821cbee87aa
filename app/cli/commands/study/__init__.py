"""What can be done with a study, registered by one line; the same for every study."""

from __future__ import annotations

from app.cli.arguments import Entry, group_of

ACTIONS = (
    Entry("list", "List the studies there are, and what each needs", "study.items:LIST"),
    Entry(
        "build", "Make the items of a study, the questions that it asks, and freeze them", "study.items:BUILD"
    ),
    Entry("items", "List the items of a study, or what a model would be asked", "study.items:ITEMS"),
    Entry(
        "run", "Have a model, a built-in method or recorded replies answer the items", "study.answering:RUN"
    ),
    Entry(
        "answer", "Answer the items as a person, one after the other or from a file", "study.answering:ANSWER"
    ),
    Entry("judge", "Have answers judged by a model, or rated by a person", "study.answering:JUDGE"),
    Entry(
        "score", "Score the answers: measures with intervals, by label, in pairs, in tables", "study.score"
    ),
    Entry(
        "answers",
        "Write the answers of a run to a file, from which they can be replayed",
        "study.items:ANSWERS",
    ),
    Entry(
        "export", "Write the items to a folder, references apart, with their sources", "study.items:EXPORT"
    ),
    Entry("import", "Take the items of such a folder, or of a file with one a line", "study.items:IMPORT"),
)
COMMAND = group_of("study", "list", ACTIONS)
