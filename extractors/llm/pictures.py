"""What a picture costs a model in tokens, as its family counts."""

from __future__ import annotations

# By the beginning of the family's name. Of those that cut a picture into squares of 28 pixels: the most that
# servers give (0.24), and the least (0.33), so that neither is planned too short.
# LLaVA's next looks at a picture as a whole and at its quarters.
FIXED = {"gemma3": 256, "gemma4": 288, "mllama": 1601, "llava-next": 2880, "llava": 576}
SIDE, LEAST, MOST = 28, 1024, 2675
# Cheaper than with any model: what a picture adds to a prompt at the least, if it was looked at.
LEAST_TOKENS = 32
# These look at the first picture of a call only, or take no second one.
FIRST_ONLY = ("llava", "granite", "mllama")


def picture_tokens(family: str, width: int, height: int) -> int:
    """Tokens of one picture of that size in pixels."""
    for name, tokens in FIXED.items():
        if family.startswith(name):
            return tokens
    return min(max(-(-width // SIDE) * -(-height // SIDE), LEAST), MOST)


def sees_first_only(family: str) -> bool:
    """Whether models of the family are known to look at the first of several pictures only."""
    return family.startswith(FIRST_ONLY)
