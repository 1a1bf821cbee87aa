"""The reports: their texts and sections, words found in them, numbers over many of them."""
