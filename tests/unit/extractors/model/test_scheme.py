"""The scheme file: what loads, what is refused at which line, and how far its colours stay apart."""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import pytest

from extractors.model.errors import SchemeError, UnknownNameError
from extractors.model.scheme import SCHEME_FILE, Category, default_scheme, load_scheme, parse_scheme

Colour = tuple[float, float, float]

OTHER = """\
id = "plants"
name = "Plants"
version = "2"

[[category]]
id = "LEAF"
name = "Leaves"
code = "LE"
shortcut = "l"
colour = { light = "#106010", dark = "#80E080" }
fields = ["shape", "margin"]

[[category]]
id = "ROOT"
name = "Roots"
code = "RO"
shortcut = "1"
colour = { light = "#604010", dark = "#e0b080" }
fields = []
"""
GUIDELINE = "# Leaves\n\n## Definition\n\nWhat grows above the ground.\n"


def write_scheme(folder: Path, source: str = OTHER, leaf: str = GUIDELINE) -> Path:
    (folder / SCHEME_FILE).write_text(source, encoding="utf-8")
    (folder / "LEAF.md").write_text(leaf, encoding="utf-8")
    (folder / "ROOT.md").write_text(GUIDELINE, encoding="utf-8")
    return folder


def refusal(folder: Path) -> str:
    """The message for a folder that must not load, with the folder's own path taken out."""
    with pytest.raises(SchemeError) as caught:
        load_scheme(folder)
    return str(caught.value).replace(f"{folder}/", "").replace(f"{folder}\\", "")


def test_the_shipped_scheme_has_the_14_categories_in_their_published_order() -> None:
    ids = "Vitals_Hema Neuro EENT CVS RESP GI GU MSK DERM LYMPH ENDO Pregnancy Lab_Image History"
    assert default_scheme().ids == tuple(ids.split())


def test_the_shipped_codes_are_those_of_the_margin() -> None:
    codes = [category.code for category in default_scheme().categories]
    assert codes == "VH NE EE CV RS GI GU MS DE LY EN PR LI HX".split()


def test_a_well_formed_other_scheme_loads(tmp_path: Path) -> None:
    scheme = load_scheme(write_scheme(tmp_path))
    assert (scheme.id, scheme.name, scheme.version, scheme.ids) == ("plants", "Plants", "2", ("LEAF", "ROOT"))
    assert scheme.categories[0] == Category(
        id="LEAF",
        name="Leaves",
        code="LE",
        shortcut="l",
        colour_light="#106010",
        colour_dark="#80E080",
        fields=("shape", "margin"),
        guideline=GUIDELINE,
    )
    assert scheme.category("ROOT").fields == ()


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm(tmp_path: Path) -> None:
    write_scheme(tmp_path)
    (tmp_path / SCHEME_FILE).write_bytes(b"\xef\xbb\xbf" + OTHER.replace("\n", "\r\n").encode())
    (tmp_path / "LEAF.md").write_bytes(b"\xef\xbb\xbf" + GUIDELINE.replace("\n", "\r\n").encode())
    assert load_scheme(tmp_path).category("LEAF").guideline == GUIDELINE


def test_an_unknown_category_is_answered_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="LEAF, ROOT"):
        load_scheme(write_scheme(tmp_path)).category("leaf")


BROKEN = {
    "no id of the scheme": ('id = "plants"\n', "", 1, '"id" is missing'),
    "a name that is no text": ('name = "Plants"', "name = 3", 2, '"name" is missing or not a text'),
    "no code": ('code = "RO"\n', "", 13, '"code" is missing'),
    "an empty name": ('"Roots"', '" "', 15, '"name" is missing'),
    "an id with a blank": ('"ROOT"', '"RO OT"', 14, "\"id\" cannot be 'RO OT'"),
    "an id with a path": ('"ROOT"', '"../ROOT"', 14, '"id" cannot be'),
    "a long code": ('"RO"', '"ROO"', 16, '"code" cannot be'),
    "a capital as shortcut": ('"1"', '"R"', 17, '"shortcut" cannot be'),
    "two keys as shortcut": ('"1"', '"12"', 17, '"shortcut" cannot be'),
    "a colour name": ('"#604010"', '"brown"', 18, '"light" cannot be'),
    "one colour only": (', dark = "#e0b080"', "", 18, '"dark" is missing'),
    "a colour that is a text": (
        '{ light = "#604010", dark = "#e0b080" }',
        '"#604010"',
        18,
        '"colour" must be',
    ),
    "a grain of no words": ('code = "RO"\n', 'code = "RO"\ngrain = ""\n', 17, '"grain" must be one of'),
    "a grain that is none": ('code = "RO"\n', 'code = "RO"\ngrain = "word"\n', 17, '"grain" must be one of'),
    "fields that are a text": ("fields = []", 'fields = "depth"', 19, '"fields" must be'),
    "a field that is a number": ("fields = []", "fields = [1]", 19, '"fields" must be'),
    "a blank field": ("fields = []", 'fields = [" "]', 19, '"fields" must be'),
    "a repeated field": ('"margin"', '"shape"', 11, "one field twice"),
    "a repeated id": ('"ROOT"', '"LEAF"', 14, "\"id\" 'LEAF' is used twice"),
    "an id that files use": ('"ROOT"', '"Title"', 14, "\"id\" cannot be 'Title'"),
    "a repeated code": ('"RO"', '"LE"', 16, "\"code\" 'LE' is used twice"),
    "a repeated shortcut": ('"1"', '"l"', 17, "\"shortcut\" 'l' is used twice"),
    "a category without guideline": ('"ROOT"', '"STEM"', 14, "no guideline STEM.md"),
    "an unclosed text": ('"Roots"', '"Roots', 15, "not valid TOML"),
    "an unclosed list at the end": ("fields = []", "fields = [", 19, "not valid TOML"),
    "a key twice": ('code = "RO"', 'id = "RO"', 16, "not valid TOML"),
}


def test_ids_that_differ_only_in_case_are_refused() -> None:
    guideline = "# Leaf\n\n## Definition\n\nA leaf.\n"
    with pytest.raises(SchemeError, match="line 14: \"id\" 'leaf' is used twice"):
        parse_scheme(OTHER.replace('"ROOT"', '"leaf"'), {"LEAF": guideline, "leaf": guideline})


@pytest.mark.parametrize(("old", "new", "line", "message"), BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_scheme_is_refused_with_file_and_line(
    tmp_path: Path, old: str, new: str, line: int, message: str
) -> None:
    assert OTHER.count(old) == 1
    said = refusal(write_scheme(tmp_path, OTHER.replace(old, new)))
    assert said.startswith(f"{SCHEME_FILE}, line {line}: ")
    assert message in said
    assert "\n" not in said


@pytest.mark.parametrize("source", ["", 'category = "LEAF"\n', "[category]\n", "category = []\n"])
def test_a_scheme_without_categories_is_refused(tmp_path: Path, source: str) -> None:
    head = 'id = "plants"\nname = "Plants"\nversion = "2"\n' if source else ""
    said = refusal(write_scheme(tmp_path, head + source))
    assert said.startswith(f"{SCHEME_FILE}, line 1: ")


def test_a_category_that_is_no_table_is_refused(tmp_path: Path) -> None:
    head = 'id = "plants"\nname = "Plants"\nversion = "2"\n'
    assert "must be a [[category]] table" in refusal(write_scheme(tmp_path, head + "category = [1]\n"))


def test_a_missing_scheme_file_is_named(tmp_path: Path) -> None:
    assert refusal(tmp_path).startswith(f"{SCHEME_FILE}: cannot be read")


def test_text_that_is_not_utf8_is_refused_with_file_and_line(tmp_path: Path) -> None:
    write_scheme(tmp_path)
    (tmp_path / SCHEME_FILE).write_bytes(OTHER.replace("Roots", "Rötelwurz").encode("latin-1"))
    assert refusal(tmp_path).startswith(f"{SCHEME_FILE}, line 15: not UTF-8")
    write_scheme(tmp_path)
    (tmp_path / "LEAF.md").write_bytes(GUIDELINE.replace("grows", "wächst").encode("latin-1"))
    assert refusal(tmp_path).startswith("LEAF.md, line 5: not UTF-8")


def test_a_broken_guideline_is_refused_with_its_own_file_and_line(tmp_path: Path) -> None:
    said = refusal(write_scheme(tmp_path, leaf=GUIDELINE + "\n## Exlude\n\n- Hair: `HAIR`.\n"))
    assert said.startswith('LEAF.md, line 7: "Exlude" is not a section')


# Colours. Simulation: Machado, Oliveira and Fernandes 2009 (severity 1), applied to linear sRGB; distance:
# Euclidean in OKLab (Ottosson 2020) times 100; contrast: WCAG 2. Fourteen colours cannot all be far apart for
# a dichromat, who sees a plane: the thresholds are what a search over hue, chroma and lightness reached, and
# a letter code stands beside every colour.
LEAST_DISTANCE = {"light": (11.5, 7.7), "dark": (13.0, 8.9)}  # normal vision, each colour blindness
LEAST_CONTRAST = {"light": 14.0, "dark": 7.5}  # of text on a tint
VISION = {
    "normal": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
TO_LMS = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
TO_LAB = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)
WHITE, NEAR_BLACK, BLACK, NEAR_WHITE = "#ffffff", "#1b1b1b", "#000000", "#f2f2f2"
TINT = {"light": (0.18, WHITE, BLACK), "dark": (0.24, NEAR_BLACK, NEAR_WHITE)}


def channels(colour: str) -> Colour:
    """Red, green and blue of "#rrggbb", 0-1, as encoded."""
    red, green, blue = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    return red, green, blue


def linear(encoded: Colour) -> Colour:
    red, green, blue = (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in encoded)
    return red, green, blue


def times(matrix: tuple[Colour, Colour, Colour], vector: Colour) -> Colour:
    first, second, third = (sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)
    return first, second, third


def seen(colour: str, vision: str) -> Colour:
    """OKLab coordinates of a colour as that vision sees it."""
    red, green, blue = (min(max(v, 0.0), 1.0) for v in times(VISION[vision], linear(channels(colour))))
    long, middle, short = (v ** (1 / 3) for v in times(TO_LMS, (red, green, blue)))
    return times(TO_LAB, (long, middle, short))


def distance(left: str, right: str, vision: str) -> float:
    pairs = zip(seen(left, vision), seen(right, vision), strict=True)
    return 100 * float(sum((a - b) ** 2 for a, b in pairs) ** 0.5)


def luminance(encoded: Colour) -> float:
    red, green, blue = linear(encoded)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(left: Colour, right: Colour) -> float:
    darker, lighter = sorted((luminance(left), luminance(right)))
    return (lighter + 0.05) / (darker + 0.05)


def mix(colour: Colour, ground: Colour, share: float) -> Colour:
    red, green, blue = (share * a + (1 - share) * b for a, b in zip(colour, ground, strict=True))
    return red, green, blue


def palette(theme: str) -> list[str]:
    categories = default_scheme().categories
    return [category.colour_light if theme == "light" else category.colour_dark for category in categories]


def test_the_measures_of_colour_agree_with_known_values() -> None:
    assert contrast(channels(BLACK), channels(WHITE)) == pytest.approx(21)
    assert distance(BLACK, WHITE, "normal") == pytest.approx(100, abs=0.01)
    assert distance("#ff0000", "#00ff00", "normal") == pytest.approx(52.0, abs=0.1)
    assert distance("#a05a2c", "#5a7d00", "deuteranopia") < 0.5 * distance("#a05a2c", "#5a7d00", "normal")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("vision", VISION)
def test_any_two_colours_stay_apart_for_every_colour_vision(theme: str, vision: str) -> None:
    least = min(distance(left, right, vision) for left, right in itertools.combinations(palette(theme), 2))
    assert least >= LEAST_DISTANCE[theme][vision != "normal"]


def hue(colour: str) -> float:
    """The angle of a colour in OKLab, in degrees."""
    _, green_red, blue_yellow = seen(colour, "normal")
    return math.degrees(math.atan2(blue_yellow, green_red))


def chroma(colour: str) -> float:
    """How far from grey a colour is."""
    _, green_red, blue_yellow = seen(colour, "normal")
    return math.hypot(green_red, blue_yellow)


@pytest.mark.parametrize("category", default_scheme().categories, ids=lambda category: category.code)
def test_a_category_keeps_its_family_of_hues_from_light_to_dark(category: Category) -> None:
    apart = (hue(category.colour_dark) - hue(category.colour_light) + 180) % 360 - 180
    assert abs(apart) <= 18
    # Nothing turns grey: a vivid colour stays one.
    assert chroma(category.colour_dark) >= min(0.55 * chroma(category.colour_light), 0.1)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_on_every_tint_has_a_contrast_well_over_seven(theme: str) -> None:
    share, ground, ink = TINT[theme]
    for colour in palette(theme):
        assert (
            contrast(mix(channels(colour), channels(ground), share), channels(ink)) >= LEAST_CONTRAST[theme]
        )


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_underline_has_a_contrast_of_three_to_the_page(theme: str) -> None:
    _, ground, _ = TINT[theme]
    assert min(contrast(channels(colour), channels(ground)) for colour in palette(theme)) >= 3
