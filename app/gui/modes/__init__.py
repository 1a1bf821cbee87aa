"""The modes of the window: annotate, review, agreement, reconcile; they share the report on the page."""
