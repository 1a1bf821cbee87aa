"""Version 6: an index of the words of reports and their names, and of quotes and notes not in a text."""

# Texts and names stand once, where they stood before: the indices name the rows of `text`, `document` and
# `annotation`. A step that writes one of these tables anew has to keep its rowids.
TABLES = """
CREATE VIRTUAL TABLE text_search USING fts5(
    text, content='text', content_rowid='rowid', tokenize="unicode61 remove_diacritics 2");
CREATE VIRTUAL TABLE document_search USING fts5(
    title, key, identifiers, content='', tokenize="unicode61 remove_diacritics 2");
CREATE VIRTUAL TABLE annotation_search USING fts5(
    quote, note, content='', tokenize="unicode61 remove_diacritics 2");
CREATE VIRTUAL TABLE text_search_words USING fts5vocab('text_search', 'row');
CREATE VIRTUAL TABLE document_search_words USING fts5vocab('document_search', 'row');
CREATE VIRTUAL TABLE annotation_search_words USING fts5vocab('annotation_search', 'row');
INSERT INTO text_search (rowid, text)
    SELECT rowid, text FROM text WHERE sha256 IN (SELECT text_sha256 FROM document);
INSERT INTO document_search (rowid, title, key, identifiers)
    SELECT rowid, title, key, identifiers FROM document;
INSERT INTO annotation_search (rowid, quote, note)
    SELECT rowid, quote, note FROM annotation WHERE grounding <> 'exact' OR note <> '';
"""
