"""The window: the only room that speaks Qt."""

import builtins

_import = builtins.__import__

import PySide6.QtCore  # noqa: E402, F401

# PySide would look at every import of the program, in case others of its spellings are asked for. Nobody
# asks here, and what is imported inside functions took five times as long.
builtins.__import__ = _import
