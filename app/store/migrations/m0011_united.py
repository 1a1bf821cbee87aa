"""Version 11: packets and who has which report, and the histories of copies that were brought back."""

# A packet stands in the project it was cut from and in the packet itself, where `head` and `count` name the
# base that both have. Rows of a branch are as the copy wrote them, and stay where its merge is undone, for
# redo. Another version of an annotation names it without a foreign key: it may have been deleted.
TABLES = """
CREATE TABLE packet (
    uuid TEXT PRIMARY KEY NOT NULL,
    annotator TEXT NOT NULL,
    head TEXT NOT NULL,
    count INTEGER NOT NULL,
    overlap INTEGER NOT NULL,
    seed INTEGER NOT NULL,
    cut_at TEXT NOT NULL
) STRICT;

CREATE TABLE assignment (
    uuid TEXT PRIMARY KEY NOT NULL,
    document TEXT NOT NULL REFERENCES document (uuid),
    annotator TEXT NOT NULL REFERENCES annotator (uuid),
    words INTEGER NOT NULL,
    assigned_at TEXT NOT NULL,
    UNIQUE (document, annotator)
) STRICT;
CREATE INDEX assignment_annotator ON assignment (annotator);

CREATE TABLE branch (
    uuid TEXT PRIMARY KEY NOT NULL,
    head TEXT NOT NULL,
    count INTEGER NOT NULL,
    base_head TEXT NOT NULL,
    base_count INTEGER NOT NULL,
    source TEXT NOT NULL,
    owner TEXT NOT NULL
) STRICT;

CREATE TABLE branch_row (
    branch TEXT NOT NULL,
    seq INTEGER NOT NULL,
    act TEXT NOT NULL,
    step INTEGER NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    target TEXT NOT NULL,
    undoable INTEGER NOT NULL,
    who TEXT NOT NULL,
    at TEXT NOT NULL,
    verb TEXT NOT NULL,
    table_name TEXT NOT NULL,
    row TEXT NOT NULL,
    before TEXT,
    after TEXT,
    hash TEXT NOT NULL,
    PRIMARY KEY (branch, seq)
) STRICT;

CREATE TABLE other_version (
    uuid TEXT PRIMARY KEY NOT NULL,
    document TEXT NOT NULL REFERENCES document (uuid),
    annotator TEXT NOT NULL REFERENCES annotator (uuid),
    annotation TEXT NOT NULL,
    version TEXT NOT NULL,
    UNIQUE (annotation, version)
) STRICT;
CREATE INDEX other_version_document ON other_version (document, annotator);
"""
