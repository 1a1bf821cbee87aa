"""The difference in question, above the text: both sides, the choices, and what the text shows of it."""
