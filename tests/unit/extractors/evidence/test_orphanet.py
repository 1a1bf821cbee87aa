"""Orphanet's files as one nomenclature: product 1 with the names of exactly matching OMIM entries."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from extractors.evidence.orphanet import import_orphanet
from extractors.evidence.orphapackets import read_orphapackets
from extractors.model.errors import TerminologyError
from extractors.terminology.library import FOLDER, ORPHANET, open_terminology


def disorder(
    code: int, name: str, kind: str, synonyms: str = "", references: str = "", flag: str = ""
) -> str:
    return (
        f"<Disorder><OrphaCode>{code}</OrphaCode><Name>{name}</Name><SynonymList>{synonyms}</SynonymList>"
        f"<DisorderType><Name>{kind}</Name></DisorderType><DisorderFlagList><DisorderFlag><Label>{flag}</Label>"
        f"</DisorderFlag></DisorderFlagList><ExternalReferenceList>{references}</ExternalReferenceList></Disorder>"
    )


def reference(source: str, number: int, relation: str) -> str:
    return (
        f"<ExternalReference><Source>{source}</Source><Reference>{number}</Reference>"
        f"<DisorderMappingRelation><Name>{relation}</Name></DisorderMappingRelation></ExternalReference>"
    )


def test_names_come_of_exact_matches_alone_and_each_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path / "data"))
    exact, broader = "E (Exact mapping)", "BTNT (ORPHA code's Broader Term)"
    told = reference("OMIM", 1, exact) + reference("OMIM", 2, broader) + reference("ICD-10", 3, exact)
    synonyms = "<Synonym>BKS</Synonym><Synonym>Beak  syndrome</Synonym><Synonym>bks</Synonym>"
    product, hpoa = tmp_path / "product1.xml", tmp_path / "phenotype.hpoa"
    product.write_text(
        "<JDBOR date='2025-12-09' version='1'><DisorderList>"
        + disorder(7, "Beak fever", "Disease", synonyms, told)
        + disorder(8, "Beak fever, late", "Clinical subtype", flag="Obsolete entity")
        + disorder(9, "Fevers of birds", "Category")
        + "</DisorderList></JDBOR>",
        "utf-8",
    )
    named = {"OMIM:1": "BEAK FEVER; BKF1", "OMIM:2": "WIDER FEVER"}
    hpoa.write_text(
        "#version: 2025\n"
        + "".join("\t".join((code, name, *"abcdefghij")) + "\n" for code, name in named.items()),
        "utf-8",
    )
    import_orphanet([product, hpoa])
    found = open_terminology(ORPHANET)
    assert found.source == (
        "Orphanet: product 1, 1 of 2025-12-09, 3 entries; names of exactly matching OMIM entries from "
        "phenotype.hpoa 2025; (c) Orphanet (INSERM), CC BY 4.0"
    )
    fever, late, birds = (found.concept(f"ORPHA:{code}") for code in (7, 8, 9))
    assert fever.xrefs == ("OMIM:1",)
    assert {(name.text, name.kind) for name in fever.names} == {
        ("Beak fever", "label"),
        ("BKS", "abbreviation"),
        ("Beak syndrome", "exact"),
        ("BKF1", "omim"),
    }
    assert [(one.kind, one.obsolete) for one in (fever, late, birds)] == [
        ("disorder", False), ("subtype", True), ("group", False),
    ]  # fmt: skip
    # What a file beside it still has is in use, whichever comes first.
    beside = tmp_path / "names.csv"
    beside.write_text("ORPHA:8,Beak fever of old age,Late fever\n", "utf-8")
    for paths in ([product, beside], [beside, product]):
        import_orphanet(paths)
        late = open_terminology(ORPHANET).concept("ORPHA:8")
        assert (late.kind, late.obsolete, len(late.names)) == ("subtype", False, 3)


def test_parents_that_no_file_holds_are_counted_and_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path / "data"))
    for code, parents in ((7, (8, 1, 2)), (8, ())):
        packet = {
            "ORPHAcode": code,
            "Label": f"Fever {code}",
            "creationDate": f"2025-12-0{code}T00:00",
            "Prevalences": [{"Prevalence": {"ValMoy": mean}} for mean in ("0.0", "1.5", "many")],
            "Genes": [
                {"Gene": {"Symbol": gene, "DisorderGeneAssociationType": kind}}
                for gene, kind in (("BKF1", "Disease-causing germline mutation(s) in"), ("BKF2", "Modifying"))
            ],
            "Parents": [{"Parent": {"ORPHAcode": up}} for up in parents],
        }
        (tmp_path / f"{code}.json").write_text(json.dumps({"Orphapacket": packet}), "utf-8")
    kept = import_orphanet([tmp_path / "7.json", tmp_path / "8.json"])
    assert (kept.disorders, kept.loose, kept.installed.release) == (2, 2, "2025-12-08")
    fever = open_terminology(ORPHANET).concept("ORPHA:7")
    assert (fever.parents, fever.xrefs) == (("ORPHA:8",), ("GENE:BKF1",))
    (read,) = read_orphapackets(tmp_path / "7.json", Counter())
    assert [one.mean for one in read.statements] == ["", "1.5", ""]


_PRODUCT = "<JDBOR date='2025-12-09'><DisorderList>{}</DisorderList></JDBOR>"


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("p.xml", _PRODUCT.format(""), "holds no disorders"),
        (
            "p.xml",
            _PRODUCT.format(disorder(7, "A", "D").replace("7", "x")),
            "no OrphaCode",
        ),
        ("p.xml", "<JDBOR><DisorderList>", "is damaged"),
        ("t.csv", "code,name\nx,A\n", "is no ORPHApacket"),
    ],
)
def test_a_file_without_disorders_is_refused_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, content: str, said: str
) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path / "data"))
    (tmp_path / name).write_text(content, "utf-8")
    with pytest.raises(TerminologyError, match=said):
        import_orphanet([tmp_path / name])
    assert not (tmp_path / "data").exists()
