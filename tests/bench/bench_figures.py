"""Figures: packages brought in, thumbnails, a report with twenty figures opened and scrolled through."""

from __future__ import annotations

import io
import os
import random
import tarfile
import tempfile
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PIL import Image
from PySide6.QtWidgets import QApplication

from app.gui.figures.pictures import Pictures, decoded
from app.gui.figures.report_figures import SMALL, Thumbnails
from app.gui.reader.view import Reader
from app.operations.exchange.importing import import_reports
from app.operations.project.files import create_project
from app.palette import page_palette
from extractors.model.figure import Figure, FigureImage, FigureMention
from extractors.model.progress import finished
from extractors.model.scheme import default_scheme
from tests.bench.bench_reader import FRAME_SECONDS, SIZE, close, long_report, scrolling
from tests.bench.measure import Measure, best_seconds, interleaved_ratio

PACKAGES, FIGURES, THUMBNAILS = 12, 20, 100
_BODY = """<article xmlns:xlink="http://www.w3.org/1999/xlink"><front><article-meta><article-id
pub-id-type="pmc">{0}</article-id><title-group><article-title>Report {0}</article-title></title-group>
</article-meta></front><body><p>Report {0}: the radiograph (Fig. 1) showed an opacity.</p>{1}</body>
</article>"""
_FIGURE = """<fig id="f{0}"><label>Figure {0}</label><caption><p>Radiograph {0}.</p></caption>
<graphic xlink:href="r-g{0}"/></fig>"""


def measures() -> list[Measure]:
    """Import against reading and hashing, thumbnails against Pillow's, the page against the same without."""
    with tempfile.TemporaryDirectory() as folder:
        return [_importing(Path(folder)), _thumbnails(), *_page()]


def radiograph(seed: int, size: tuple[int, int] = (1600, 1200)) -> bytes:
    """A grey picture with grain, as a JPEG of half a megabyte."""
    noise = Image.effect_noise(size, 24)
    shade = Image.radial_gradient("L").resize(size).rotate(seed)
    file = io.BytesIO()
    Image.blend(noise, shade, 0.5).save(file, "JPEG", quality=92)
    return file.getvalue()


def _importing(folder: Path) -> Measure:
    """Twelve packages of four radiographs each."""
    paths = []
    for number in range(PACKAGES):
        path = folder / f"PMC{number + 1}.tar.gz"
        figures = "".join(_FIGURE.format(one) for one in range(1, 5))
        with tarfile.open(path, "w:gz", compresslevel=6) as archive:
            members = {"a.nxml": _BODY.format(number + 1, figures).encode()}
            members |= {f"r-g{one}.jpg": radiograph(4 * number + one) for one in range(1, 5)}
            for name, data in members.items():
                member = tarfile.TarInfo(f"PMC{number + 1}/{name}")
                member.size = len(data)
                archive.addfile(member, io.BytesIO(data))
        paths.append(path)
    made = iter(range(1000))

    def ours() -> float:
        project = folder / f"p{next(made)}.casespan"
        create_project(project, "Ana")
        return best_seconds(lambda: finished(import_reports(project, paths)), 1)

    def reading() -> None:
        for path in paths:
            with tarfile.open(path, "r:gz") as archive:
                for member in archive:
                    content = archive.extractfile(member)
                    sha256(content.read() if content else b"").hexdigest()

    ours()
    pairs = [(ours(), best_seconds(reading, 1)) for _ in range(5)]
    ratio = min(pair[0] for pair in pairs) / min(pair[1] for pair in pairs)
    return Measure("figures: import of packages", ratio, 1.5, "reading and hashing their members")


def _thumbnails() -> Measure:
    pictures = [radiograph(number, (1200, 900)) for number in range(10)] * (THUMBNAILS // 10)

    def pillow() -> None:
        for data in pictures:
            picture = Image.open(io.BytesIO(data))
            picture.thumbnail((SMALL, SMALL))

    def ours() -> None:
        for data in pictures:
            decoded(data, SMALL)

    ratio = interleaved_ratio(ours, pillow, repeats=5)
    return Measure(f"figures: {THUMBNAILS} thumbnails", ratio, 1.3, "Pillow's own")


class _Shelf:
    """Gives the same picture for every hash, at once."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def ask(self, call: object, then: Callable[[bytes], object], otherwise: object = None) -> None:
        then(self._data)


def _pictures(shelf: _Shelf, reader: Reader) -> Pictures:
    worker: Any = shelf
    return Pictures(worker, reader)


def _page() -> list[Measure]:
    application = QApplication.instance() or QApplication([])
    text, palette = long_report(), page_palette(default_scheme(), dark=False)
    chance = random.Random(3)
    places = sorted(chance.randrange(len(text) - 20) for _ in range(FIGURES - 4))
    # Some of them on the first page.
    places = [200, 400, 600, 800, *places]
    figures = [
        Figure(
            f"f{number}",
            f"Figure {number}",
            images=(FigureImage("a", "a.jpg", "kept", "", f"{number}", 1600, 1200),),
            mentions=(FigureMention(place, place + 8),),
        )
        for number, place in enumerate(places, start=1)
    ]
    shelf = _Shelf(radiograph(1))

    def opened(with_figures: bool) -> float:
        began = time.perf_counter()
        reader = Reader(palette)
        reader.resize(*SIZE)
        reader.load(text)
        if with_figures:
            thumbnails = Thumbnails(reader, _pictures(shelf, reader), lambda number: None)
            reader.set_links([place for figure in figures for place in figure.mention_places])
            thumbnails.set_figures(figures)
        reader.show()
        application.processEvents()
        reader.grab()
        seconds = time.perf_counter() - began
        close(reader)
        return seconds

    pairs = [(opened(True), opened(False)) for _ in range(9)]
    opening = min(pair[0] for pair in pairs) / min(pair[1] for pair in pairs)
    frame = _slowest_frame(text, figures, shelf)
    return [
        Measure(f"figures: open a report with {FIGURES}", opening, 1.3, "the same without"),
        Measure("figures: slowest frame scrolling", frame / FRAME_SECONDS, 1, "33 ms"),
    ]


def _slowest_frame(text: str, figures: list[Figure], shelf: _Shelf) -> float:
    palette = page_palette(default_scheme(), dark=False)
    reader = Reader(palette)
    reader.resize(*SIZE)
    reader.load(text)
    thumbnails = Thumbnails(reader, _pictures(shelf, reader), lambda number: None)
    thumbnails.set_figures(figures)
    reader.show()
    QApplication.processEvents()
    slowest = max(scrolling(reader, QApplication.processEvents))
    close(reader)
    return slowest
