"""An invented classification in the columns of WHO's files, small enough to be looked through."""

from __future__ import annotations

import zipfile
from pathlib import Path

_HEAD = (
    "Foundation URI", "Linearization URI", "Code", "BlockId", "Title", "ClassKind", "DepthInKind",
    "IsResidual",    "ChapterNo", "BrowserLink", "isLeaf", "Primary tabulation", "Grouping1",
)  # fmt: skip
# Depth, code or block, title, kind, residual, chapter.
CLASSES = (
    (0, "", "Diseases of the tail", "chapter", False, "01"),
    (1, "BlockL1-QA0", "Disorders of tail feathers", "block", False, "01"),
    (2, "QA00", "Plume rot", "category", False, "01"),
    (3, "QA00.0", "Acute plume rot", "category", False, "01"),
    (3, "QA00.1", "Chronic plume rot of the left fan", "category", False, "01"),
    (3, "QA00.Y", "Other specified plume rot", "category", True, "01"),
    (3, "QA00.Z", "Plume rot, unspecified", "category", True, "01"),
    (2, "QA01", "Feather haemorrhage", "category", False, "01"),
    (1, "QA0Z", "Diseases of the tail, unspecified", "category", True, "01"),
    (0, "", "Diseases of the beak", "chapter", False, "02"),
    (1, "QB10", "Beak fever", "category", False, "02"),
    (2, "QB10.0", "Beak fever with rattling", "category", False, "02"),
    (2, "QB10.Z", "Beak fever, unspecified", "category", True, "02"),
    (0, "", "Extension codes", "chapter", False, "X"),
    (1, "XQ1A", "Left wing", "category", False, "X"),
    (1, "XQ2B", "Severe plume", "category", False, "X"),
)
SPANISH = {"Plume rot": "Podredumbre de la pluma", "Beak fever": "Fiebre del pico"}
# ICD-10's code and title, and the category of ICD-11.
ONE = (
    ("Z90", "Rot of plumes", "QA00.Z"),
    ("Z90.0", "Sudden rot of plumes", "QA00.0"),
    ("Z91", "Pyrexia of the bill", "QB10.Z"),
    ("Z92", "Bleeding feather", "QA01"),
    ("Z93", "Things of tails", "BlockL1-QA0"),
)
MANY = (*ONE, ("Z91", "Pyrexia of the bill", "QB10.0"))
BACK = (
    ("", "Diseases of the tail", ""),
    ("QA00.0", "Acute plume rot", "Z90.0"),
    ("QB10.Z", "Beak fever, unspecified", "Z91"),
)
GEM = (
    ("1230", "Z900"),
    ("1231", "Z9012"),
    ("1231", "Z92"),
    ("1231", "Z92"),
    ("1231", "Z90"),
    ("9999", "NoDx"),
)


def tabulation(language: str = "en", *, version: str = "Version:2024 Jan 21 - 22:30 UTC") -> str:
    """WHO's simple tabulation, in another language with a column of English titles."""
    heads = list(_HEAD)
    if language != "en":
        heads.insert(4, "TitleEN")
    lines = ["\t".join([*heads, version])]
    for number, (depth, code, title, kind, residual, chapter) in enumerate(CLASSES):
        block = code if kind == "block" else ""
        titles = [title] if language == "en" else [title, SPANISH.get(title, f"{title} ({language})")]
        below = CLASSES[number + 1][0] > depth if number + 1 < len(CLASSES) else False
        lines.append(
            "\t".join(
                [
                    f"http://id.who.int/icd/entity/{number}",
                    f"http://id.who.int/icd/release/11/mms/{number}",
                    "" if kind == "block" else code,
                    block,
                    *(f'"{"- " * depth}{one}"' for one in titles),
                    kind,
                    "1",
                    str(residual),
                    chapter,
                    '"=hyperlink(""https://icd.who.int/browse11"",""browser"")"',
                    str(not below),
                    "True",
                    "",
                    "",
                ]
            )
        )
    return "\ufeff" + "\r\n".join(lines) + "\r\n"


def write_tables(folder: Path, *languages: str) -> list[Path]:
    """The tables as WHO packs them, its mapping.zip, and CMS's equivalences."""
    paths = []
    for language in languages or ("en",):
        name = f"SimpleTabulation-ICD-11-MMS-{language}"
        paths.append(folder / f"{name}.zip")
        with zipfile.ZipFile(paths[-1], "w") as archive:
            archive.writestr("readme.txt", "Foundation URI\t:what it is")
            archive.writestr(f"{name}.txt", tabulation(language))
    paths.append(folder / "mapping.zip")
    with zipfile.ZipFile(paths[-1], "w") as archive:
        archive.writestr("mapping/10To11MapToOneCategory.txt", _map(ONE, "10DepthInKind", "11DepthInKind"))
        archive.writestr("mapping/10To11MapToMultipleCategories.txt", _map(MANY, "Depth", "Depth"))
        archive.writestr("mapping/11To10MapToOneCategory.txt", _back())
    paths.append(folder / "icd9toicd10cmgem.csv")
    gem = '"icd9cm","icd10cm","flags","approximate","no_map","combination","scenario","choice_list"\n'
    paths[-1].write_text(gem + "".join(f'"{nine}","{ten}","00000",0,0,0,0,0\n' for nine, ten in GEM))
    return paths


def _map(rows: tuple[tuple[str, str, str], ...], ten: str, eleven: str) -> str:
    head = (
        f"10ClassKind\t{ten}\ticd10Code\ticd10Chapter\ticd10Title\t11ClassKind\t{eleven}\t"
        "ICD-11 FoundationURI\tLinearization (releaseURI)\ticd11Code\ticd11Chapter\ticd11Title\t2024-Jan-21"
    )
    titles = {code: title for _, code, title, *_ in CLASSES}
    said = [
        f"category\t1\t{code}\tI\t{title}\tcategory\t1\t\thttp://id.who.int/x\t{eleven}\t01\t{titles[eleven]}\t"
        for code, title, eleven in rows
    ]
    return "\r\n".join([head, *said]) + "\r\n"


def _back() -> str:
    head = (
        "Linearization (release) URI\ticd11Code\ticd11Chapter\ticd11Title\ticd10Code\ticd10Chapter\t"
        "icd10Title\t2024-Jan-21"
    )
    said = [f"http://id.who.int/x\t{code}\t01\t{title}\t{ten}\tI\tx\t" for code, title, ten in BACK]
    return "\r\n".join([head, *said]) + "\r\n"
