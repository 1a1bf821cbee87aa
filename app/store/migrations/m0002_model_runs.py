"""Version 2: calls of a model may be incomplete, answer for a part of a report, and carry details."""

# SQLite cannot change a CHECK, so the table is written anew.
TABLES = """
CREATE TABLE generation_2 (
    uuid TEXT PRIMARY KEY NOT NULL,
    run TEXT NOT NULL REFERENCES run (uuid),
    document TEXT NOT NULL REFERENCES document (uuid),
    category TEXT NOT NULL,
    part INTEGER NOT NULL,
    parts INTEGER NOT NULL,
    position INTEGER NOT NULL UNIQUE,
    prompt_sha256 TEXT NOT NULL,
    reply_sha256 TEXT REFERENCES text (sha256),
    tokens_in INTEGER,
    tokens_out INTEGER,
    started_at TEXT NOT NULL,
    finished_at TEXT,
    seconds REAL,
    done_reason TEXT NOT NULL,
    error TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('done', 'incomplete', 'failed', 'cancelled', 'divided')),
    details TEXT NOT NULL
) STRICT;
INSERT INTO generation_2 SELECT uuid, run, document, category, 0, 1, position, prompt_sha256, reply_sha256,
    tokens_in, tokens_out, started_at, finished_at, seconds, done_reason, error, state, '{}' FROM generation;
DROP TABLE generation;
ALTER TABLE generation_2 RENAME TO generation;
CREATE INDEX generation_run ON generation (run, position);
CREATE INDEX generation_document ON generation (document);
CREATE INDEX generation_reply ON generation (reply_sha256);
"""
