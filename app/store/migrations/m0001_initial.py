"""Version 1 of the project file: every table the first release knows."""

# Texts stand once, under their hash, so that acts and history name them without copying them. Columns that
# the API calls `start`, `end`, `left` and `right` carry longer names here because SQL keeps the short ones
# for itself.
TABLES = """
CREATE TABLE meta (
    key TEXT PRIMARY KEY NOT NULL,
    value TEXT NOT NULL
) STRICT;

CREATE TABLE text (
    sha256 TEXT PRIMARY KEY NOT NULL,
    text TEXT NOT NULL
) STRICT;

CREATE TABLE scheme_file (
    uuid TEXT PRIMARY KEY NOT NULL,
    name TEXT NOT NULL UNIQUE,
    text_sha256 TEXT NOT NULL REFERENCES text (sha256)
) STRICT;

CREATE TABLE annotator (
    uuid TEXT PRIMARY KEY NOT NULL,
    name TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('person', 'gold', 'run')),
    created_at TEXT NOT NULL
) STRICT;

CREATE TABLE document (
    uuid TEXT PRIMARY KEY NOT NULL,
    position INTEGER NOT NULL UNIQUE,
    key TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    text_sha256 TEXT NOT NULL REFERENCES text (sha256),
    characters INTEGER NOT NULL,
    pmcid TEXT,
    pmid TEXT,
    doi TEXT,
    identifiers TEXT NOT NULL,
    metadata TEXT NOT NULL,
    source TEXT NOT NULL,
    source_sha256 TEXT NOT NULL,
    added_at TEXT NOT NULL
) STRICT;
CREATE INDEX document_text ON document (text_sha256);
CREATE INDEX document_pmcid ON document (pmcid);
CREATE INDEX document_pmid ON document (pmid);
CREATE INDEX document_doi ON document (doi);

CREATE TABLE section (
    uuid TEXT PRIMARY KEY NOT NULL,
    document TEXT NOT NULL REFERENCES document (uuid),
    position INTEGER NOT NULL,
    heading TEXT NOT NULL,
    path TEXT NOT NULL,
    span_start INTEGER NOT NULL,
    span_end INTEGER NOT NULL,
    categories TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('case', 'background', 'excluded')),
    reason TEXT NOT NULL,
    UNIQUE (document, position)
) STRICT;

CREATE TABLE annotation (
    uuid TEXT PRIMARY KEY NOT NULL,
    document TEXT NOT NULL REFERENCES document (uuid),
    annotator TEXT NOT NULL REFERENCES annotator (uuid),
    category TEXT NOT NULL,
    rank INTEGER NOT NULL,
    field TEXT NOT NULL,
    quote TEXT NOT NULL,
    span_start INTEGER,
    span_end INTEGER,
    surface TEXT,
    context_left TEXT,
    context_right TEXT,
    polarity TEXT NOT NULL CHECK (polarity IN ('present', 'negated', 'uncertain')),
    origin TEXT NOT NULL CHECK (origin IN ('human', 'accepted', 'edited', 'imported', 'model')),
    grounding TEXT NOT NULL CHECK (grounding IN ('exact', 'normalised', 'fuzzy', 'conflict', 'ungrounded')),
    reason TEXT NOT NULL,
    score REAL,
    places TEXT NOT NULL,
    candidate TEXT NOT NULL,
    note TEXT NOT NULL,
    created_at TEXT NOT NULL,
    CHECK ((span_start IS NULL) = (span_end IS NULL) AND (span_start IS NULL) = (surface IS NULL))
) STRICT;
CREATE INDEX annotation_place ON annotation (document, annotator, category, rank);
CREATE INDEX annotation_annotator ON annotation (annotator);

CREATE TABLE review (
    uuid TEXT PRIMARY KEY NOT NULL,
    document TEXT NOT NULL REFERENCES document (uuid),
    annotator TEXT NOT NULL REFERENCES annotator (uuid),
    state TEXT NOT NULL CHECK (state IN ('untouched', 'in progress', 'parked', 'done')),
    nothing_found TEXT NOT NULL,
    looked_at TEXT NOT NULL,
    changed_at TEXT NOT NULL,
    UNIQUE (document, annotator)
) STRICT;
CREATE INDEX review_annotator ON review (annotator);

CREATE TABLE run (
    uuid TEXT PRIMARY KEY NOT NULL,
    position INTEGER NOT NULL UNIQUE,
    annotator TEXT NOT NULL REFERENCES annotator (uuid),
    kind TEXT NOT NULL CHECK (kind IN ('rules', 'model')),
    name TEXT NOT NULL,
    settings TEXT NOT NULL,
    software TEXT NOT NULL,
    started_at TEXT NOT NULL,
    finished_at TEXT,
    state TEXT NOT NULL CHECK (state IN ('running', 'done', 'cancelled', 'failed'))
) STRICT;
CREATE INDEX run_annotator ON run (annotator);

CREATE TABLE generation (
    uuid TEXT PRIMARY KEY NOT NULL,
    run TEXT NOT NULL REFERENCES run (uuid),
    document TEXT NOT NULL REFERENCES document (uuid),
    category TEXT NOT NULL,
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
    state TEXT NOT NULL CHECK (state IN ('done', 'failed', 'cancelled'))
) STRICT;
CREATE INDEX generation_run ON generation (run, position);
CREATE INDEX generation_document ON generation (document);
CREATE INDEX generation_reply ON generation (reply_sha256);

CREATE TABLE decision (
    uuid TEXT PRIMARY KEY NOT NULL,
    document TEXT NOT NULL REFERENCES document (uuid),
    category TEXT NOT NULL,
    annotator_left TEXT NOT NULL REFERENCES annotator (uuid),
    annotator_right TEXT NOT NULL REFERENCES annotator (uuid),
    position INTEGER NOT NULL UNIQUE,
    choice TEXT NOT NULL,
    reason_code TEXT NOT NULL,
    note TEXT NOT NULL,
    clause TEXT NOT NULL,
    confidence REAL,
    decided_at TEXT NOT NULL,
    findings TEXT NOT NULL
) STRICT;
CREATE INDEX decision_document ON decision (document);
CREATE INDEX decision_left ON decision (annotator_left);
CREATE INDEX decision_right ON decision (annotator_right);

CREATE TABLE history (
    seq INTEGER PRIMARY KEY NOT NULL,
    act TEXT NOT NULL,
    step INTEGER NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('do', 'undo', 'redo')),
    target TEXT NOT NULL,
    undoable INTEGER NOT NULL CHECK (undoable IN (0, 1)),
    who TEXT NOT NULL,
    at TEXT NOT NULL,
    verb TEXT NOT NULL CHECK (verb IN ('insert', 'update', 'delete')),
    table_name TEXT NOT NULL,
    row TEXT NOT NULL,
    before TEXT,
    after TEXT,
    hash TEXT NOT NULL,
    UNIQUE (act, step)
) STRICT;
CREATE INDEX history_acts ON history (seq) WHERE step = 0;
"""
