"""Version 3: who had whose spans shown in which report, and how far he was with it."""

# A look must not stand in the way of undo, which may take away the report, the spans that were shown or the
# annotator who looked: no foreign keys. The looker goes by name, which stays the same where an annotator is
# taken away and added again.
TABLES = """
CREATE TABLE disclosure (
    uuid TEXT PRIMARY KEY NOT NULL,
    document TEXT NOT NULL,
    annotator TEXT NOT NULL,
    shown TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('untouched', 'in progress', 'parked', 'done')),
    at TEXT NOT NULL,
    UNIQUE (document, annotator, shown, state)
) STRICT;
"""
