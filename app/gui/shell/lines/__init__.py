"""The lines around the page: modes above, messages, work and state below."""
