"""A diagnosis in words is recognised by code, name, synonym, abbreviation, spelling or family."""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Callable

import pytest

from extractors.assets import asset
from extractors.differential.families import family_of
from extractors.differential.ranking import shipped_naming
from extractors.differential.spelling import Spelling, alike
from extractors.differential.wording import is_type, key_of, words_in

_NAMING = shipped_naming()


@pytest.mark.parametrize(
    ("text", "code", "by"),
    [
        ("OMIM 154700", "OMIM:154700", "code"),
        ("Fits (ORPHA:558)", "OMIM:154700", "code"),
        ("Marfan's syndrome", "OMIM:154700", "name"),
        ("MFS (Marfan syndrome)", "OMIM:154700", "synonym"),
        ("Morbus Wilson", "OMIM:277900", "name"),
        ("Síndrome de Marfan", "OMIM:154700", "name"),
        ("Dravet syndrome", "OMIM:607208", "name"),
        ("DiGeorge syndrome / 22q11.2 deletion syndrome", "OMIM:188400", "name"),
        ("Shprintzen / velocardiofacial syndrome", "OMIM:188400", "synonym"),
        ("CINCA/NOMID syndrome", "OMIM:607115", "name"),
        ("Leigh syndrome due to SURF1 deficiency", "OMIM:256000", "name"),
        ("Hemolytic anemia due to G6PD deficiency", "OMIM:300908", "synonym"),
        ("Hepatolenticular degeneration", "OMIM:277900", "synonym"),
        ("Anderson–Fabry disease", "OMIM:301500", "synonym"),
        ("GSD Ia", "OMIM:232200", "abbreviation"),
        ("GSD Ib", "OMIM:232200", None),
        ("Glycogen storage disease type 1", "OMIM:232200", "family"),
        ("Glycogen storage disease (Pompe disease)", "OMIM:232200", None),
        ("SCA-3", "OMIM:109150", "abbreviation"),
        ("Niemann-Pick disease type A", "OMIM:607616", None),
        ("Niemann-Pick disease", "OMIM:607616", "family"),
        ("Hyperkalemic periodic paralysis", "OMIM:170400", None),
        ("Usher syndrome (type IIC)", "OMIM:276901", None),
        ("Usher syndrome type 2", "OMIM:276901", "family"),
        ("Ehlers-Danlos syndrome, classic type", "OMIM:130050", None),
        ("Ehlers-Danlos syndrome", "OMIM:130050", "family"),
        ("Rendu-Osler-Weber disease", "OMIM:600376", "family"),
        ("Gaucher disease type 3", "OMIM:231005", None),
        ("Giant axonal neuropathy 1", "OMIM:610100", None),
        ("Marfann Syndrom", "OMIM:154700", "spelling"),
        ("Usher sydrome, type IC", "OMIM:276904", "spelling"),
        ("Usher sydrome, type IC", "OMIM:276901", None),
        ("Dyschromatosis symmetrica hereditaria 2", "OMIM:127400", None),
        ("Autosomal recessive deafness type 99", "OMIM:618481", "name"),
        ("Bardet-Biedl syndrome, type II", "OMIM:615981", "name"),
        ("BBS2", "OMIM:615981", "abbreviation"),
        ("Bardet-Biedl syndrome", "OMIM:615981", "family"),
        ("Bardet-Biedl syndrome 3", "OMIM:615981", None),
        ("Bardet-Biedle syndrome 3", "OMIM:615981", None),
        ("BBS3", "OMIM:615981", None),
        ("Marfan diseae", "OMIM:154700", "spelling"),
        ("Tuberous sclerosis1", "OMIM:613254", None),
        ("Biotinidase deficit", "OMIM:253260", "name"),
        ("Deafness, AR 99", "OMIM:618481", "abbreviation"),
        ("Autosomal recessive Alport syndrome", "OMIM:203780", "family"),
        ("XL Alport syndrome", "OMIM:203780", None),
        ("Scapuloperoneal myopathy", "OMIM:300695", "family"),
        ("Deafness, autosomal recessive", "OMIM:618481", "family"),
        ("Neonatal Marfan syndrome", "OMIM:154700", None),
        ("OMIM:600151", "OMIM:615981", None),
        ("Familial Mediterranean fever", "OMIM:249100", "name"),
        ("ADPKD1", "OMIM:613095", None),
        ("GALT deficiency", "OMIM:230200", None),
        ("facio-scapulo-humeral muscular dystrophy type 1", "OMIM:158900", "spelling"),
        ("Tuberous sclerosis complex type 2", "OMIM:613254", "name"),
        ("ODDD", "OMIM:164200", "abbreviation"),
        ("MOPD II", "OMIM:210720", "abbreviation"),
        ("MOPD II", "OMIM:210710", None),
        ("Duchenne MD", "OMIM:310200", "abbreviation"),
        ("PBC", "OMIM:109720", "abbreviation"),
        ("Mucopolysaccharidosis type I (Hurler syndrome)", "OMIM:607014", "name"),
        ("Glycogen storage disease (GSD Ib)", "OMIM:232200", None),
        ("CdLS", "OMIM:122470", "family"),
        ("Niemann-Pick disease type C", "OMIM:257220", "family"),
        ("Zellweger syndrome", "OMIM:214100", "name"),
        ("Cystinosis", "OMIM:219800", "family"),
        ("Hirschsprung disease", "OMIM:613870", None),
        ("Infantile-onset Pompe disease", "OMIM:232300", "family"),
        ("Late-onset Alzheimer disease", "OMIM:605055", None),
        ("Familial dilated cardiomyopathy", "OMIM:115200", "family"),
        ("Childhood absence epilepsy", "OMIM:607631", None),
        ("Autosomal recessive hypophosphatemic rickets", "OMIM:300554", None),
        ("Hypohidrotic ectodermal dysplasia", "OMIM:305100", "family"),
        ("22q11.2 deletion syndrome", "OMIM:188400", "synonym"),
        ("PTPN11-related Noonan syndrome", "OMIM:163950", "family"),
        ("Classical homocystinuria due to CBS deficiency", "OMIM:236200", "synonym"),
        ("Carbamoyl phosphate synthetase I deficiency", "OMIM:237300", "name"),
        ("DBH deficiency", "OMIM:223360", "name"),
        ("Bartter syndrome type I", "OMIM:601678", "name"),
        ("Bartter syndrome type I", "OMIM:241200", None),
        ("Glaucoma 3", "OMIM:231300", None),
        ("MCPH2", "OMIM:604317", "abbreviation"),
        ("MCPH5", "OMIM:604317", None),
        ("Neonatal intrahepatic cholestasis caused by citrin deficiency", "OMIM:605814", "name"),
        ("Hypogonadotropic hypogonadism 2", "OMIM:147950", "name"),
        ("GSD type IIIa", "OMIM:232400", "synonym"),
        ("Alzheimer disease 5b", "OMIM:602096", "family"),
        ("1p36 deletion syndrome", "OMIM:607872", "name"),
        ("Branchio-oto-renal dysplasia", "OMIM:113650", None),
        ("CAMT (less likely)", "OMIM:604498", "abbreviation"),
        ("Fabry disease (stage 2)", "OMIM:301500", "name"),
        ("Haw River syndrome", "OMIM:125370", "synonym"),
        ("Mucocutaneous lymph node syndrome", "ORPHA:2331", "synonym"),
        ("Teutschlaender disease", "OMIM:211900", "family"),
        ("XPV", "OMIM:278700", None),
        ("CHILD", "OMIM:308050", "abbreviation"),
        ("Progressive myoclonus epilepsy 9", "OMIM:616540", "synonym"),
        ("Charcot-Marie-Tooth disease type 2", "OMIM:302801", None),
        ("Charcot-Marie-Tooth neuropathy, X-linked 2", "OMIM:302801", "name"),
        ("Spinocerebellar ataxia type 27", "OMIM:618369", None),
        ("Autosomal recessive spinocerebellar ataxia 27", "OMIM:618369", "name"),
        ("Autosomal recessive spinocerebellar ataxia 34", "OMIM:133190", None),
        ("Autosomal recessive limb-girdle muscular dystrophy type 2A", "OMIM:253600", "synonym"),
        ("Familial spastic paraplegia 34", "OMIM:300750", "name"),
        ("SCAR24", "OMIM:617133", "abbreviation"),
        ("SCA24", "OMIM:617133", None),
        ("Familial hypercholesterolemia", "OMIM:603813", "family"),
        ("Severe combined immunodeficiency", "OMIM:300400", "family"),
        ("MPSVII", "OMIM:253220", "abbreviation"),
        ("CDG type In", "OMIM:612015", "abbreviation"),
        ("Congenital disorder of glycosylation", "OMIM:612015", "family"),
        ("Shprintzen-Goldberg syndrome", "OMIM:182212", "name"),
        ("Goldberg-Shprintzen syndrome", "OMIM:182212", None),
        ("Noonan syndrome due to PTPN11", "OMIM:163950", "family"),
        ("DM2 / PROMM", "OMIM:602668", "synonym"),
        ("Infantile Tay-Sachs disease", "OMIM:272800", "family"),
        ("Mucolipidosis III", "OMIM:252600", "family"),
        ("Pfeiffer syndrome type 2", "OMIM:101600", "family"),
        ("TSC2-related tuberous sclerosis", "OMIM:613254", "family"),
        ("TSC2-related tuberous sclerosis", "OMIM:191100", None),
        ("Noonan syndrome (SOS1)", "OMIM:163950", None),
        ("Pulmonary hypertension (PAH)", "OMIM:178600", "family"),
        ("KCNQ2 encephalopathy", "OMIM:613720", "family"),
        ("KCNQ2 encephalopathy", "OMIM:612164", None),
        ("KCNQ2 encephalopathy", "OMIM:260970", None),
        ("NGLY1-related disorder", "OMIM:615273", "family"),
        ("NGLY1-related disorder", "OMIM:260970", None),
        ("ABCA3 deficiency", "OMIM:610921", "family"),
        ("Congenital hyperinsulinism (ABCC8)", "OMIM:256450", "synonym"),
        ("Congenital hyperinsulinism (ABCC8)", "OMIM:601820", None),
        ("Charcot-Marie-Tooth disease type 2A", "OMIM:609260", "family"),
        ("PTPN11-related disorder", "OMIM:163950", None),
        ("EB simplex, Dowling-Meara type", "OMIM:131760", "abbreviation"),
        ("CFS", "OMIM:219700", None),
        ("Silicosis", "OMIM:256550", None),
        ("Gliosarcoma", "ORPHA:69078", None),
        ("No", "OMIM:615981", None),
        ("", "OMIM:615981", None),
    ],
)
def test_a_name_stands_for_its_disease_and_for_no_sibling(text: str, code: str, by: str | None) -> None:
    wanted = [_NAMING.diseases.numbers[code]]
    found = _NAMING.match(text, wanted)
    assert (found and found.by) == by
    assert found is None or found.disease in wanted


def test_without_an_index_a_text_is_the_name_that_it_is_nearest_to_unless_another_is_nearer() -> None:
    names = ("Fabry disease", "Cerebrotendinous xanthomatosis")
    told = ("fabry diseases", "Cerebrotendinous xantomatosis", "Farby disease", "")
    assert [alike(one, names) for one in told] == ["name", "spelling", "", ""]
    assert alike("Fabry disease", ()) == ""
    assert alike("Marfan syndrome 2", ("Marfan syndrome 3",), ("Marfan syndrome 2", "Gout")) == ""
    assert alike("Fabry disease", names, names) == "name", "what is wanted is no other"


@pytest.mark.parametrize(("word", "told"), [("a", True), ("2", True), ("2a", True), ("ab", False)])
def test_a_type_is_told_by_one_letter_or_a_number(word: str, told: bool) -> None:
    assert is_type(word) is told


def test_letters_that_fit_many_names_name_none_of_all_diseases() -> None:
    one = _NAMING.diseases.numbers["OMIM:164200"]
    assert _NAMING.match("ODDD", range(one - 30, one + 30)) is None


def test_every_code_of_the_list_of_names_is_one_of_the_index() -> None:
    path = asset("resources", "terminology", "disease_names.toml")
    known = tomllib.loads(path.read_text(encoding="utf-8"))["names"]
    assert not [code for code in known if code not in _NAMING.diseases.numbers]


_ROMAN = "I II III IV V VI VII VIII IX X XI XII XIII XIV XV XVI XVII XVIII XIX XX XXI XXII XXIII".split()


def _roman(name: str, _: random.Random) -> str:
    return re.sub(
        r"(?<=[a-z] )(\d|1[0-5])([A-H]?)$", lambda found: _ROMAN[int(found[1]) - 1] + found[2], name
    )


def _arabic(name: str, _: random.Random) -> str:
    return re.sub(
        r"\b([IVX]+)([A-H]?)$", lambda found: f"{_ROMAN.index(found[1]) + 1}{found[2].lower()}", name
    )


def _misspelt(name: str, chance: random.Random) -> str:
    words = list(re.finditer(r"[A-Za-z]{6,}", name))
    if not words:
        return name
    word = chance.choice(words)
    at = chance.randrange(word.start() + 1, word.end() - 2)
    slips = (name[at + 1 :], name[at + 1] + name[at] + name[at + 2 :], name[at] + name[at:])
    return name[:at] + chance.choice(slips)


def _turned(name: str, _: random.Random) -> str:
    return " ".join(reversed(name.split(", "))) if name.count(", ") == 1 else name


_VARIANTS: tuple[Callable[[str, random.Random], str], ...] = (
    _roman,
    _arabic,
    _misspelt,
    _turned,
    lambda name, _: re.sub(r" (\d+[A-Z]?)$", r" type \1", name),
    lambda name, _: re.sub(r"^([A-Z][a-z]+) (disease|syndrome)", r"\1's \2", name),
    lambda name, _: name.replace("emia", "aemia").replace("hemo", "haemo").replace("tumor", "tumour"),
    lambda name, _: name.lower().replace("-", " "),
    lambda name, _: f"{name} due to an FBN1 variant",
)


def test_97_of_100_variants_of_names_are_taken_for_their_disease() -> None:
    chance, diseases = random.Random(11), _NAMING.diseases
    right = every = 0
    for number in chance.sample(range(len(diseases)), 500):
        name = chance.choice([diseases.names[number], *diseases.other_names[number]])
        for variant in {vary(name, chance) for vary in _VARIANTS} - {name}:
            found = _NAMING.match(variant, [number])
            right += found is not None and found.by != "family"
            every += 1
    assert every > 1000
    assert right >= 0.97 * every


def test_no_variant_of_a_siblings_name_is_taken_for_a_disease() -> None:
    chance, diseases = random.Random(5), _NAMING.diseases
    families: dict[str, list[int]] = {}
    for number, name in enumerate(diseases.names):
        if (family := family_of(name)) not in ("", name.lower()):
            families.setdefault(family, []).append(number)
    keys = [key_of(words_in(name)) for name in diseases.names]
    taken = []
    for members in chance.sample([one for one in families.values() if len(one) > 1], 300):
        one, other = chance.sample(members, 2)
        # A group that has a number of its own (type 2) is above its members (2A), and no sibling.
        if keys[one] == keys[other] or not any(code.startswith("OMIM") for code in diseases.codes[other]):
            continue
        for vary in _VARIANTS:
            said = vary(diseases.names[other], chance)
            if (found := _NAMING.match(said, [one])) is not None:
                taken.append((said, diseases.names[one], found.by))
    assert not taken


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("cystinois", [(1, "cystinosis")]),
        # Long words may have two slips where they begin alike, short ones one.
        ("achondroplsaai", [(2, "achondroplasia")]),
        ("schondroplasai", []),
        ("fibrxsiz", []),
        ("fibrosi", [(1, "fibrosis")]),
        ("gotu", []),
    ],
)
def test_how_many_slips_a_word_may_have_goes_by_its_length(word: str, meant: list[tuple[int, str]]) -> None:
    spelling = Spelling([(name,) for name in ("achondroplasia", "cystinosis", "fibrosis", "gout")] * 2)
    assert spelling.corrected((word,)) == [(slips, (one,)) for slips, one in meant]


@pytest.mark.parametrize("name", ["Fragile X", "X-linked ichthyosis", "Factor X deficiency", "Tetrasomy X"])
def test_a_chromosome_and_a_factor_are_no_ten(name: str) -> None:
    assert "x" in words_in(name)


@pytest.mark.parametrize("name", ["Glycogen storage disease X", "Collagen type X defect"])
def test_the_tenth_is_a_ten(name: str) -> None:
    assert "10" in words_in(name)
