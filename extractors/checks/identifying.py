"""How dates, numbers and addresses that tell who somebody is are written, in many countries."""

from __future__ import annotations

from typing import Literal, TypeAlias

from extractors.checks.naming import CAPITAL, LARGE, NAMES, PARTICLE

Kind: TypeAlias = Literal["name", "date", "age", "record number", "telephone", "address", "e-mail", "link"]

# With a capital, or all in capitals.
_MONTHS = (
    r"(?i:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct"
    r"(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\.?"
)
_MONTH = rf"(?=[A-Z]){_MONTHS}"
# As others have them, who write them small.
_MOIS = (
    r"(?i:J(?:änner|anuari?|uni|uli)|Februari?|März|Mai|Mei|Oktober|De[sz]ember|August(?:us|i)?|Maart|Maj|"
    r"janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|enero|febrero|marzo|"
    r"abril|mayo|junio|julio|agosto|sep?tiembre|octubre|noviembre|diciembre|gennaio|febbraio|aprile|maggio|"
    r"giugno|luglio|settembre|ottobre|dicembre|janeiro|fevereiro|março|maio|junho|julho|setembro|outubro|"
    r"novembro|dezembro|stycznia|lutego|marca|kwietnia|maja|czerwca|lipca|sierpnia|września|października|"
    r"listopada|grudnia|Ocak|Şubat|Mart|Nisan|Mayıs|Haziran|Temmuz|Ağustos|Eylül|Ekim|Kasım|Aralık|ledna|"
    r"února|března|dubna|května|červ(?:na|ence)|srpna|září|října|prosince|[a-zäö]{4,6}kuuta|januára?|"
    r"februára?|március|április|május|június|július|augusztus|szeptember|október|janúar|febrúar|maí|júní|"
    r"júlí|ágúst|ianuarie|februarie|martie|aprilie|iunie|iulie|siječnja|veljače|ožujka|travnja|svibnja|"
    r"lipnja|srpnja|kolovoza|rujna|studenog|января|февраля|марта|апреля|мая|июня|июля|августа|сентября|"
    r"октября|ноября|декабря|Januari|Maret|Mac|Julai|Juli|Ogos|Agustus|Disember|Desember|[Α-Ω][ά-ώ]{2,9}ου|"
    r"січня|лютого|березня|квітня|травня|червня|липня|серпня|вересня|жовтня|листопада|грудня)"
)
_WEEKDAY = r"\b(?:(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?\.?,? )?"
_DAY = r"(?:0?[1-9]|[12]\d|3[01])"
_MONTH_NUMBER = r"(?:0?[1-9]|1[0-2])"
_YEAR = r"(?:1[89]\d\d|20\d\d)"
_NTH, _ORDINAL = r"(?:st|nd|rd|th)?", r"(?:st|nd|rd|th|er|[.º°ª])?"
_TO = r"(?: ?[-–/&] ?| to | and )"
_OF = r"(?:[ /.-]{0,2}| (?:day )?(?:of|de|den|di) )"
_IN_YEAR = rf"(?:(?:,? |[-/.,]?| del? | of ){_YEAR}\b|[-/ ]?['’]\d\d\b|[-/]\d\d\b|(?<=[A-Z])\d\d\b|(?![\w-]))"
_OLD = r"(?:9\d|1[01]\d)"
_STREET = (
    r"(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Boulevard|Blvd|Court|Ct|Close|Crescent|Circle|Place|"
    r"Square|Terrace|Trail|Way|Parkway|Pkwy|Highway|Hwy|Row|Gardens|Green|Grove|Hill|Walk|Mews|Quay|Parade|"
    r"Loop)"
)
_IN_STREET = rf"(?:{CAPITAL}|Jr\.|[A-Z]{{1,3}}|\d{{1,3}}(?:st|nd|rd|th))"
# What is numbered of a patient; what is registered or published otherwise is not his.
_RECORD = (
    r"(?:(?:med(?:ical)?|hosp(?:ital)?|patient|pt|clinic|health|national|driver['’]?s|member|device) )?(?:rec"
    r"(?:ord)?|registration|file|chart|case|unit|hosp(?:ital)?|patient|pt|identi(?:fication|ty)|admission|"
    r"accession|encounter|visit|episode|insurance|policy|account|acct|member(?:ship)?|specimen|"
    r"(?:surgical )?pathology|histology|cytology|autopsy|clinic|biopsy|laboratory|lab|sample|slide|passport|"
    r"licen[cs]e|certificate|beneficiary|medicare|medicaid|nhs|chi|social security|serial|pin)"
)
_NUMBER = r"(?:#|(?:numbers?|nos?|num|nr|id)(?!\w))"
_FIELD = (
    r"(?:accession|specimen|account|acct|file|chart|policy|passport|pin|medicare|medicaid|insurance|member|"
    r"(?:patient )?identifier|record)"
)
_CODE = r"[A-Z0-9]+(?:[-/:. ](?=[A-Z]{0,3}(?:\d|[-/]))[A-Z0-9]+)*"
_NOT_HIS = (
    r"(?:trial|study|protocol|approval|ethics|committee|irb|grant|fund|award|project|permit|catalog(?:ue)?|"
    r"cat|lot|batch|model|part|version|article|ref(?:erence)?|omim|mim|pmid|genbank|clone|cell|copy|"
    r"chromosome|variant|clinicaltrials|prospero|total|the|in|of|a)"
)
_PLACE = rf"(?:[{LARGE}\d][\w'’/-]*\.?|{PARTICLE}|des|dei|bis|of|[a-z]{{3,10}}[.]?(?= [{LARGE}]))"
_STATE = (
    "A[KLRZ]|C[AOT]|D[CE]|FL|G[AU]|HI|I[ADLN]|K[SY]|LA|M[ADEINOPST]|N[CDEHJMVY]|O[HKR]|P[ARW]|RI|S[CD]|"
    "T[NX]|UT|V[AIT]|W[AIVY]"
)
_LIVES = (
    r"(?:liv(?:es|ed|ing)|resid(?:es|ed|ing)|(?<!medical )(?<!surgical )resident|home|address(?: is| was| of|"
    r"\s?:)|wohnhaft|wohnt|lebt|Adresse|demeurant|domiciliée?|habitant|adresse|viv(?:e|ía)|domicilio|"
    r"dirección|[rR]/[oO]|[rR]esident of)"
)

_MAILS = (
    (
        r"(?<![\w.+-])[\w.+-]++(?:@[\w-]+(?:\.[\w-]+)+|(?i: ?[(\[]at[)\]] ?[\w-]+(?: ?(?:\.|"
        r"[(\[]dot[)\]]) ?[\w-]+)+| at (?:[\w-]+(?:\.| dot ))+(?:com|org|net|edu|gov|uk|de|fr|es|it|nl|in|br|"
        r"ch|eu|ca|au)\b))"
    ),
)
_LINKS = (
    # What is published or sold stands on pages, too, and says nothing of a patient.
    (
        r"(?i:(?<![(/])(?<!\( )\b(?:https?://|www\.)(?!(?:[\w-]+\.)*(?:gov|edu|int|ac\.\w\w|doi\.org|"
        r"github\.com|zenodo\.org|figshare\.com|frontiersin\.org|creativecommons\.org|plos\w*\.org|"
        r"elifesciences\.org|editage\.\w+|letpub\.com)\b)[\w-]+(?:\.[\w-]+)+[\w./?=&%~+-]*)"
    ),
    (r"(?i:\b(?:facebook|instagram|twitter|tiktok|linkedin|youtube|caringbridge|gofundme)\.com/[^\s)>,;]+)"),
    r"\b(?i:instagram|insta|twitter|tiktok|facebook|snapchat|handle):? (?P<it>@[\w.-]{3,})",
    r"(?<![\w.+/-])(?<![\w.+-] )@[A-Za-z]\w{3,}\b(?!\.\w|@)",
)
_RECORDS = (
    (
        rf"(?i:\b(?:MRN|S/?N|UHID|SSN|PID|VIN|{_RECORD}\.?\s?{_NUMBER}|{_FIELD}\s?:|NHS|CPR|NIR|"
        r"[IO]PD? (?:no\b|number)|ID\b(?!s))(?![a-z]))\.?\s*+(?:[a-z ]{0,20}?\b(?:is|was)\s++|[:#=]\s*+)?#?"
        rf"(?P<it>{_CODE})"
    ),
    (
        r"(?i:\b(?:(?:Fall|Pat(?:ienten|\.)|(?:Kranken|Sozial)?[Vv]ersicher(?:ten|ungs)|Akten|Aufnahme|"
        r"Histologie|KV|SV)-?(?:nummer|nr|id|zeichen)|(?:numéro|número|núm|n)[.°º]* (?:(?:de|du|d') ?)?"
        r"(?:la )?(?:dossier|patiente?|séjour|sécurité sociale|seguridad social|historia(?: clínica)?|"
        r"expediente|paciente)|(?:n[°º] )?(?:dossier|historia clínica|expediente|tarjeta sanitaria|SS|IPP|"
        r"NIP|NSS|NHC|NDA|DNI|NIE|NASS|CIP|CURP|NRIC|prontuário))\b)[ .]*(?:[nN](?:[°º]|[úar]*\.))?[ :#]*+"
        r"(?P<it>(?:[A-Z]{1,4}|\d [A-Z])?[-/ ]?\d(?:[ ./-]?\d){4,}(?:-?[A-Z])?)\b"
    ),
    # Whatever else has a number of at least four digits and one more, or a letter.
    (
        rf"(?i:\b(?=\D{{2,40}}\d)(?!{_NOT_HIS}\b)[a-zà-ÿ]{{2,}}\.?(?:\s?#|\s{_NUMBER}|[\s-]?(?:nr|nummer|"
        rf"zahl)(?!\w))\.?:?\s*+#?)(?P<it>(?=[a-zA-Z]?(?:[A-Z./ -]*\d){{4}}[A-Z./ -]*[A-Z\d])[a-z]?{_CODE})"
    ),
    # Acronyms and fields of forms before a long number.
    (
        r"\b(?:U?MRN|URN|CHI|Medicare|Medicaid|Aadhaar|FIN|CSN|HSN|NINO?|MR|HN|PHN|UR|EMPI|PPS|AHV|IHI|SIN|"
        r"BSN|CUIL|CPF|RUT|PESEL|Hosp|Pt)(?i: ?(?:#|no\b|number|id))?[.:]{0,2} ?(?P<it>[A-Z]{0,3}[ -]?\d"
        r"(?:[ ./-]?\d){4,}[A-Z]?)\b"
    ),
    (
        r"(?i:\b(?:soc(?:ial|\.)? ?sec(?:urity|\.)?|driv(?:er['’]?s?|ing) licen[cs]e|serial|(?:group|member|"
        r"subscriber|insurance|policy|claim|invoice|order|ticket|booking)(?: ?(?:id|no|number|#))?|slide|"
        r"block|specimen|biopsy|accession|passport|card|voucher|scheme)(?: ?(?:#|no\b|number|id\b))?"
        r"(?:[.:]{0,2}| is| was| reads) )(?P<it>(?=(?:[A-Z ./-]*\d){3})(?=[A-Z\d./-]*(?:[A-Z-]|\d{5}|"
        r" [A-Z\d]{3,}))[A-Z\d]+(?:[ ./-][A-Z\d]+)*)\b(?! ?(?:%|µ|[cmkd]?[glm]|IU|mmol|nmol|hours?|days?)\b)"
    ),
    (
        r"(?i:\b(?:(?:our|your|patient|hospital|case|booking) |(?=ref\w*[.:] ?[A-Z]{2}))ref(?:erence)?\.?(?: "
        r"(?:no|number)\.?)?:? )(?P<it>(?=[\w./-]*\d)[\w./-]+)"
    ),
    (
        r"(?i:\b(?:(?:licen[cs]e|number|registration) plate|(?:vehicle|car) registration)(?: ?(?:no|number|"
        r"mark))?(?:[.:]?| is| was) )(?P<it>[A-Z\d]+(?:[ -][A-Z\d]+){0,2})\b"
    ),
    # What states give their people, letters and digits by turns; the beginning left out.
    (
        r"\b(?=[A-Z\d]{10,18}\b)[A-Z]{4,6}\d{2,6}[A-Z](?:\d\d[A-Z]\d{3}[A-Z]|[A-Z]*\d\d?)?\b|\b"
        r"(?i:[x*]{3}-[x*]{2}-\d{4})\b"
    ),
    r"\b(?:\d{3} \d{3} \d{4}|\d{4} \d{3} \d{3}|(?:[A-Z]{2}\d\d )?(?:\d{4}[ -]){2,5}\d{2,4}|"
    r"[A-Z]{4} \d{4} \d{4}|\d{4} \d{5} \d)\b(?! ?\d)",
    r"\b[A-Z]{2,5}(?: (?i:no|number|id)\b\.?)?(?::| is| was) (?P<it>[A-Z]{1,4}-?\d{4,}[A-Z]?)\b",
    r"(?<![\w./-])[A-Z]{1,2}(?:-?\d\d|/\d{4})[-/]\d{3,7}\b",
    # As papers of people are numbered, and what laboratories were sent.
    r"(?<![\w./:-])(?P<bare>)[A-Z]{1,2}(?:\d{6,8}|\d{5,8}[A-Z])(?![\w-])",
    (
        r"(?i:\b(?:(?:case|patient|medical|hospital|clinical) (?:file|folder|chart|record)|registered as|"
        r"filed under|(?:patient|hospital|case|our) (?:reference|code)|NHC|NIF|DNI|IPP|prontuário|fall-?nr|"
        r"barcode|cytology|histology|slides?|specimens?|samples?)\b[.:#]? ?(?:n[o°º]?\.? ?|number ?)?:? ?#?)"
        r"(?P<it>(?=(?:[A-Z ./_-]*\d){4})[A-Z]{0,4}\d*(?:[ ./_-]?(?=[A-Z\d]*\d)[A-Z\d]+)*[A-Z]{0,2})\b(?! ?"
        r"(?:%|[cmkµ]?[glm]\b))"
    ),
)
_TELEPHONES = (
    (
        r"(?i:\b(?:t[eé]l(?:ephone|efon[eo]?|éphone|éfono)?|tfno|tlf|phone|mobile?|móvil|handy|portable|"
        r"rückfrag\w*|telefonnummer|joignable|cell|fax|pager|bleep|call(?:ed)?|contact(?:ed)?|dial|reached|"
        r"extension|ext|switchboard|landline|sms|text|whatsapp|hp(?!:\d)|cel|durchwahl|"
        r"kontakt)\b)[a-z ]{0,20}\.? ?:?\s*+(?P<it>\+?\(?\d(?:[ ()./-]{0,3}\d){6,}|(?<=ext\. )\d{3,5}\b)"
    ),
    (
        r"(?i:\b(?:pager|paged|bleep(?:ed)?|beeper|dect|extension|ext|int(?=\.)|durchwahl)\b(?: on| at|"
        r"[.:])? ?(?:(?:no|number)\.?:? ?)?)[-#]?(?P<it>\d{3,6})\b(?![.,]\d| ?%)"
    ),
    r"(?<![\w.+-])(?:1[ .-])?\(?\d{3}\)?[ ./-]\d{3}[ .-]\d{4}\b",
    r"(?<![\w.+-])(?:00\d{1,3}(?:[ -]\d{1,5}){2,5}|0\d{3,4} \d{5,6})\b",
    r"(?<![\w.])\+\d{1,3}[ .-]?(?:\(?\d{1,4}\)?[ ./-]{0,3}){1,2}(?:[ .-]?\d{2,4}){2,4}\b",
    (r"\b(?i:number|under|via|phones?) (?P<it>\d{3}(?: \d{3}){2}|\d{3}(?: \d\d){3})\b(?! ?[\d%])"),
    # Two groups or more behind a nought, nine digits or more.
    (
        r"(?<![\w.,+/-])(?=\(?0(?:[ ()./-]{0,3}\d){8,12}(?!\d))\(?0\d{1,4}\)?(?:[ ./-]{1,3}\d{2,8}){1,5}"
        r"(?![\w/-]|[.,]\d)"
    ),
    r"(?<![\w.,+/-])(?:0[1-9]\d{8}|0[1-9]\d{1,3}/\d{4,8}|[6-9]\d{4}[ -]\d{5})(?![\w/-]|\.\d)",
)
_DATES = (
    (
        rf"{_WEEKDAY}(?<![\d./-])(?:{_DAY}{_ORDINAL}{_TO})?{_DAY}{_ORDINAL}{_OF}(?:{_MONTH}|"
        rf"{_MOIS}){_IN_YEAR}"
    ),
    rf"(?:\b{_DAY}{_ORDINAL}{_OF}{_MONTHS}|\b{_MONTHS} {_DAY}{_NTH}),?[ -]{_YEAR}\b",
    (
        rf"{_WEEKDAY}(?:{_YEAR},?[ ./-]?)?{_MONTH},?[ /-]?(?:the )?{_DAY}{_NTH}(?:{_TO}{_DAY}{_NTH}"
        rf"(?! {_MONTH}))?(?:[,/]? ?{_YEAR}\b|[ -]['’]\d\d\b|-{_YEAR}\b|(?![\w/%-]|\.\d))"
    ),
    (
        rf"\b{_DAY}(?:([-/ ])|\. ?)(?i:jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec|ene|gen|fév|mär|mrz|mrt|"
        rf"avr|abr|mag|mai|may|giu|lug|juin|juil|aoû|ago|set|okt|ott|out|dic|dez|déc)\.?(?:[-/ ]?{_YEAR}|"
        rf"[-/]\d\d)\b"
    ),
    rf"\b(?<![./-]){_DAY}/{_MONTH_NUMBER}-\d\d(?![\d/-])",
    rf"\b{_YEAR} ?[年년] ?{_MONTH_NUMBER} ?[月월] ?{_DAY} ?[日일]",
    rf"(?<![\d.,/-])\b(?:0[1-9]|[12]\d|3[01]) (?:0[1-9]|1[0-2]) {_YEAR}\b(?! ?[-/|])",
    # "05/19": with a nought before it, it is no score.
    r"\b(?<![./-])0[1-9]/(?:0[1-9]|[12]\d|3[01])(?![\d/%-]|\.\d| ?mm)",
    (
        r"\b(?i:seen|admitted|discharged|reviewed|from|on|until|since|dated|and) (?P<it>(?:1[3-9]|2\d|3[01])/"
        r"(?:0?[1-9]|1[0-2]))(?![\d/%]|\.\d| ?mm)"
    ),
    rf"\b{_DAY}(?:\. ?|-)[IVX]{{1,4}}(?:\. ?|-){_YEAR}\b",
    rf"\b{_YEAR}\. {_MOIS} {_DAY}\b",
    rf"\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,? (?:the )?{_DAY}(?:st|nd|rd|th)\b",
    rf"\b{_YEAR}([-/.]){_MONTH_NUMBER}\1{_DAY}(?:\b|(?=T\d))(?![-/]|\.\d)",
    (
        rf"{_WEEKDAY}(?<![\d./-]){_DAY}( ?[-/.] ?){_DAY}\1(?:{_YEAR}|['’]?\d\d)(?![\d/-]|\.\d|\s*(?:mm|cm|"
        rf"kPa))"
    ),
    (
        rf"\b(?i:vom|am|seit|bis|ab|admitted|discharged|seen|until|on|by|dated?|visit|surgery|admission|"
        rf"discharge|birthday|since):? \(?(?P<it>{_DAY}\.{_MONTH_NUMBER}\.)(?!\d)"
    ),
    (
        rf"\b(?i:on|since|until|dated) (?P<it>{_MONTH_NUMBER}/(?![1-5]\b|10\b){_DAY})"
        r"(?= (?:was|were|he|she|they|the|and|with|for|at|showed|after|by|to|because|due)\b|[,.;)](?!\d))"
    ),
    (
        rf"\b(?:Christmas|Boxing|New Year['’]s|Thanksgiving|Easter|Halloween|Diwali|Eid|Ramadan|Good|"
        rf"St\.? {CAPITAL})(?: (?:Day|Eve|Sunday|Monday|Friday|Night))?(?:,? | of | in ){_YEAR}\b"
    ),
)
_AGES = (
    # The oldest are few.
    (
        rf"\b(?P<it>{_OLD})(?=[- ]year[s']*[- ](?:old|of[- ]age)|[- ]?(?:y\.?/?o\b|y(?:ea)?rs?[ -]old)|"
        r" years\)| ?/ ?[MF]\b|[MF] (?:with|who|admitted|brought|presenting)\b|(?:st|nd|rd|th) (?:birthday|"
        r"year\b(?! of [^l])))"
    ),
    (
        r"\b(?i:aged?(?:/sex)?(?: of| at death)?:?|turned|died at|[nyt] of(?= \d+ years| \d+[,.)])|"
        rf"(?:man|woman|lady) of|s?he is) (?P<it>{_OLD})\b(?!\.\d|[-–/%](?![MF]\b)| ?(?:days?|hours?|"
        r"weeks?|months?|mg|kg|[cm]m|[dhwm])\b)"
    ),
    rf"\b(?:(?:fe)?male|[MF]) ?/ ?(?P<it>{_OLD})\b(?![.%]\d)",
)
_ADDRESSES = (
    (
        rf"\b\d{{1,5}}[A-Za-z]?,? (?:(?:North|South|East|West|N|S|E|W)\.? )?"
        rf"(?:{_IN_STREET} ){{1,4}}{_STREET}\b\.?(?:,? (?:Apt|Apartment|Flat|Unit|Suite|No)\.? ?\w+)?"
    ),
    (
        rf"\b\d{{1,4}}(?: bis| ter)?,? (?:[Rr]ue|avenue|boulevard|bd\.?|place|chemin|allée|impasse|quai)(?: "
        rf"(?:{PARTICLE}|des|l['’]|d['’]))* ?(?:l['’]|d['’])?{CAPITAL}\b"
    ),
    # Whatever is said of where somebody lives.
    (
        rf"\b(?i:address|anschrift|(?:care|nursing) home|adresse|adres|domicilio|dirección|indirizzo|"
        rf"endereço|(?:lives|lived|living|resid(?:es|ing)|residence|resident|domiciled|found|stays|staying|"
        rf"door) at)(?: is)? ?:? (?=[^\n.;]*[A-ZÀ-Þ])(?P<it>[{LARGE}\d][\w'’/-]*\.?(?:,? {_PLACE})*)"
    ),
    (
        rf"\b(?i:lives|lived|living|moved|resid(?:es|ing)|home is|wohnhaft|woont) (?:in|to|at|on)? ?"
        rf"(?=[^\n.;]{{4,50}}\d)(?P<it>[A-ZÀ-Þ\d][\w'’./-]*(?:,? {_PLACE})+)"
    ),
    rf"(?<=, )(?!19|20|1000)\d{{4}} (?=\w{{4}}){CAPITAL}\b",
    rf"\b{_LIVES} in (?P<it>{CAPITAL}(?: {CAPITAL})?, (?:[A-Z]{{2}}\b|{CAPITAL}))",
    (r"\b(?:(?:Flat|Apt\.?|Apartment) ?\d+\w?|(?:H(?:ouse)?|Door|Plot)\.? ?[Nn]o\.? ?\d[\d/-]*\w?)"),
    (
        rf"(?i:\b(?:born in|native of|residents? of|village|hamlet|district|borough|tehsil) (?:of )?)"
        rf"(?!{_MONTH})(?P<it>{CAPITAL})"
    ),
    (
        r"\b(?i:bed|ward|room|bay|cubicle|zimmer|bett|station|chambre|lit|habitación|cama)(?: (?i:n(?:o|r|"
        r"umber)\b\.?))?:? (?P<it>(?:[A-Z]{1,2}-?)?\d{1,4}[A-Z]?(?: (?:North|South|East|West))?|[A-Z]\d?)\b"
        r"(?![.,]\d|[°%]| ?(?:°|am\b))"
    ),
    (
        rf"\b(?:[Oo]n|[Tt]o|[Ff]rom|[Oo]f|[Ii]n|Ward:) (?:[Ww]ard (?P<it>{CAPITAL})|{CAPITAL} [Ww]ard)\b|"
        rf"\bWard: (?P<ward>{CAPITAL})"
    ),
    # As South America, Turkey and India have them.
    (
        rf"\b(?:(?:Carrera|Cra\.?|Calle|Cl\.|Diagonal|Transversal) \d+[A-Z]? (?:#|No\.?) ?\d+[A-Z]?-\d+|"
        rf"{CAPITAL} (?:Caddesi|Cad\.|út|utca|tér|körút|[Pp]rospe[kc]t|ulica|ulice|Sokak|Sokağı|Mahallesi|"
        rf"Bulvarı)(?: (?:[Nn]o[.:]? ?)?\d+\b)?|"
        r"(?:House|Block|Plot|Villa|Flat|Lot) #?\w+, (?:Sector|Road|Street|Lane|Block|Phase) \w+)"
    ),
    rf"\b(?P<it>{CAPITAL}) (?:village|hamlet|(?:Care|Nursing|Residential) Home|Cottage|Farm|Lodge)\b",
    r"\b(?:\d+(?:-\d+)* )?[A-Z][a-z]+(?:-[A-Z][a-z]+)?-(?:ku|machi|cho|chome|gu|dong)\b|\b\d{1,3}(?:st|nd|rd|"
    r"th) (?:Street|Avenue)\b",
    r"\b(?:P\.? ?O\.? Box|Postfach|Rural Route) \d+",
    (
        rf"\b{CAPITAL}(?:(?:straße|strasse|gasse|weg|allee|platz)|[ -]?[Ss]tr\."
        r"|[ -](?:Straße|Platz|Allee|Weg|Ring|Gasse|Ufer)) \d+[a-z]?\b"
    ),
    (
        rf"\b{CAPITAL}(?:gracht|straat|laan|plein|kade|weg|gatan|gata|vägen|väg|vej|veien|gade|utca|utcája|"
        rf"tie|katu) \d+"
    ),
    rf"(?:(?<=, )|(?m:^)|(?<=\bin ))\d{{4}} [A-Z]{{2}},? {CAPITAL}\b",
    (
        r"(?<![\w.])(?<!ersion )(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]\d)"
        r"(?:\.(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){2}\.(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?![\w.]*\d)"
    ),
    # A postcode and its town: what stands before it keeps units and counts away.
    rf"(?:(?<=\bin )|(?<=\bà )|(?<=\d, )|(?<=\bD-))\d{{5}} (?=\w{{4}}){CAPITAL}\b",
    (
        rf"(?:(?<=[a-z], )|(?<=ode )|(?<=ode: )|(?<=\d[a-z], ))(?:\d{{5}} (?!Units)(?=\w{{3}}){CAPITAL}|"
        rf"{CAPITAL}(?: {CAPITAL})? [1-9]\d{{5}})\b"
    ),
    rf"\b(?:{CAPITAL}(?: {CAPITAL})?,? )?(?:{_STATE}),? \d{{5}}(?:-\d{{4}})?(?![\w/-]|[.,]\d)",
    (
        r"(?i:\b(?:zip(?: code)?|post(?:al)? ?code|PLZ|code postal|código postal|CEP|C\.P\.)(?!\w)[ :]*+)"
        r"(?P<it>(?:[A-Z]{2} )?(?=\w*\d)[A-Z\d][\w-]{2,9})"
    ),
    (
        rf"\b(?:Rue|[Vv]ia|Viale|Vicolo|Corso|Largo|Piazza|Piazzale|Calle|C/|Avenida|Avda\.|Av\.|Avenue|"
        rf"Carrera|Paseo|Plaza|Camino|Rua|R\.|Travessa|Alameda|Praça|Estrada|ul\.|ulica|al\.|os\.|Rambla|"
        rf"Carrer|Jalan|Jl\.) (?:(?:{PARTICLE}|dei|delle|des|of|\d\d?) )*(?:{CAPITAL}|[XVI]+)(?: "
        rf"(?:{PARTICLE} )?{CAPITAL}){{0,3}},? (?:n[°º]\.? ?|No\.? ?|nr\.? ?)?\d+\b"
    ),
    rf"\b(?:(?:Unter|An|Auf|In) de[nmr]|Am|Im|Zum|Zur|Hinter) {CAPITAL} \d{{1,3}}[a-z]?\b",
    r"\b[ABCEGHJ-NPRSTVXY]\d(?:[A-Z] \d[A-Z]\d|[\dW] (?=[A-Z\d]*\d)[A-Z][A-Z\d]{3})\b|\b[DFW]\d\d "
    r"(?=[A-Z\d]*\d)[A-Z][A-Z\d]{3}\b",
    r"\b[A-Z]{1,2}\d[A-Z\d]? \d[ABD-HJLNP-UW-Z]{2}\b",
)
_BARE = (
    # So long a number is neither a value nor a count; `identifiers` looks at what stands before it.
    (
        r"(?<![\w.,:/+=<>≥≤~^-])(?<![–−×x±])(?<!\d )(?:[A-Z]{1,4}[-/]?)?(?:(?=(?:[-/_]?\d){6})|(?<=[A-Z]-)"
        r"(?=\d{5}))(?P<bare>)\d+(?:[-/_]\d+)*[A-HJNP-TV-Z]?(?![\w–−/-]|[.,:]\d|[,.]? ?[-–×x/%±~]|\s*"
        r"(?:[mkµμnpfc]?(?:g|[lL]|m|mol|U|M|Hz|Da)|IU|mmHg|copies|cells|bp|kb|reads|platelets|per|people|"
        r"patients|individuals|births)\b)"
    ),
    (
        r"(?<=[a-z] )\d\d:\d{5,6}(?![\d:.-])|(?<![\w.-])(?:(?:\d\d|20\d\d)[A-Z]\d{5,}|\d{7,9}-?[A-Z]|\d{5,}"
        r"(?!IU|MG|ML|BP|KB|KD|DA)[A-Z]{2}|[A-Z]\d\d\.\d{5})(?![\w-]|\.\d)"
    ),
    (
        r"(?<![\w.,-])(?:\d{1,3}(?:\.\d{2,4}){2,3}-(?:\d{1,3}(?:\.\d\d)?|[kKxX])|\d{3}(?:\.\d{4}){2}\.\d\d|"
        r"\d{1,2}\.\d{3}\.(?!000)\d{3}|[12] (?:\d\d ){3}(?:\d{3} ){2}\d\d)(?![\w-]|\.\d)"
    ),
    # Letters and digits in groups, but no list of markers: "CD34/CD117".
    (
        r"(?<![\w.,:/+=<>≥≤~^-])(?!H\dN\d|[A-Z]\d+[A-Z]/|"
        r"(?:[A-Z]{0,4}\d{1,3}[A-Z]?[-/+])+[A-Z]{0,4}\d{1,3}[A-Z]?(?![\w/+-]))(?=(?:[A-Z/+-]*\d){5})"
        r"(?=[\d/+-]*[A-Z])(?P<bare>)[A-Z\d]+(?:[-/+][A-Z\d]+)+(?![\w-]|\.\d)"
    ),
)
PATTERNS: tuple[tuple[Kind, str], ...] = (
    *(("e-mail", one) for one in _MAILS),
    *(("link", one) for one in _LINKS),
    *(("record number", one) for one in _RECORDS),
    *(("telephone", one) for one in _TELEPHONES),
    *(("date", one) for one in _DATES),
    *(("age", one) for one in _AGES),
    *(("address", one) for one in _ADDRESSES),
    *(("record number", one) for one in _BARE),
    *(("name", one) for one in NAMES),
)
