"""Version 7: an index of the reports' words, and of the quotes and notes on them."""

from __future__ import annotations

from app.store.sqlite import Database, run_script

# The words stand once, where they stood before: the indices name the rows of `text` and `annotation`. Only
# reports' texts are in the first. A step that writes one of these tables anew has to keep its rowids.
_TABLES = """
CREATE VIRTUAL TABLE text_search USING fts5(
    text, content='text', content_rowid='rowid', tokenize="unicode61 remove_diacritics 2");
CREATE VIRTUAL TABLE annotation_search USING fts5(
    quote, note, content='annotation', content_rowid='rowid', tokenize="unicode61 remove_diacritics 2");
CREATE VIRTUAL TABLE text_search_words USING fts5vocab('text_search', 'row');
CREATE VIRTUAL TABLE annotation_search_words USING fts5vocab('annotation_search', 'row');
INSERT INTO text_search (rowid, text)
    SELECT rowid, text FROM text WHERE sha256 IN (SELECT text_sha256 FROM document);
INSERT INTO annotation_search (rowid, quote, note) SELECT rowid, quote, note FROM annotation;
"""


def search(db: Database) -> None:
    """Make the indices and fill them; runs inside the caller's transaction."""
    run_script(db, _TABLES)
