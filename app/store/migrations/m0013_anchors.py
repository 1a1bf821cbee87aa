"""Version 13: a report's diagnosis, guesses of those who read it blinded, pictures free of telling words."""

# A concept without an annotation and with a state is the report's anchor; of "none" it has no code. `said`
# holds as JSON who proposed or confirmed it, names that a person added, places that speak for it and others.
TABLES = """
ALTER TABLE concept ADD COLUMN state TEXT NOT NULL DEFAULT ''
    CHECK (state IN ('', 'proposed', 'confirmed', 'none'));
ALTER TABLE concept ADD COLUMN said TEXT NOT NULL DEFAULT '';

CREATE TABLE guess (
    uuid TEXT PRIMARY KEY NOT NULL,
    document TEXT NOT NULL REFERENCES document (uuid),
    reader TEXT NOT NULL,
    track TEXT NOT NULL,
    part INTEGER NOT NULL,
    guess TEXT NOT NULL,
    view_sha256 TEXT NOT NULL,
    guessed_at TEXT NOT NULL
) STRICT;
CREATE INDEX guess_document ON guess (document);

CREATE TABLE picture_tick (
    uuid TEXT PRIMARY KEY NOT NULL,
    document TEXT NOT NULL REFERENCES document (uuid),
    picture TEXT NOT NULL,
    reader TEXT NOT NULL,
    ticked_at TEXT NOT NULL,
    UNIQUE (document, picture)
) STRICT;
"""
