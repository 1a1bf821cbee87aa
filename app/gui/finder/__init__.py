"""Words, spans and figures of the whole project, below the text."""
