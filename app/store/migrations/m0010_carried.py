"""Version 10: what came along in other programs' files and has no place of its own, and what labels mean."""

# A row with an annotation belongs to it, one with a label alone is an annotation under a label that the
# scheme lacks, the others are what else a file said of the report.
TABLES = """
CREATE TABLE carried (
    uuid TEXT PRIMARY KEY NOT NULL,
    document TEXT NOT NULL REFERENCES document (uuid),
    annotator TEXT NOT NULL REFERENCES annotator (uuid),
    annotation TEXT REFERENCES annotation (uuid),
    position INTEGER NOT NULL,
    label TEXT NOT NULL,
    quote TEXT NOT NULL,
    span_start INTEGER,
    span_end INTEGER,
    value TEXT NOT NULL,
    CHECK ((span_start IS NULL) = (span_end IS NULL))
) STRICT;
CREATE INDEX carried_annotation ON carried (annotation);
CREATE INDEX carried_document ON carried (document, annotator);
CREATE INDEX carried_annotator ON carried (annotator);

CREATE TABLE label_meaning (
    uuid TEXT PRIMARY KEY NOT NULL,
    label TEXT NOT NULL UNIQUE,
    category TEXT NOT NULL,
    field TEXT NOT NULL,
    polarity TEXT NOT NULL
) STRICT;
"""
