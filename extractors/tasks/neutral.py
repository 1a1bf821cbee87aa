"""Report text made safe to stand in a prompt: no mark in it can end the turn it stands in."""

from __future__ import annotations

import re

# Servers look for control tokens in the whole prompt, the report included. The forms are of families rather
# than of models: <|eot_id|>, <｜User｜>; <turn|>; <s>, </s>, <start_of_turn>, <<SYS>>; our own end mark;
# [|endofturn|]; [INST], [/INST], [TOOL_CALLS]; [img] and [img-0], for which a
# server wants a picture.
# Abbreviations that authors put in brackets ("[MRI]") have none of these forms.
_MARK = re.compile(
    r"<(?=[|｜]"
    r"|[^\s<>|｜]{1,40}[|｜]>"
    r"|/?[^\W\d][\w:.\-]*>"
    r"|(?:/\s*)?(?i:report)\b)"
    r"|\[(?=\|"
    r"|(?:/[A-Z]+|/?[A-Z]+_[A-Z_]+\d*|control_\d+|(?i:img(?:-\d+)?))\]"
    r"|(?:INST|THINK|ARGS|AUDIO|PREFIX|MIDDLE|SUFFIX|[gs]?MASK|BOS|EOS|UNK|SEP|CLS|PAD\d*)\])"
)


def neutralised(text: str) -> tuple[str, int]:
    """The text with one space behind the opening bracket of each control mark, and the number of these.

    Everything else stays as it is. A quote copied from such a place differs from the report by white space
    only, so that grounding finds it.
    """
    return _MARK.subn(r"\g<0> ", text)
