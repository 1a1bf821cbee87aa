"""EBMQA: questions made from published evidence, in numbers and in words."""
