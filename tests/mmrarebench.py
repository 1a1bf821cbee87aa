"""Invented cases with drawn pictures, as items written by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw

NARRATIVE = (
    "A 41-year-old man had burning pain of hands and feet since childhood.\n\n"
    "Angiokeratomas stood around the navel. The cornea showed whorls.\n\n"
    "Urine protein was 1.2 g a day; a heart scan showed a thick wall."
)
EVIDENCE = [
    {"claim": "Pain began early.", "block": "#p1", "quote": "burning pain of hands and feet since childhood"},
    {"claim": "The skin was typical.", "block": "#p2", "quote": "Angiokeratomas stood around the navel."},
]
TARGETS: dict[str, Any] = {
    "T1": "Fabry disease",
    "T2": ["enzyme replacement", "watch the kidney"],
    "T3": "complementary",
    "T4": ["alpha-galactosidase A activity"],
}
ANSWERS = {
    "T1": "Fabry disease",
    "T2": "Agalsidase beta every two weeks; check proteinuria each quarter.",
    "T3": "The whorls and the thick wall are both storage.",
    "T4": "First the enzyme's activity in leucocytes, then the gene.",
}


def draw(path: Path, shade: int, size: tuple[int, int] = (64, 48)) -> Path:
    """A picture with a box of that shade."""
    image = Image.new("RGB", size, (shade, shade, 90))
    ImageDraw.Draw(image).rectangle((8, 8, 30, 30), fill=(255 - shade, 30, shade))
    image.save(path)
    return path


def item(track: str, name: str, pictures: list[str], **more: Any) -> dict[str, Any]:  # noqa: ANN401
    """A sound item of a track; `more` goes into its input where it is of it, else into its reference."""
    shown: dict[str, Any] = {
        "question": f"What comes next, {name}?",
        "narrative": f"{NARRATIVE}\n\nThis was patient {name}.",
        "pictures": [
            {"file": file, "modality": ("photograph", "mri")[place % 2]}
            for place, file in enumerate(pictures)
        ],
    }
    if track == "T2":
        shown["diagnosis"] = "Fabry disease"
    reference: dict[str, Any] = {
        "answer": ANSWERS[track],
        "code": "ORPHA:324",
        "aliases": ["Anderson-Fabry disease", "Alpha-galactosidase A deficiency"],
        "target": TARGETS[track],
        "evidence": EVIDENCE,
    }
    for key, value in more.items():
        (shown if key in ("question", "narrative", "diagnosis", "pictures") else reference)[key] = value
    return {
        "id": name,
        "task": track,
        "input": shown,
        "reference": reference,
        "labels": {"group": "metabolic"},
    }


def write_items(folder: Path, *items: dict[str, Any]) -> Path:
    """A file of items beside the pictures a.png to d.png, of which neighbours have one size."""
    folder.mkdir(parents=True, exist_ok=True)
    for shade, name in ((10, "a"), (80, "b"), (160, "c"), (240, "d")):
        draw(folder / f"{name}.png", shade)
    path = folder / "items.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in items or sound()), "utf-8")
    return path


def sound() -> list[dict[str, Any]]:
    """Two items of T1 and T3, one of T2 and T4."""
    return [
        item("T1", "one", ["a.png", "b.png"]),
        item("T1", "two", ["c.png"]),
        item("T2", "one", ["a.png"]),
        item("T3", "one", ["a.png", "b.png"]),
        item("T3", "two", ["c.png", "d.png"]),
        item("T4", "one", ["a.png"]),
    ]


def packet(code: str, label: str, *parents: dict[str, str]) -> str:
    """A disorder as Orphanet's packets have it, with those above it."""
    above = [{"Parent": list(parents)}] if parents else None
    said = {"ORPHAcode": code, "Label": label, "version": "1.3", "creationDate": "2025-12-09 10:00:00"}
    kind = {"DisorderType": {"value": "Disease"}, "Synonyms": [], "Parents": above, "Genes": []}
    return json.dumps({"Orphapacket": {**said, **kind}})
