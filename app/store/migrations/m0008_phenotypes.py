"""Version 8: annotations of another layer, and the concepts that annotations and reports stand for."""

# The index holds the layer, so that what counts annotations reads no row. A concept without an annotation is
# the report's own.
TABLES = """
ALTER TABLE annotation ADD COLUMN layer TEXT NOT NULL DEFAULT 'category'
    CHECK (layer IN ('category', 'phenotype'));
DROP INDEX annotation_place;
CREATE INDEX annotation_place ON annotation (document, annotator, category, rank, layer);

CREATE TABLE concept (
    uuid TEXT PRIMARY KEY NOT NULL,
    document TEXT NOT NULL REFERENCES document (uuid),
    annotation TEXT REFERENCES annotation (uuid),
    terminology TEXT NOT NULL,
    release TEXT NOT NULL,
    code TEXT NOT NULL,
    label TEXT NOT NULL,
    uri TEXT NOT NULL,
    origin TEXT NOT NULL CHECK (origin IN ('human', 'accepted', 'edited', 'imported', 'model'))
) STRICT;
CREATE INDEX concept_annotation ON concept (annotation);
CREATE INDEX concept_document ON concept (document);
"""
