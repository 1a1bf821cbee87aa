"""Version 4: what is decided, judged, rated, amended and planted where two sets of annotations differ."""

# `difference` names what a decision speaks of by its content (app/reconcile/alignment.py), so that it no
# longer holds once a side says something else. A verdict names a run's span without a foreign key: the rules
# replace their own findings when they run again, and what was said of the old ones stays on record.
TABLES = """
ALTER TABLE annotation ADD COLUMN source TEXT NOT NULL DEFAULT '';

ALTER TABLE decision ADD COLUMN difference TEXT NOT NULL DEFAULT '';
ALTER TABLE decision ADD COLUMN kind TEXT NOT NULL DEFAULT '';
ALTER TABLE decision ADD COLUMN decided_by TEXT NOT NULL DEFAULT '';
ALTER TABLE decision ADD COLUMN seconds REAL;
CREATE INDEX decision_difference ON decision (difference);

CREATE TABLE verdict (
    uuid TEXT PRIMARY KEY NOT NULL,
    document TEXT NOT NULL REFERENCES document (uuid),
    run TEXT NOT NULL REFERENCES annotator (uuid),
    reviewer TEXT NOT NULL REFERENCES annotator (uuid),
    annotation TEXT NOT NULL,
    relation TEXT NOT NULL,
    verdict TEXT NOT NULL CHECK (verdict IN ('accepted', 'edited', 'rejected')),
    result TEXT NOT NULL,
    seconds REAL,
    judged_at TEXT NOT NULL,
    UNIQUE (annotation, reviewer)
) STRICT;
CREATE INDEX verdict_document ON verdict (document, run, reviewer);

CREATE TABLE rating (
    uuid TEXT PRIMARY KEY NOT NULL,
    document TEXT NOT NULL REFERENCES document (uuid),
    run TEXT NOT NULL REFERENCES annotator (uuid),
    rater TEXT NOT NULL,
    scores TEXT NOT NULL,
    note TEXT NOT NULL,
    blind INTEGER NOT NULL CHECK (blind IN (0, 1)),
    rated_at TEXT NOT NULL,
    UNIQUE (document, run, rater)
) STRICT;

CREATE TABLE amendment (
    uuid TEXT PRIMARY KEY NOT NULL,
    position INTEGER NOT NULL UNIQUE,
    category TEXT NOT NULL,
    section TEXT NOT NULL,
    clause TEXT NOT NULL,
    example TEXT NOT NULL,
    decision TEXT NOT NULL,
    author TEXT NOT NULL,
    before_sha256 TEXT NOT NULL REFERENCES text (sha256),
    after_sha256 TEXT NOT NULL REFERENCES text (sha256),
    amended_at TEXT NOT NULL
) STRICT;

CREATE TABLE planted (
    uuid TEXT PRIMARY KEY NOT NULL,
    document TEXT NOT NULL REFERENCES document (uuid),
    annotator TEXT NOT NULL REFERENCES annotator (uuid),
    annotation TEXT NOT NULL,
    kind TEXT NOT NULL,
    planted_at TEXT NOT NULL
) STRICT;

CREATE TABLE gold_build (
    uuid TEXT PRIMARY KEY NOT NULL,
    position INTEGER NOT NULL UNIQUE,
    annotator TEXT NOT NULL REFERENCES annotator (uuid),
    annotator_left TEXT NOT NULL REFERENCES annotator (uuid),
    annotator_right TEXT NOT NULL REFERENCES annotator (uuid),
    built_by TEXT NOT NULL,
    agreed INTEGER NOT NULL,
    decided INTEGER NOT NULL,
    undecided INTEGER NOT NULL,
    built_at TEXT NOT NULL
) STRICT;
"""
