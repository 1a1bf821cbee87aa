"""The library half: clinical text in, findings out. Needs no project, no Qt, no SQL."""
