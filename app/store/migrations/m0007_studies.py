"""Version 7: what studies ask, who answers it beside models, and what raters and judges say of answers."""

# Runs are of built-in methods and people, too: SQLite drops a check with its column only. Items are frozen,
# and their build is the one row of history that they have; those of a build that was undone stay for redo,
# and are none of the study's until then. What a rating is about: an answer, or where `run` is "" the item.
TABLES = """
ALTER TABLE run RENAME COLUMN kind TO kind_before;
ALTER TABLE run ADD COLUMN kind TEXT NOT NULL DEFAULT 'model'
    CHECK (kind IN ('rules', 'model', 'method', 'person'));
UPDATE run SET kind = kind_before;
ALTER TABLE run DROP COLUMN kind_before;

ALTER TABLE answer ADD COLUMN reply TEXT NOT NULL DEFAULT '';
ALTER TABLE answer ADD COLUMN error TEXT NOT NULL DEFAULT '';

CREATE TABLE build (
    uuid TEXT PRIMARY KEY NOT NULL,
    position INTEGER NOT NULL UNIQUE,
    study TEXT NOT NULL,
    items INTEGER NOT NULL,
    digest TEXT NOT NULL,
    guard TEXT NOT NULL,
    summary TEXT NOT NULL,
    built_at TEXT NOT NULL
) STRICT;
CREATE TABLE item (
    uuid TEXT PRIMARY KEY NOT NULL,
    build TEXT NOT NULL,
    position INTEGER NOT NULL,
    task TEXT NOT NULL,
    id TEXT NOT NULL,
    content_sha256 TEXT NOT NULL REFERENCES text (sha256),
    UNIQUE (build, task, id),
    UNIQUE (build, position)
) STRICT;

CREATE TABLE item_rating (
    uuid TEXT PRIMARY KEY NOT NULL,
    position INTEGER NOT NULL UNIQUE,
    subject TEXT NOT NULL,
    run TEXT NOT NULL,
    again TEXT NOT NULL,
    rater TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('person', 'judge')),
    scores TEXT NOT NULL,
    blind INTEGER NOT NULL CHECK (blind IN (0, 1)),
    rated_at TEXT NOT NULL,
    UNIQUE (subject, run, again, rater)
) STRICT;
"""
