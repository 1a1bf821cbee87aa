"""Rows of phenotype.hpoa are read with their frequency, or counted as none by the reason."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZipFile

import pytest

from extractors.evidence.hpoa import read_hpoa
from extractors.model.errors import FormatError, TerminologyError
from extractors.terminology.obo import read_obo

_HALF, _FULL = "1/2", (0.5, 2)


def row(frequency: str, qualifier: str = "") -> str:
    cells = ("OMIM:1", "A", qualifier, "HP:1", "PMID:7; OMIM:1", "", "", frequency, "male", "", "P", "x")
    return "\t".join(cells)


@pytest.mark.parametrize(
    ("given", "qualifier", "frequency"),
    [
        ("", "", (None, 0)),
        ("3/3", "", (1.0, 3)),
        ("0/3", "", (0.0, 3)),
        ("1/4", "NOT", (0.0, 4)),
        ("HP:0040282", "", (0.55, 0)),
        ("100%", "", (1.0, 0)),
        ("12.5 %", "", (0.125, 0)),
        ("101%", "", None),
        ("4/3", "", None),
        ("0/0", "", None),
        ("often", "", None),
    ],
)
def test_a_frequency_is_a_share_of_so_many_patients_or_makes_its_row_none(
    tmp_path: Path, given: str, qualifier: str, frequency: tuple[float | None, int] | None
) -> None:
    path = tmp_path / "phenotype.hpoa"
    path.write_text(f"#version: 2026\n{row(_HALF)}\n{row(given, qualifier)}\n", encoding="utf-8")
    found = read_hpoa(path)
    expected = [_FULL] if frequency is None else [_FULL, frequency]
    assert [(one.frequency, one.patients) for one in found.rows] == expected
    assert found.faulty == (() if frequency else ((3, "a frequency that is none"),))
    assert (found.release, found.rows[0].publications, found.rows[0].sex) == ("2026", (7,), "MALE")


def test_a_file_without_a_row_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "phenotype.hpoa"
    path.write_text("#version: 2026\nOMIM:1\tA\n", encoding="utf-8")
    with pytest.raises(FormatError, match="is it phenotype"):
        read_hpoa(path)
    with ZipFile(archive := tmp_path / "wheel.zip", "w") as file:
        file.writestr("readme.txt", "x")
    with pytest.raises(FormatError, match=r"wheel\.zip has no phenotype\.hpoa in it"):
        read_hpoa(archive)
    with pytest.raises(TerminologyError, match=r"wheel\.zip has no OBO file in it"):
        read_obo(archive)
