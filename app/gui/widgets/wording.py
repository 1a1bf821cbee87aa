"""Sentences that speak of the command line, as the window says them."""

from __future__ import annotations

import re

_FLAGS = (
    ("add --allow-remote if it may", "allow that in so many words if it may"),
    ("--resume with a larger --reply-tokens asks again", "“Go on” with a longer reply asks again"),
    ("the same command with --resume goes on", "the same again goes on"),
    ("the same command without --new-run, and with --resume, goes on", "the same, in no new run, goes on"),
    ("--resume", "“Go on”"),
    ("make one with casespan study run", "make one by “Run…” in Study"),
    ("make one with `casespan new`", "“New project” makes one"),
    ("make them with casespan study build", "make them by “Build…” in Study"),
    ("find some by casespan phenotypes PROJECT --with rules", "let the rules find some in Phenotypes"),
    ("casespan anchor does", "choosing its disease in Phenotypes does"),
    ("casespan anchor confirms it", "choosing its disease in Phenotypes confirms it"),
    ("run `casespan check` and go back to a copy", "restore a copy (menu Project)"),
    (
        "look it up with `casespan terminology search orphanet NAME`",
        "give its name as Orphanet has it, or its code",
    ),
    ("check --host", "check the server's address"),
    ("say with --host where it runs", "say above where it runs"),
    ("`casespan pull", "`ollama pull"),
    (" in the window, or casespan terminology import ICD11 FILE...", ""),
    (" in the window, or casespan terminology import orphanet PATH...", ""),
    (": casespan terminology import orphanet", "; import Orphanet's as a terminology"),
    (" (casespan icd11 fixture)", ""),
    (
        "give its passphrase, in a file, by --passphrase-file",
        "open it first, and remove its encryption or give it the passphrase of this project",
    ),
)
# An option and, in capitals, what stands for its value.
_OPTION = re.compile(r"(?<![\w-])--([a-z][a-z-]+)(?: [A-Z]{2,}\b)?")


def in_window(sentence: str) -> str:
    """The sentence with the window's words in the place of the command line's."""
    for flag, words in _FLAGS:
        sentence = sentence.replace(flag, words)
    return _OPTION.sub(lambda option: f"“{option[1].replace('-', ' ')}”", sentence)
