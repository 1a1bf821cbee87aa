"""Pictures beside a report: found by what it calls them, and hostile ones cost themselves alone."""

from __future__ import annotations

import io
import os
import struct
import tarfile
import tracemalloc
import zlib
from pathlib import Path

import pytest
from PIL import Image

from app.formats import read
from app.formats.pictures.found import PictureFiles, with_pictures
from app.formats.record import Imported, LeftOut
from extractors.checks.pictures import PictureFacts, bare_picture, inspect
from extractors.model.errors import FormatError
from extractors.model.figure import FigureImage
from extractors.text.figures import figures_in, mentions_in, panels_of


def drawn(kind: str = "PNG", size: tuple[int, int] = (64, 48), *, several: bool = False) -> bytes:
    file = io.BytesIO()
    more = [Image.new("L", size, shade) for shade in range(9)] if several else []
    Image.effect_noise(size, 60).save(
        file, kind, **({"save_all": True, "append_images": more} if more else {})
    )
    return file.getvalue()


def test_a_photograph_with_a_second_view_is_a_jpeg_and_other_pictures_are_one() -> None:
    assert inspect(drawn("MPO", several=True), "a.jpg") == PictureFacts("JPEG", 64, 48)
    for kind in ("GIF", "TIFF", "PNG", "WEBP"):
        name = f"a.{kind.lower()}"
        assert inspect(drawn(kind), name) == PictureFacts(kind, 64, 48)
        with pytest.raises(FormatError, match="more than one picture"):
            inspect(drawn(kind, several=True), name)


def test_a_head_is_read_in_so_many_pieces_as_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("extractors.checks.pictures._Pieces.left", 99)
    assert inspect(drawn("JPEG"), "a.jpg").format == "JPEG"
    gif = drawn("GIF")
    frame = gif.index(b"\x2c")
    for head in (b"\xff\xd8" + b"\xff\xe0\0\0" * 99, gif[:frame] + b"\x21\xfe\x01x\0" * 99 + gif[frame:]):
        with pytest.raises(FormatError, match="does not end"):
            inspect(head, "a.jpg")


def declaring(width: int, height: int) -> bytes:
    """A sound PNG of some kB that declares a size."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(b"\0" * 200_000)) + chunk(b"IEND", b"")


# Tags for the size and the place of the pixels, and none for how many there are.
NO_LENGTH = b"II*\0\x08\0\0\0\x03\0" + b"".join(
    struct.pack("<HHII", tag, 4, 1, value) for tag, value in ((256, 99), (257, 99), (273, 8))
)

FILES = {
    "good.jpg": drawn("JPEG"),
    "good.gif": drawn("GIF", (32, 32)),
    "dotted.001.png": drawn(),
    "upper.JPG": drawn("JPEG"),
    "tiff.tif": drawn("TIFF"),
    "bomb.png": declaring(40_000, 40_000),
    "cut.jpg": drawn("JPEG")[:-300],
    "cutpng.png": drawn()[:-200],
    "renamed.jpg": drawn("PNG"),
    "text.jpg": b"no picture at all",
    "empty.jpg": b"",
    "endless.gif": drawn("GIF", several=True)[:-1] * 2,
    "moving.gif": drawn("GIF", several=True),
    "drawing.svg": b"<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg' width='90000'/>",
    "pages.tif": drawn("TIFF", several=True),
    "unmeasured.tif": NO_LENGTH + b"\0\0\0\0",
    "small.png": drawn(size=(27, 400)),
    "strip.png": drawn(size=(28, 5700)),
    "two.jpg": drawn("JPEG"),
    "two.png": drawn(),
}
EXPECTED = {
    "good": "kept",
    "dotted.001": "kept",
    "upper": "kept",
    "tiff.jpg": "kept",
    "bomb": "refused: It declares more than",
    "cut": "refused: The picture is cut off",
    "cutpng": "refused: The picture is cut off",
    "renamed": "kept: It is a PNG, whatever its name says.",
    "text": "refused: It is no picture",
    "empty": "refused: The file is empty.",
    "endless": "refused: ",
    "moving": "refused: It holds more than one picture",
    "drawing": "refused: It is a drawing (SVG)",
    "pages": "refused: It holds more than one picture",
    "unmeasured": "refused: The picture is cut off",
    "small": "refused: Its 27 x 400 pixels",
    "strip": "refused: It is a strip",
    "two": "kept: There is two.png as well",
    "link": "refused: The ",
    "../outside": "refused: ",
    "gone": "missing: No picture of that name",
    "http://example.org/a.jpg": "missing: It stands on the web",
}
ARTICLE = (
    "<article xmlns:xlink='http://www.w3.org/1999/xlink'><front/><body><p>One (<xref ref-type='fig' rid='F1'>"
    "Fig. 1</xref>B); Fig. 2a shows it.</p>"
    + "".join(
        f"<fig id='F{number}'><label>Figure {number}</label>"
        f"<caption><p>(A) CT. (B) MRI of {number}.</p></caption>"
        f"<graphic xlink:href='{href}'/></fig>"
        for number, href in enumerate(EXPECTED, start=1)
    )
    + "</body></article>"
).encode()


def looked_up(found: list[Imported | LeftOut]) -> dict[str, FigureImage]:
    """Every image by its href, as an import has it."""
    kept: list[str] = []
    (report,) = (one for one in found if isinstance(one, Imported))
    figures = with_pictures(report.figures or (), report.pictures, lambda sha, *_: kept.append(sha))
    images = {image.href: image for figure in figures for image in figure.images}
    assert {image.sha256 for image in images.values() if image.sha256} == set(kept)
    return images


def require_expected(images: dict[str, FigureImage], outside: str) -> None:
    expected = {**EXPECTED, "../outside": outside}
    said = {href: f"{one.state}: {one.reason}" if one.reason else one.state for href, one in images.items()}
    begun = {href: said[href][: None if what == "kept" else len(what)] for href, what in expected.items()}
    assert begun == expected
    assert all(what.count(". ") <= 1 and "\n" not in what for what in said.values())


def test_hostile_pictures_of_a_folder_cost_themselves_alone(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for name, data in FILES.items():
        (folder / name).write_bytes(data)
    (tmp_path / "outside.jpg").write_bytes(FILES["good.jpg"])
    (folder / "link.jpg").symlink_to(tmp_path / "outside.jpg")
    (folder / "a.xml").write_bytes(ARTICLE)
    images: dict[str, FigureImage] = {}
    found: list[Imported | LeftOut] = []
    for one in read(folder):
        found.append(one)
        if isinstance(one, Imported):
            images = looked_up([one])
    require_expected(images, "missing: No picture")
    assert (images["good"].width, images["good"].height) == (64, 48)
    # What was taken is no file that was left out; the thumbnail was taken with its picture.
    assert not [one for one in found if isinstance(one, LeftOut)]


def test_a_package_is_looked_into_whatever_comes_first_and_thousands_of_pictures_wait_on_the_disk(
    tmp_path: Path,
) -> None:
    path = tmp_path / "p.tar.gz"
    with tarfile.open(path, "w:gz", compresslevel=1) as archive:

        def add(name: str, data: bytes, kind: bytes = tarfile.REGTYPE) -> None:
            member = tarfile.TarInfo(name)
            member.size, member.type, member.linkname = len(data), kind, "/etc/passwd"
            archive.addfile(member, io.BytesIO(data))

        noise = os.urandom(200)
        for number in range(2_000):
            add(f"PMC1/other{number}.jpg", noise)
        add("PMC1/link.jpg", b"", tarfile.SYMTYPE)
        add("../outside.jpg", FILES["good.jpg"])
        add("PMC1/a.nxml", ARTICLE)
        for name, data in FILES.items():
            add(f"PMC1/{name}", data)
    images, left = {}, []
    for one in read(path):
        if isinstance(one, Imported):
            images = looked_up([one])
        else:
            left.append(one)
    require_expected(images, "refused: The archive's member points outside")
    assert len(left) == 2_000


def test_of_a_package_so_many_pictures_are_looked_at_as_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.formats.pictures.found.MAX_PICTURES", 2)
    files = PictureFiles()
    for name in "abc":
        files.take(f"{name}.png", name, io.BytesIO(b"x"), 1)
    refused = [entry.refused for name in "abc" for entry in [(files.found(name) or [None])[0]] if entry]
    assert refused == ["", "", "The package holds more than 2 pictures; this one was not looked at."]
    files.close()


def test_of_a_packages_pictures_a_few_wait_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.formats.pictures.found._IN_MEMORY", 150_000)
    files, shades = PictureFiles(), range(20)
    tracemalloc.start()
    for shade in shades:
        files.take(f"{shade}.png", f"{shade}", io.BytesIO(bytes([shade]) * 100_000), 100_000)
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    found = [one[0] for shade in shades if (one := files.found(f"{shade}"))]
    assert [entry.read()[:1] for entry in found] == [bytes([shade]) for shade in shades]
    assert held < 300_000
    files.close()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("seen (Figs. 1 and 2b) ", {1: (), 2: ("B",)}),
        ("Figure 1A–C or 3 a day ", {1: ("A", "B", "C")}),
        ("Figure 2, panel B; Figure II; Fig. IV (a) ", {2: (), 4: ("A",)}),
        ("see Figure 2 panels B and D ", {2: ("B", "D")}),
        ("Fig. S1, Supplementary Figure 2, Appendix Figure 1, Figure 3—video 1; in this figure I see ", {}),
    ],
)
def test_plain_mentions_name_figures_and_panels(text: str, said: dict[int, tuple[str, ...]]) -> None:
    assert {one.number: one.panels for one in mentions_in(text)} == said


@pytest.mark.parametrize(
    ("reference", "panels"), [("2B", ("B",)), ("C", ("C",)), ("Fig. 1A", ("A",)), ("3", ())]
)
def test_a_reference_that_goes_on_from_another_names_its_panel(
    reference: str, panels: tuple[str, ...]
) -> None:
    text = "(Fig. 1A and 2B; C, and 3)"
    start = text.index(reference)
    assert panels_of(text, start, start + len(reference)) == panels


def test_a_reference_to_a_group_is_a_mention_of_each_figure_in_it(tmp_path: Path) -> None:
    figures = "".join(
        f'<fig id="{one}"><label>Figure {one}</label><graphic id="picture{one}"/></fig>' for one in (1, 2)
    )
    (path := tmp_path / "a.xml").write_text(
        '<article><body><p>See <xref ref-type="fig" rid="g g 1">the figures</xref>, and '
        '<xref ref-type="fig" rid="picture2">this</xref>.</p>'
        f'<fig-group id="g">{figures}</fig-group></body></article>',
        encoding="utf-8",
    )
    (report,) = (one for one in read(path) if isinstance(one, Imported))
    # Of what is in a figure it is a mention, too; and one each, whatever of it is named.
    mentions = [[one.by for one in figure.mentions] for figure in report.figures or ()]
    assert mentions == [["xref"], ["xref", "xref"]]


def test_a_picture_is_of_the_innermost_figure_that_it_stands_in(tmp_path: Path) -> None:
    inner = '<fig id="b"><label>Figure 2</label><graphic href="b.jpg"/></fig>'
    outer = f'<fig id="a"><label>Figure 1</label><graphic href="a.jpg"/>{inner}</fig>'
    (path := tmp_path / "a.xml").write_text(f"<article><body><p>x</p>{outer}</body></article>", "utf-8")
    (report,) = (one for one in read(path) if isinstance(one, Imported))
    assert [[image.href for image in one.images] for one in report.figures or ()] == [["a.jpg"], ["b.jpg"]]


def test_pictures_of_a_folder_are_named_when_its_reports_have_taken_theirs(tmp_path: Path) -> None:
    folder, packed = tmp_path / "in", tmp_path / "in.tar"
    folder.mkdir()
    (folder / "a.jpg").write_bytes(drawn("JPEG"))
    (folder / "b.png").write_bytes(drawn())
    figure = '<fig id="F1"><label>Figure 1</label><graphic href="a.jpg"/></fig>'
    (folder / "z.xml").write_text(f"<article><body><p>x</p>{figure}</body></article>", "utf-8")
    with tarfile.open(packed, "w") as archive:
        for name in ("one", "two"):
            archive.add(folder, name)
    for path, sources in (
        (folder, [str(folder / "b.png")]),
        (packed, [f"{packed}!{n}/b.png" for n in ("one", "two")]),
    ):
        left_out = []
        for one in read(path):
            if isinstance(one, Imported):
                list(with_pictures(one.figures or (), one.pictures, lambda *_: None))
            else:
                left_out.append((one.source, one.reason))
        reason = "No figure of a report beside it names this picture."
        assert left_out == [(source, reason) for source in sources]


@pytest.mark.parametrize("mode", ["1", "L", "P", "RGB", "RGBA", "CMYK", "I;16"])
def test_a_picture_of_a_view_has_its_pixels_alone_the_right_way_up(mode: str) -> None:
    exif = Image.Exif()
    exif[0x0112], exif[0x010E] = 6, "Fabry disease"
    file = io.BytesIO()
    more = {"exif": exif, "icc_profile": b"Fabry's own", "dpi": (300, 300)}
    Image.new(mode, (60, 40)).save(file, "TIFF" if mode == "CMYK" else "PNG", **more)
    bare = Image.open(io.BytesIO(bare_picture(file.getvalue())))
    assert (bare.size, bare.info) == ((40, 60), {})


def test_a_webp_that_would_take_too_much_memory_is_not_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    file = io.BytesIO()
    Image.new("RGB", (60, 40)).save(file, "WEBP")
    monkeypatch.setattr("extractors.checks.pictures._MOST_WEBP", 2399)
    with pytest.raises(FormatError, match="too much memory to decode; save it as PNG"):
        bare_picture(file.getvalue())


def test_blanks_behind_a_figures_number_are_read_at_once() -> None:
    assert figures_in("Figure 1 " + "\u00a0" * 100_000 + "x") == ()


def test_of_names_that_differ_in_capitals_alone_the_very_same_is_meant() -> None:
    files = PictureFiles()
    for name in ("f1.PNG", "F1.png", "f1.gif"):
        files.take(name, f"at {name}", io.BytesIO(b"x"), 1)
    for href, meant, other in (("F1.png", "F1.png", "f1.PNG"), ("a/f1.PNG", "f1.PNG", "F1.png")):
        found = files.found(href)
        assert found is not None
        # The GIF beside them is a thumbnail.
        assert (found[0].name, found[1] and found[1].name) == (meant, other)
    assert files.found("f2.png") is None
