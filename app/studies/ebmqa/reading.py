"""Evidence read from phenotype.hpoa, ORPHApackets, a table of one's own and the project's gold."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from app.studies.ebmqa.edges import CLASSES, RATIOS, TYPES, Edge, Evidence, counted_edge
from app.studies.lines import files_in, source_of
from app.tables import read_csv
from extractors.evidence.hpoa import read_hpoa
from extractors.evidence.orphapackets import PREVALENCES, read_orphapackets
from extractors.model.errors import FormatError
from extractors.terminology.hierarchy import descendants

if TYPE_CHECKING:
    from app.studies.ebmqa.terms import Terms
    from app.studies.study import Reports

SEXES = {"MALE": "males", "FEMALE": "females"}
_ONSET = "HP:0003674"
_HPO_LICENCE = "Human Phenotype Ontology's own: free, with acknowledgement and version, unaltered"
_ORPHANET_LICENCE = "CC BY 4.0, (c) Orphanet (INSERM)"
_COLUMNS = ("source", "relation", "target", "background", "min", "max", "mid", "n", "m", "reference")
_KINDS = {"Point prevalence": ("prevalence", ""), "Prevalence at birth": ("prevalence", "at birth"),
          "Annual incidence": ("incidence", "")}  # fmt: skip


def add_hpoa(evidence: Evidence, path: Path, terms: Terms) -> None:
    """How often findings are met in diseases, and when these begin; raises FormatError for another file."""
    read = read_hpoa(path)
    for reason, number in read.unread.items():
        evidence.left_out[f"hpoa: {reason}"] += number
    for line, reason in read.faulty:
        evidence.faulty.append({"file": path.name, "line": line, "reason": reason})
    known = terms.terminology.row
    file, left, names = len(evidence.sources), evidence.left_out, evidence.names
    onset = known(_ONSET)
    below = () if onset is None else descendants(terms.terminology, onset)
    onsets = {terms.terminology.codes[row] for row in below if row != onset}
    for row in read.rows:
        names.setdefault(row.disease, row.name)
        finding = terms.finding(row.term)
        if row.aspect == "C" and row.term in onsets and row.raw_frequency and not row.denied:
            if row.raw_frequency != "HP:0040285":
                what = ("semantic", row.disease, row.term, "")
                evidence.onsets.append(_hpoa_edge(row.raw_frequency, what, row.references, file))
        elif finding is None and terms.terminology.current(row.term) is None and known(row.term) is None:
            left["an unknown term"] += 1
            evidence.faulty.append(
                {"file": path.name, "line": row.line, "reason": f"an unknown term ({row.term})"}
            )
        elif finding is None or row.aspect != "P":
            left["no phenotypic finding in use (course, inheritance, obsolete)"] += 1
        elif row.denied or row.raw_frequency == "HP:0040285":
            evidence.denied.add((row.disease, finding))
            left["the finding is denied"] += 1
        elif not row.raw_frequency:
            left["no frequency is given"] += 1
        else:
            what = ("sensitivity", row.disease, finding, f"sex:{row.sex}" if row.sex in SEXES else "")
            evidence.edges.append(_hpoa_edge(row.raw_frequency, what, row.references, file))
    evidence.sources.append(source_of(path.name, [path], _HPO_LICENCE, len(read.rows), read.release))


def _hpoa_edge(words: str, what: tuple[str, str, str, str], references: tuple[str, ...], file: int) -> Edge:
    """Of a frequency as the reader of the file lets it pass: one of the classes, a percentage or a count."""
    if words in CLASSES:
        low, high = CLASSES[words]
        return Edge(*what, low, high, (low + high) / 2, references=references, file=file)
    if words.endswith("%"):
        share = Fraction(words[:-1].strip()) / 100
        return Edge(*what, None, None, share, references=references, kind="percent", file=file)
    part, _, whole = words.partition("/")
    return counted_edge(what, int(part), int(whole), references, file)


def add_orphanet(evidence: Evidence, folder: Path, terms: Terms) -> list[tuple[str, str]]:
    """Prevalence and incidence by place, findings of diseases that have none yet; the exact references."""
    packets = list(read_orphapackets(folder, evidence.left_out))
    file, left, rows = len(evidence.sources), evidence.left_out, 0
    there = {(edge.source, edge.target) for edge in evidence.edges}
    for packet in packets:
        evidence.names.setdefault(packet.code, packet.name)
        reference = (packet.code,)
        for statement in packet.statements:
            rows += 1
            kind = _KINDS.get(statement.kind)
            if kind is None or statement.of_class not in PREVALENCES or not statement.place:
                left["Orphanet: no class, no place, or cases and families"] += 1
                continue
            part, whole, of = PREVALENCES[statement.of_class]
            low, high = Fraction(part, of), Fraction(whole, of)
            mean = Fraction(statement.mean) / 100_000 if statement.mean else None
            mid = mean if mean is not None and low <= mean <= high else (low + high) / 2
            place = ", ".join(filter(None, (statement.place, kind[1])))
            evidence.names.setdefault(f"place:{place}", place)
            what = (kind[0], packet.code, "", f"place:{place}")
            references = (*reference, *filter(None, (statement.source,)))
            evidence.edges.append(Edge(*what, low, high, mid, references=references, file=file))
        for term, of_class in packet.findings:
            rows += 1
            finding = terms.finding(term)
            if of_class == "HP:0040285" and finding is not None:
                evidence.denied.add((packet.code, finding))
            elif finding is None or of_class not in CLASSES:
                left["Orphanet: no finding in use, or no frequency"] += 1
            elif any((code, finding) in there for code in (packet.code, *packet.omim)):
                left["Orphanet: the HPO file has a frequency already"] += 1
            else:
                what = ("sensitivity", packet.code, finding, "")
                evidence.edges.append(_hpoa_edge(of_class, what, reference, file))
    version = next((packet.version for packet in packets if packet.version), "")
    evidence.sources.append(source_of(folder.name, files_in(folder), _ORPHANET_LICENCE, rows, version))
    return [(packet.code, code) for packet in packets for code in packet.omim if len(packet.omim) == 1]


def add_table(evidence: Evidence, path: Path, terms: Terms) -> None:
    """Edges of a CSV of one's own; rows that say nothing possible are counted by reason."""
    rows, file = read_csv(path, ("source", "relation")), len(evidence.sources)
    for line, row in enumerate(rows, start=2):
        cells = {name: " ".join(row.get(name, "").split()) for name in _COLUMNS}
        try:
            cells |= {name: _in_use(terms, cells[name]) for name in ("source", "target", "background")}
            evidence.edges.append(_own_edge(cells, file))
        except (ValueError, ZeroDivisionError) as error:
            reason = str(error) if isinstance(error, _Reason) else "a number that is none"
            evidence.left_out[f"{path.name}: {reason}"] += 1
            evidence.faulty.append({"file": path.name, "line": line, "reason": reason})
            continue
        for name in ("source", "target", "background"):
            evidence.names.setdefault(cells[name], terms.label(cells[name]))
    evidence.sources.append(source_of(path.name, [path], "the user's own", len(rows)))


class _Reason(ValueError):
    pass


def _in_use(terms: Terms, words: str) -> str:
    """A term's code as it is now, other words as they are; raises _Reason for a term that there is not."""
    if not words.upper().startswith("HP:"):
        return words
    if (code := terms.terminology.current(words.upper())) is None:
        raise _Reason(f"an unknown term ({words})")
    return code


def _own_edge(cells: Mapping[str, str], file: int) -> Edge:
    """Raises _Reason, or ValueError for a number that is none."""
    kind = cells["relation"].casefold().replace(" ", "_")
    if kind not in TYPES or kind == "semantic":
        raise _Reason(f"an unknown relation ({cells['relation'] or 'none'})")
    if not cells["source"] or not (cells["target"] or kind in ("prevalence", "incidence")):
        raise _Reason("no source or no target")
    what = (kind, cells["source"], cells["target"], cells["background"])
    references = tuple(filter(None, (one.strip() for one in cells["reference"].split(";"))))
    if cells["n"] or cells["m"]:
        if kind in RATIOS:
            raise _Reason("a count where a ratio is wanted")
        n, m = int(cells["n"] or 0), int(cells["m"] or 0)
        if m <= 0:
            raise _Reason("m is 0")
        if not 0 <= n <= m:
            raise _Reason("n is more than m")
        return counted_edge(what, n, m, references, file)
    low, high = (Fraction(cells[name]) if cells[name] else None for name in ("min", "max"))
    if cells["mid"]:
        mid = Fraction(cells["mid"])
    elif low is not None and high is not None:
        mid = (low + high) / 2
    else:
        raise _Reason("neither min and max, nor mid, nor n and m")
    ends = [one for one in (low, mid, high) if one is not None]
    top = None if kind in RATIOS else 1
    if ends != sorted(ends) or ends[0] < 0 or (top is not None and ends[-1] > top):
        raise _Reason("min, mid and max are out of order or range")
    interval = low is not None and high is not None
    kind_of = "own" if interval else "percent"
    return Edge(*what, low if interval else None, high if interval else None, mid, None, None, references,
                kind_of, file)  # fmt: skip


def add_gold(evidence: Evidence, reports: Reports, annotator: str) -> None:
    """In how many of the reports looked through for a category a finding of it stands (association).

    Raises FormatError where the annotator has marked nothing.
    """
    found: dict[tuple[str, str], set[str]] = {}
    done: dict[str, set[str]] = {}
    for key, categories in reports.looked(annotator).items():
        for category in categories:
            done.setdefault(category, set()).add(key)
    for key, findings in reports.findings(annotator).items():
        for one in findings:
            if one.category and one.polarity == "present":
                done.setdefault(one.category, set()).add(key)
                found.setdefault((one.category, " ".join(one.quote.casefold().split())), set()).add(key)
    if not found:
        raise FormatError(f"{annotator} has marked no finding in this project that could be evidence.")
    file = len(evidence.sources)
    for (category, quote), keys in sorted(found.items()):
        n, m = len(keys), len(done[category])
        evidence.names |= {f"gold:{category}": f"case reports of this project ({category})", quote: quote}
        evidence.edges.append(counted_edge(("association", f"gold:{category}", quote, ""), n, m, (), file))
    about = {"file": f"gold of {annotator}", "version": "", "sha256": "", "licence": "the project's own"}
    evidence.sources.append({**about, "rows": len(found)})
