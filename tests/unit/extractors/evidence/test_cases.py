"""Cases are read from their forms; what is none is listed with its reason."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from extractors.evidence.cases import Cases, Entity, read_cases
from extractors.model.errors import CallError, NoCaseError
from extractors.terminology.concept import Concept, Name
from extractors.terminology.index import Terminology, write_index
from extractors.terminology.library import shipped_hpo

DISEASES = {"marfan syndrome": "OMIM:154700", "ataxia, early-onset, with fits": "OMIM:1"}


def read(*paths: Path) -> Cases:
    return read_cases(paths, shipped_hpo(), DISEASES)


def written(folder: Path, name: str, *values: object) -> Path:
    """Values as JSON Lines, or a single one as JSON."""
    path = folder / name
    lines = [one if isinstance(one, str) else json.dumps(one, ensure_ascii=False) for one in values]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def packet(**more: object) -> dict[str, object]:
    features = [
        {"type": {"id": "HP:0001250", "label": "Seizure"}},
        {"type": {"id": "HP:0001166"}, "excluded": True},
    ]
    return {
        "id": "PMID_77_proband",
        "phenotypicFeatures": features,
        "interpretations": [{"diagnosis": {"disease": {"id": "OMIM:154700"}}}],
        "metaData": {"phenopacketSchemaVersion": "2.0", "externalReferences": [{"id": "PMID:78"}]},
        **more,
    }


def test_a_case_in_json_lines_is_read_as_it_stands(tmp_path: Path) -> None:
    whole = {
        "id": "A",
        "set": "S",
        "present": ["HP:0001250", "hp_0001166", "HP:9999999"],
        "excluded": ["HP:0000098"],
        "diagnoses": ["MIM:154700", "Orphanet:558"],
        "publications": ["PMID:1", "2", "DOI:10.1"],
        "text": "He\u2028fits.",
        "entities": [{"text": "fits", "hpo_id": "HP:0001250"}],
    }
    case, _ = read(written(tmp_path, "a.jsonl", whole, {"id": "B", "text": "Well."})).cases
    assert (case.id, case.set, case.text) == ("A", "S", "He\u2028fits.")
    assert case.present == ("HP:0001250", "HP:0001166", "HP:9999999")
    assert case.excluded == ("HP:0000098",)
    assert case.diagnoses == ("OMIM:154700", "ORPHA:558")
    assert case.publications == (1, 2)
    assert case.entities == (Entity("fits", "HP:0001250"),)


def test_obsolete_and_merged_codes_are_mapped_and_counted(tmp_path: Path) -> None:
    terminology = shipped_hpo()
    merged = terminology.concept("HP:0001250").alternatives[0]
    lines = ({"id": name, "present": [merged, "HP:0001250"]} for name in "ab")
    found = read(written(tmp_path, "a.jsonl", *lines))
    assert [case.present for case in found.cases] == [("HP:0001250",)] * 2
    assert found.mapped == {f"{merged} -> HP:0001250": 2}


def test_a_phenopacket_gives_findings_diagnosis_and_its_own_publications(tmp_path: Path) -> None:
    features = packet()["phenotypicFeatures"]
    assert isinstance(features, list)
    more = [*features, {"type": {}}, {"excluded": True}]
    written(tmp_path, "one.json", packet(phenotypicFeatures=more, diseases=[{"term": {"id": "OMIM:9"}}]))
    family = {"id": "F", "proband": packet(id="P"), "metaData": packet()["metaData"]}
    written(tmp_path, "two.json", family)
    diseases = [{"term": {"id": "OMIM:1"}, "excluded": True}, {"term": {"id": "OMIM:154700"}}]
    written(tmp_path, "unsolved.json", packet(id="U", interpretations=[], diseases=diseases))
    one, two, unsolved = read(tmp_path).cases
    assert (one.present, one.excluded) == (("HP:0001250",), ("HP:0001166",))
    assert one.diagnoses == two.diagnoses == unsolved.diagnoses == ("OMIM:154700",)
    assert (one.id, one.publications, two.id, two.publications) == ("PMID_77_proband", (78, 77), "P", (78,))


def test_rows_of_rarebench_are_read_by_codes_and_by_names(tmp_path: Path) -> None:
    codes = {"Phenotype": ["HP:0001250"], "RareDisease": ["OMIM:154700"], "Department": None}
    names = {
        "input": "Seizure, Hypoplasia of the corpus callosum, Kyphosis, wobbly knees",
        "output": "Marfan syndrome, Ataxia, early-onset, with fits",
    }
    one, two = read(written(tmp_path, "HMS.jsonl", codes, names)).cases
    assert (one.id, one.set, one.present, one.diagnoses) == (
        "HMS-1",
        "HMS",
        ("HP:0001250",),
        ("OMIM:154700",),
    )
    assert two.present == ("HP:0001250", "HP:0002079", "HP:0002808", "wobbly knees")
    assert two.diagnoses == ("OMIM:154700", "OMIM:1")
    # A name that a retired term had as its label is that of the term in use.
    concepts = [
        Concept("HP:1", (Name("Wobbly gait", "label"),), obsolete=True),
        Concept("HP:2", (Name("Gait ataxia", "label"), Name("Wobbly gait", "exact"))),
    ]
    write_index(tmp_path / "small.zip", "HPO", "1", "a test", concepts)
    row = written(tmp_path, "row.jsonl", {"input": "Wobbly gait", "output": ""})
    assert read_cases([row], Terminology(tmp_path / "small.zip")).cases[0].present == ("HP:2",)


def test_patients_of_matchmaker_exchange_are_read(tmp_path: Path) -> None:
    features = [
        {"id": "HP:0001250", "observed": "yes"},
        {"id": "HP:0001166", "observed": "no"},
        {"id": "HP:0000098"},
    ]
    patient = {"id": "P1", "features": features, "disorders": [{"id": "MIM:610536"}]}
    bare = {**patient, "id": "P2"}
    one, two = read(written(tmp_path, "mme.json", [{"patient": patient}, bare])).cases
    assert (one.present, one.excluded) == (("HP:0001250", "HP:0000098"), ("HP:0001166",))
    assert one.diagnoses == ("OMIM:610536",)
    assert (one.id, two.id) == ("P1", "P2")


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("{", "is no JSON"),
        ("[" * 100_000, "is no JSON"),
        ([1], "is no JSON object"),
        ({"present": ["HP:0001250"]}, "has no id"),
        ({"id": "x"}, "has neither findings (present) nor text"),
        ({"id": "x", "present": "HP:0001250"}, "has a “present” that is no list of texts"),
        ({"id": "x", "present": ["HP:0001250"], "entities": ["a"]}, "has “entities” that are no list"),
        (packet(metaData={"phenopacketSchemaVersion": "1.0.0"}), "is a phenopacket of version 1"),
        (packet(phenotypicFeatures=[]), "is a phenopacket that has no findings"),
        (packet(phenotypicFeatures=[], members=[{"id": "m"}]), "is a cohort"),
        (packet(phenotypicFeatures=[], files=[{"uri": "a.vcf"}]), "but files"),
        ({"id": "v1", "phenotypicFeatures": [], "htsFiles": [{"htsFormat": "VCF"}]}, "of version 1"),
        ({"phenotypicFeatures": [{"type": {"id": "HP:0001250"}, "negated": False}]}, "of version 1"),
        ({"patient": {"id": "x", "features": []}}, "has no findings"),
        ({"patient": 7}, "has a patient that is no JSON object"),
        (packet(interpretations=[{"diagnosis": ["x"]}]), "has a “diagnosis” that is no JSON object"),
        ({"Phenotype": [], "RareDisease": ["OMIM:1"]}, "has no findings"),
        ({"id": "good", "present": ["HP:0001166"]}, "a case “good” was read before"),
    ],
)
def test_what_is_no_case_is_listed_and_the_rest_is_read(tmp_path: Path, value: object, reason: str) -> None:
    good = {"id": "good", "present": ["HP:0001250"]}
    found = read(written(tmp_path, "a.jsonl", good, "", value))
    assert [case.id for case in found.cases] == ["good"]
    assert [one.where for one in found.unread] == ["a.jsonl:3"]
    assert reason in found.unread[0].reason


def test_what_a_damaged_file_still_says_ends_at_its_first_fault_and_lines_are_read_each(
    tmp_path: Path,
) -> None:
    lines = ({"id": "good", "present": ["HP:0001250"]}, "{", "oops")
    for name, faults in (("a.json", ["a.json:2"]), ("a.jsonl", ["a.jsonl:2", "a.jsonl:3"])):
        found = read(written(tmp_path, name, *lines))
        assert ([case.id for case in found.cases], [one.where for one in found.unread]) == (["good"], faults)


def test_files_that_cannot_be_read_are_listed_beside_those_that_can(tmp_path: Path) -> None:
    written(tmp_path, "good.jsonl", {"id": "good", "present": ["HP:0001250"]})
    (tmp_path / "bytes.jsonl").write_bytes(b"\xff\xfe\xfd")
    (tmp_path / "folder.jsonl").mkdir()
    found = read(tmp_path)
    assert [case.id for case in found.cases] == ["good"]
    assert [(one.where, one.reason) for one in found.unread] == [
        ("bytes.jsonl", "is no text in UTF-8"),
        ("folder.jsonl", "cannot be read: Is a directory"),
    ]


def test_a_path_that_is_not_there_and_a_file_without_a_case_are_refused(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(CallError, match="not there"):
        read(tmp_path / "none.jsonl")
    with pytest.raises(NoCaseError, match="nests too deeply"):
        read(written(tmp_path, "a.json", "[" * 100_000))
    with pytest.raises(NoCaseError, match="No case could be read: a") as raised:
        read(written(tmp_path, "a.jsonl", "hello"))
    assert raised.value.exit_code == 1
    with pytest.raises(NoCaseError, match=r"a\.jsonl is empty"):
        read(written(tmp_path, "a.jsonl"))
    with pytest.raises(CallError, match="There is no"):
        read(tmp_path / "folder")
