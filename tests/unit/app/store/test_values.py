"""How values become cells, and what no cell can say."""

from __future__ import annotations

import pytest

from app.store.values import canonical, json_object, string_map, strings, uuid_of


def test_a_value_has_one_spelling_and_what_json_cannot_say_has_none() -> None:
    assert canonical({"b": "é\n", "a": [1, 2.5, None, True]}) == '{"a":[1,2.5,null,true],"b":"é\\n"}'
    for number in (float("nan"), float("-inf")):
        with pytest.raises(ValueError, match="JSON"):
            canonical({"a": [number]})
    with pytest.raises(TypeError):
        canonical({"a": {1}})


def test_what_is_the_same_has_one_name_wherever_it_is_made() -> None:
    assert uuid_of("a", "b") == uuid_of("a", "b") == "0473ef2d-c0d3-824a-8b65-9d3580c1134e"
    assert len({uuid_of(*words) for words in (("a", "b"), ("ab",), ("b", "a"), ("a,b",), ())}) == 5


def test_a_cell_is_read_as_what_it_must_be_or_not_at_all() -> None:
    assert (strings('["a", ""]'), json_object('{"a": [1]}'), string_map('{"a": ""}')) == (
        ("a", ""),
        {"a": [1]},
        {"a": ""},
    )
    for read, cells in (
        (strings, ('["a", 1]', '"a"', '{"a": "b"}', "[")),
        (json_object, ("[]", '"a"', "null", "{")),
        (string_map, ('{"a": 1}', '{"a": null}', "[]")),
    ):
        for cell in cells:
            with pytest.raises(ValueError, match=r"\S"):
                read(cell)
