"""A package as PubMed Central hands them out: a report with three figures, and pictures for two of them."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

from PIL import Image

BODY = """<article xmlns:xlink="http://www.w3.org/1999/xlink"><front><article-meta>
<article-id pub-id-type="pmc">77</article-id><title-group><article-title>A girl of nine</article-title>
</title-group></article-meta></front><body><sec>
<title>Case (see <xref ref-type="fig" rid="f1">Fig. 1</xref>)</title>
<p>She had a cough [<xref ref-type="bibr" rid="b1">1</xref>] (<xref
ref-type="fig" rid="f1">Figure  1</xref>A,B).
Fig. 2b shows a mass; <xref ref-type="fig" rid="f1 f2">Figs. 1 and 2</xref> healed.</p></sec></body>
<floats-group><fig id="f1"><label>Figure 1</label><caption><title>Chest.</title><p>(A) Before. (B) After.</p>
</caption><graphic xlink:href="pic-g001"/></fig>
<fig id="f2"><label>Figure 2</label><caption><p>Mass &#x1D4B3; of the liver.</p></caption>
<graphic xlink:href="pic-g002.001"/><graphic xlink:href="gone"/></fig>
<fig id="f3"><graphic xlink:href="bad"/></fig>
</floats-group></article>"""


def picture(shade: int) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (320, 200), (shade, shade, 90)).save(file, "JPEG")
    return file.getvalue()


def package(path: Path, pictures: bool = True) -> Path:
    files = {"PMC77/pic-g001.jpg": picture(20), "PMC77/pic-g002.jpg": picture(200), "PMC77/bad.png": b"x"}
    with tarfile.open(path, "w:gz") as archive:
        for name, data in {**(files if pictures else {}), "PMC77/a.nxml": BODY.encode()}.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return path
