"""A case ranked over all diseases, against one sparse product; the index loaded, against reading hp.obo."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from scipy.sparse import csc_array

from extractors.assets import asset
from extractors.differential.index import Diseases
from extractors.differential.ranking import Ranker, shipped_ranker
from extractors.terminology.index import Terminology
from extractors.terminology.obo import read_obo
from tests.bench.measure import Measure, interleaved_ratio

# Of a patient with mandibulofacial dysostosis.
_CASE = ("HP:0000272 HP:0000347 HP:0000384 HP:0000405 HP:0000413 HP:0000453 HP:0000545 HP:0008551 HP:0008773 "
         "HP:0009623 HP:0010880 HP:0011342 HP:0011451 HP:0011471").split()  # fmt: skip


def measures() -> list[Measure]:
    """The first ten diseases of a case of 14 findings, and the index ready for its first one."""
    ranker = shipped_ranker()
    diseases = ranker.diseases
    columns = [diseases.column(term) for term in range(len(diseases.terminology.codes))]
    starts = np.cumsum([0, *(len(holders) for holders, _ in columns)])
    parts = [np.concatenate(each) for each in zip(*columns, strict=True)]
    size = (len(diseases), len(columns))
    matrix = csc_array((parts[1], parts[0].astype(np.int32), starts), shape=size).tocsr()
    findings = np.random.default_rng(1).random(len(columns), np.float32)
    ranker.rank(_CASE)
    once = interleaved_ratio(lambda: ranker.rank(_CASE), lambda: matrix @ findings, repeats=25)
    with TemporaryDirectory() as folder:
        obo = _written(Path(folder))
        load = interleaved_ratio(_load, lambda: read_obo(obo), repeats=5)
    return [
        Measure("differential: one case, all diseases", once, 25, "one product of the disease-term matrix"),
        Measure("differential: index loaded", load, 0.3, "reading hp.obo by the build script's reader"),
    ]


def _load() -> None:
    """All that a first ranking reads."""
    terminology = Terminology(asset("resources", "terminology", "hpo.zip"))
    diseases = Diseases(asset("resources", "terminology", "diseases.zip"), terminology)
    Ranker(diseases).rank(_CASE[:1])


def _written(folder: Path) -> Path:
    """hp.obo as far as the index has it: the ontology itself does not come along."""
    terminology = Terminology(asset("resources", "terminology", "hpo.zip"))
    lines = [f"data-version: hp/releases/{terminology.release}"]
    for code in terminology.codes:
        one = terminology.concept(code)
        lines += ["", "[Term]", f"id: {code}", f"name: {one.label}"]
        lines += [f"alt_id: {each}" for each in one.alternatives]
        if one.definition:
            lines.append(f'def: "{one.definition.replace(chr(34), chr(92) + chr(34))}" []')
        lines += [f'synonym: "{each.text}" {_SCOPES.get(each.kind, "EXACT")} []' for each in one.names[1:]]
        lines += [f"xref: {each}" for each in one.xrefs]
        lines += [f"is_a: {each}" for each in one.parents]
    path = folder / "hp.obo"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


_SCOPES = {"narrow": "NARROW", "broad": "BROAD", "related": "RELATED"}
