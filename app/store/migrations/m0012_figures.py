"""Version 12: figures, the bytes of their pictures, and regions that people mark on them."""

# The figures of a report are frozen: one text, named by its hash, and one row that says how many they are.
# Pictures are named by their hashes as texts are, are in no history and stay when an act is undone. A region
# names its span without a foreign key: the span may be deleted, and come back by undo.
TABLES = """
CREATE TABLE picture (
    sha256 TEXT PRIMARY KEY NOT NULL,
    format TEXT NOT NULL,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    bytes BLOB NOT NULL
) STRICT;
CREATE TABLE figures (
    uuid TEXT PRIMARY KEY NOT NULL,
    document TEXT NOT NULL UNIQUE REFERENCES document (uuid),
    figures INTEGER NOT NULL,
    images INTEGER NOT NULL,
    digest TEXT NOT NULL REFERENCES text (sha256),
    taken_at TEXT NOT NULL
) STRICT;
CREATE TABLE region (
    uuid TEXT PRIMARY KEY NOT NULL,
    document TEXT NOT NULL REFERENCES document (uuid),
    annotator TEXT NOT NULL REFERENCES annotator (uuid),
    figure TEXT NOT NULL,
    picture TEXT NOT NULL REFERENCES picture (sha256),
    x INTEGER NOT NULL,
    y INTEGER NOT NULL,
    width INTEGER NOT NULL CHECK (width > 0),
    height INTEGER NOT NULL CHECK (height > 0),
    category TEXT NOT NULL,
    finding TEXT NOT NULL,
    note TEXT NOT NULL,
    annotation TEXT,
    created_at TEXT NOT NULL
) STRICT;
CREATE INDEX region_document ON region (document, annotator);
CREATE INDEX region_annotator ON region (annotator);
"""
