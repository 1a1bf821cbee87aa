"""Commands on what stands in reports: spans, figures, concepts, views."""
