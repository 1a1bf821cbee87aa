"""Reviewing a run: its quotes and one's own beside the text, judged one by one."""
