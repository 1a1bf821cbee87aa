"""JSON as the command line writes it."""

from __future__ import annotations

import json
from collections import Counter, OrderedDict
from enum import IntEnum, StrEnum

import pytest

from app.cli.indented import json_writer


class _Number(IntEnum):
    ONE = 1


class _Word(StrEnum):
    ONE = "one"


_VALUES: tuple[object, ...] = (
    *(None, True, 0, 1.5, 1e-05, 1e22, "", 'ß "\\\n\u2028 \U0001f600', [], {}, (), _Number.ONE, _Word.ONE),
    [1, "2", None, [], {}, [[]], ({"a": ()},)],
    {1: [0], None: {"a": [None]}, 1.5: [[1]], "1": 2, "ö": [_Word.ONE, {"x": _Number.ONE}]},
    {True: [[]], False: [{}]},
    OrderedDict(b=Counter("aab"), a=[{}, {"c": {"d": [1, [2, {"e": "f"}]]}}]),
)


@pytest.mark.parametrize("ascii_only", [True, False])
@pytest.mark.parametrize("value", _VALUES, ids=repr)
def test_is_what_the_library_writes_with_an_indent(value: object, ascii_only: bool) -> None:
    wanted = json.dumps(value, indent=2, ensure_ascii=ascii_only)
    assert json_writer(ascii_only)(value, "\n") == wanted
    assert json_writer(ascii_only)([value], "\n  ") == json.dumps(
        [value], indent=2, ensure_ascii=ascii_only
    ).replace("\n", "\n  ")


@pytest.mark.parametrize("value", [float("nan"), {"a": [float("inf")]}, [[1], {"b": -float("inf")}]])
def test_what_is_no_number_is_no_json(value: object) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        json_writer(False)(value, "\n")


def test_what_json_cannot_say_is_refused() -> None:
    with pytest.raises(TypeError, match="not JSON serializable"):
        json_writer(False)({"a": [{1, 2}, {}]}, "\n")
    with pytest.raises(TypeError, match="keys must be str"):
        json_writer(False)({(1, 2): [[]]}, "\n")
