"""Plain data that everything else speaks of: documents, findings, schemes, guidelines, errors."""
