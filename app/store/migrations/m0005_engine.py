"""Version 5: calls are about any subject and question, prompts can be read again, answers may be values."""

# A call's subject is a report or an item of a study, so that no foreign key can hold it; SQLite cannot drop
# one, and the table is written anew. `again` tells the calls apart that ask the same thing several times.
TABLES = """
CREATE TABLE generation_5 (
    uuid TEXT PRIMARY KEY NOT NULL,
    run TEXT NOT NULL REFERENCES run (uuid),
    subject TEXT NOT NULL,
    question TEXT NOT NULL,
    again TEXT NOT NULL DEFAULT '',
    part INTEGER NOT NULL,
    parts INTEGER NOT NULL,
    position INTEGER NOT NULL UNIQUE,
    prompt_sha256 TEXT NOT NULL,
    reply_sha256 TEXT REFERENCES text (sha256),
    reused TEXT NOT NULL DEFAULT '',
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
INSERT INTO generation_5 SELECT uuid, run, document, category, '', part, parts, position, prompt_sha256,
    reply_sha256, '', tokens_in, tokens_out, started_at, finished_at, seconds, done_reason, error, state,
    details FROM generation;
DROP TABLE generation;
ALTER TABLE generation_5 RENAME TO generation;
CREATE INDEX generation_run ON generation (run, position);
CREATE INDEX generation_subject ON generation (subject);
CREATE INDEX generation_reply ON generation (reply_sha256);
CREATE INDEX generation_prompt ON generation (prompt_sha256);

CREATE TABLE prompt (
    sha256 TEXT PRIMARY KEY NOT NULL,
    system_sha256 TEXT NOT NULL REFERENCES text (sha256),
    user_sha256 TEXT NOT NULL,
    form TEXT NOT NULL
) STRICT;

CREATE TABLE answer (
    uuid TEXT PRIMARY KEY NOT NULL,
    position INTEGER NOT NULL UNIQUE,
    run TEXT NOT NULL REFERENCES run (uuid),
    subject TEXT NOT NULL,
    question TEXT NOT NULL,
    again TEXT NOT NULL,
    value TEXT NOT NULL,
    answered_at TEXT NOT NULL,
    UNIQUE (run, subject, question, again)
) STRICT;
"""
