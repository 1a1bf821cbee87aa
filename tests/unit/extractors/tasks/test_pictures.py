"""Pictures as models are shown them: what is sent, how it is planned, and what is no picture to show."""

from __future__ import annotations

import base64
import io

import pytest
from PIL import Image

from extractors.llm.backends.dialects import Way, body_of
from extractors.llm.tokens import TokenCounter, picture_tokens
from extractors.llm.types import Request
from extractors.tasks.base import PICTURE_MARK, Prompt
from extractors.tasks.forms import Text
from extractors.tasks.neutral import neutralised
from extractors.tasks.pictures import PictureError, Size, shown_pictures, whole_picture


def png(width: int, height: int, **more: object) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (width, height), (200, 10, 10)).save(out, "PNG", **more)
    return out.getvalue()


def test_what_is_sent_is_no_longer_than_a_limit_told_apart_and_without_metadata() -> None:
    exif = Image.Exif()
    exif[0x010E] = "Fabry disease"
    data = png(2000, 1000, exif=exif, icc_profile=b"Fabry's own")
    assert b"Fabry" in data
    given = [("a", Size(2000, 1000), lambda: data)] * 3
    shown = shown_pictures(given)
    assert [(one.width, one.height) for one in shown] == [(1344, 672), (1344, 673), (1344, 672)]
    for one in shown:
        sent = one.read()
        assert Image.open(io.BytesIO(sent)).size == (one.width, one.height)
        assert Image.open(io.BytesIO(sent)).info == {}
        assert b"Fabry" not in sent
    assert [one.told["padded"] for one in shown] == [0, 1, 0]
    assert shown[0].told["from"] == [2000, 1000]
    prompts = [
        Prompt("s", PICTURE_MARK, Text(), pictures=shown_pictures(given[:1], blank=b)) for b in (False, True)
    ]
    assert prompts[0].sha256 != prompts[1].sha256
    assert Prompt("s", "u", Text()).pictures_json == []
    with pytest.raises(ValueError, match="marks"):
        Prompt("s", "no mark", Text(), pictures=shown)


def test_what_is_sent_stands_upright_in_its_own_proportions_and_deep_grey_stays_grey() -> None:
    turned, out = Image.Exif(), io.BytesIO()
    turned[0x0112] = 6
    assert whole_picture(png(80, 40, exif=turned)) == Size(40, 80)
    assert whole_picture(png(28, 5600)) == Size(28, 5600), "the least and the longest that is shown"
    clear = io.BytesIO()
    Image.new("RGBA", (64, 64), (0, 0, 0, 0)).save(clear, "PNG")
    (shown,) = shown_pictures([("a", Size(64, 64), clear.getvalue)])
    assert Image.open(io.BytesIO(shown.read())).getpixel((9, 9)) == (255, 255, 255)
    Image.new("I;16", (64, 64), 128 * 256).save(out, "PNG")
    (shown,) = shown_pictures([("a", whole_picture(out.getvalue()), out.getvalue)])
    assert Image.open(io.BytesIO(shown.read())).getpixel((9, 9)) == (128, 128, 128)


def test_a_picture_costs_what_its_family_takes_and_more_where_a_server_counts_more() -> None:
    assert [picture_tokens(family, 4000, 3000) for family in ("gemma3", "gemma4", "qwen25vl")] == [
        256,
        288,
        2675,
    ]
    assert picture_tokens("qwen25vl", 56, 56) == 1024
    counter = TokenCounter(None, "gemma3")
    prompt = Prompt("", PICTURE_MARK, Text(), pictures=shown_pictures([("a", Size(60, 60), lambda: b"")]))
    assert counter.pictures(prompt) == 256
    counter.learn_pictures(prompt, 1000)
    counter.learn_pictures(prompt, 300)
    assert (counter.pictures(prompt), counter.scale) == (1000, 1.0), "the dearest seen holds"


def test_servers_of_openais_protocol_get_pictures_between_their_words() -> None:
    data = png(40, 40)
    prompt = Prompt(
        "s",
        f"Figure 1: {PICTURE_MARK}\nWhat?",
        Text(),
        pictures=shown_pictures([("a", Size(40, 40), lambda: data)]),
    )
    first, picture, last = body_of(Request("m", prompt, {}), Way("", further=False))["messages"][1]["content"]
    assert "response_format" not in body_of(Request("m", prompt, {}), Way("response_format", further=False))
    assert (first["text"], last["text"]) == ("Figure 1: ", "\nWhat?")
    head, _, encoded = picture["image_url"]["url"].partition(",")
    assert head == "data:image/png;base64"
    assert Image.open(io.BytesIO(base64.b64decode(encoded))).size == (40, 40)


def test_marks_of_pictures_in_foreign_text_are_data() -> None:
    assert (
        neutralised("[img] [img-0] [IMG] [Img-2] [images]")[0] == "[ img] [ img-0] [ IMG] [ Img-2] [images]"
    )


@pytest.mark.parametrize("data", [b"", b"hello", png(64, 64)[:-30], png(27, 64), png(5601, 28)])
def test_what_is_no_picture_to_show_is_told_in_a_sentence(data: bytes) -> None:
    with pytest.raises(PictureError):
        whole_picture(data)


@pytest.mark.parametrize(
    ("limit", "said"),
    [("MOST_BYTES", "the file is larger than 0 MB"), ("MOST_PIXELS", "64 x 64 pixels, too many")],
)
def test_a_file_too_large_and_more_pixels_than_are_shown_are_said(
    monkeypatch: pytest.MonkeyPatch, limit: str, said: str
) -> None:
    (shown,) = shown_pictures([("a", Size(64, 64), lambda: png(64, 64))])
    monkeypatch.setattr(f"extractors.tasks.pictures.{limit}", 64)
    with pytest.raises(PictureError, match=said):
        shown.read()
