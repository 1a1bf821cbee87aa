"""How what may tell who somebody is, is written: forms and letters in English, German, French and Spanish."""

from __future__ import annotations

from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["name", "date", "record number", "telephone", "address", "e-mail", "link"]

# With a capital, or all in capitals.
_MONTH = (
    r"(?=[A-Z])(?i:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|"
    r"Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\.?"
)
# As German, French and Spanish have them.
_MOIS = (
    r"(?i:J(?:anuar|änner|uni|uli)|Februar|März|Mai|Oktober|Dezember|janvier|février|mars|avril|juin|"
    r"juillet|août|septembre|octobre|novembre|décembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|"
    r"sep?tiembre|octubre|noviembre|diciembre|August|April|September|November)"
)
_DAY = r"(?:0?[1-9]|[12]\d|3[01])"
_MONTH_NUMBER = r"(?:0?[1-9]|1[0-2])"
_YEAR = r"(?:1[89]\d\d|20\d\d)"
# One or more words with a capital, particles between, an initial before, a double name.
CAPITAL = r"[A-ZÀ-ÞĀ-ſ][a-zß-ſ'’]+(?:[A-Z][a-z]+)?(?:-[A-ZÀ-ÞĀ-ſ][a-zß-ſ]+|-[a-z]{2,3}\b){0,3}"
PARTICLE = (
    r"(?:van der|van den|van|von|zu|ten|ter|St\.|de la|de|del|della|di|da|dos|du|la|le|el|al|bin|"
    r"Le|La|Ní|Ó|O'|Mc|Mac)"
)
_NAMED = (
    rf"(?:[A-Z](?:\.[ ]?|[ ])){{0,2}}(?:{PARTICLE} ){{0,2}}{CAPITAL}"
    rf"(?:(?: {PARTICLE}){{0,2}} (?:[A-Z]\.[ ]?)?{CAPITAL}){{0,2}}"
)
# As forms have it: the family name first, or all in capitals.
CAPITALS = r"[A-ZÀ-Þ][A-ZÀ-Þ'’-]+"
_INITIALS = r"(?:[A-Z]\. ?){2,3}"
_WRITTEN = rf"(?:{CAPITALS}(?:,? (?:{CAPITAL}|{CAPITALS}|[A-Z]\.))*(?![a-z])|{CAPITAL}, {CAPITAL}|{_NAMED})"
_TITLE = (
    r"(?:Mrs?|Ms|Miss|Mx|Messrs|Dr[as]?|Prof(?:essor)?|Doctor|Sister|Nurse|Sir|Dame|Master|Rev|Capt(?:ain)?|"
    r"Sgt|Lt|RN|EMT|Mdm|Madam|A/Prof|Shri|Sri|Smt|Kum|Herrn?|Frau|Schwester|Pfleger|"
    r"(?:Ober|Chef)(?:arzt|ärztin)|Kolleg(?:e|in)|Señora?|Sra?|Srta|Don|D(?:oñ|ñ)a|"
    r"D\.ª|[Dd]octora|Mme|Mlle|Monsieur|Madame|Mademoiselle|[Dd]octeur|[Pp]rofesseur|Pr|Hr|(?<!\d )Fr(?=\.))"
)
_ROLE = (
    r"(?:GP|PCP|general practitioner|informant|(?:health ?care )?proxy|attorney|attendant|caregiver|"
    r"NOK(?: [a-z]+)?|(?:family|emergency) contact|social worker|translator|teacher|correspondence|"
    r"operated by|ana?esthesia|Betreuer(?:in)?|Haus(?:arzt|ärztin)|Ansprechpartner(?:in)?|"
    r"\w+ologist|\w+(?:iatrist|ician)|surgeon|physician|attending|consultant|"
    r"registrar|resident|provider|doctor|referrer|guardian|carer|kin|contact|employer|interpreter|witness)"
)
_SAID_BY = (
    r"(?:(?:dictated|transcribed|typed|electronically signed|signed)(?: by| electronically(?: by)?)|"
    r"(?:authenticated|verified|authori[sz]ed|approved|referred|reviewed|reported|seen|examined|signed)"
    r"(?: by)?(?=\s*:)|(?:reviewed|reported|referred|seen|authori[sz]ed) by(?=[^\n]{3,40}?,? M\.?D))"
)
_CLOSING = (
    r"(?:sincerely|regards|wishes|faithfully|truly|respectfully|thanks|gratefully|best|cheers|warmly|"
    r"signed|submitted|Grüßen?|cordialement|saludos|atentamente|yours)(?: yours)?[,!]?\s{1,4}"
)
_AGED = r"an? (?:\d{1,3}|[a-z]+)[- ](?:day|week|month|year)"
_DEGREES = r"(?:\(?(?:Dr|Prof|med|dent|rer|nat|univ|habil|h\.c|Ing)\.\)? ?)*"
_RELATIVE = (
    r"(?:wife|husband|spouse|partner|mother|father|son|daughter|sister|brother|aunt|uncle|niece|nephew|carer|"
    r"guardian|cousin|grand(?:mother|father|son|daughter)|step(?:mother|father|son|daughter)|fianc[ée]e?|"
    r"(?:boy|girl)?friend|neighbou?r|midwife|mum|mom|mam|dad|maid|helper|"
    r"Ehe(?:frau|mann)|Mutter|Vater|Tochter|Sohn|Schwester|Bruder|"
    r"Lebensgefährt(?:e|in)|esposa|esposo|marido|mujer|madre|padre|hij[ao]|herman[ao]|"
    r"épouse|époux|mari|femme|fille|fils|mère|père)"
)
_STREET = (
    r"(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Boulevard|Blvd|Court|Ct|Close|Crescent|Circle|Place|"
    r"Square|Terrace|Trail|Way|Parkway|Pkwy|Highway|Hwy|Row|Gardens|Green|Grove|Hill|Walk|Mews|Quay|Parade|"
    r"Loop)"
)
_IN_STREET = rf"(?:{CAPITAL}|Jr\.|[A-Z]{{1,3}}|\d{{1,3}}(?:st|nd|rd|th))"
# What is numbered of a patient; what is registered or published otherwise is not his.
_RECORD = (
    r"(?:(?:med(?:ical)?|hosp(?:ital)?|patient|pt|clinic|health|national|driver['’]?s|member|device) )?"
    r"(?:rec(?:ord)?|registration|file|chart|case|unit|hosp(?:ital)?|patient|pt|identi(?:fication|ty)|"
    r"admission|accession|encounter|visit|episode|insurance|policy|account|acct|member(?:ship)?|specimen|"
    r"(?:surgical )?pathology|histology|cytology|autopsy|clinic|biopsy|laboratory|lab|sample|slide|"
    r"passport|licen[cs]e|certificate|beneficiary|medicare|medicaid|nhs|chi|social security|serial|pin)"
)
_NUMBER = r"(?:#|(?:numbers?|nos?|num|nr|id)(?!\w))"
_FIELD = (
    r"(?:accession|specimen|account|acct|file|chart|policy|passport|pin|medicare|medicaid|insurance|member|"
    r"(?:patient )?identifier|record)"
)
_CODE = r"[A-Z0-9]+(?:[-/:. ](?=[A-Z]{0,3}(?:\d|[-/]))[A-Z0-9]+)*"
_NOT_HIS = (
    r"(?:trial|study|protocol|approval|ethics|committee|irb|grant|fund|award|project|permit|"
    r"catalog(?:ue)?|cat|lot|"
    r"batch|model|part|version|article|ref(?:erence)?|omim|mim|pmid|genbank|clone|cell|copy|chromosome|"
    r"variant|clinicaltrials|prospero|total|the|in|of|a)"
)
_LIVES = (
    r"(?:liv(?:es|ed|ing)|resid(?:es|ed|ing)|(?<!medical )(?<!surgical )resident|home|"
    r"address(?: is| was| of|\s?:)|wohnhaft|wohnt|lebt|Adresse|demeurant|domiciliée?|habitant|adresse|"
    r"viv(?:e|ía)|domicilio|dirección|[rR]/[oO]|[rR]esident of)"
)

PATTERNS: tuple[tuple[Kind, str], ...] = (
    ("e-mail", r"(?i:\b[\w.+-]{1,64} ?[(\[]at[)\]] ?[\w-]+(?: ?(?:\.|[(\[]dot[)\]]) ?[\w-]+)+)"),
    ("e-mail", r"(?<![\w.+-])[\w.+-]++@[\w-]+(?:\.[\w-]+)+"),
    # What is published or sold stands on pages, too, and says nothing of a patient.
    (
        "link",
        r"(?i:(?<![(/])(?<!\( )\b(?:https?://|www\.)(?!(?:[\w-]+\.)*(?:gov|edu|int|ac\.\w\w|doi\.org|"
        r"github\.com|zenodo\.org|figshare\.com|"
        r"frontiersin\.org|creativecommons\.org|plos\w*\.org|elifesciences\.org|editage\.\w+|letpub\.com)\b)"
        r"[\w-]+(?:\.[\w-]+)+[\w./?=&%~+-]*)",
    ),
    (
        "link",
        r"(?i:\b(?:facebook|instagram|twitter|tiktok|linkedin|youtube|caringbridge|gofundme)\.com/[^\s)>,;]+)",
    ),
    ("link", r"(?i:\b(?:twitter|instagram|tiktok|handle|account|user ?name|on x)\b[ :]{1,2})(?P<it>@\w{3,})"),
    (
        "record number",
        rf"(?i:\b(?:MRN|UHID|SSN|PID|VIN|{_RECORD}\.?\s?{_NUMBER}|{_FIELD}\s?:|NHS|CPR|NIR|"
        r"[IO]PD? (?:no\b|number)|ID\b(?!s)))\.?\s*+(?:[a-z ]{0,20}?\b(?:is|was)\s++|[:#=]\s*+)?#?"
        rf"(?P<it>{_CODE})",
    ),
    (
        "record number",
        r"(?i:\b(?:(?:Fall|Pat(?:ienten|\.)|(?:Kranken|Sozial)?[Vv]ersicher(?:ten|ungs)|Akten|Aufnahme|"
        r"Histologie|KV|SV)-?(?:nummer|nr|id|zeichen)"
        r"|(?:numéro|número|núm|n)[.°º]* (?:(?:de|du|d') ?)?(?:la )?"
        r"(?:dossier|patiente?|séjour|sécurité sociale|seguridad social"
        r"|historia(?: clínica)?|expediente|paciente)"
        r"|(?:n[°º] )?(?:dossier|historia clínica|expediente|tarjeta sanitaria|SS|IPP|NIP|NSS|NHC|NDA|DNI|"
        r"NIE|NASS|CIP|CURP|NRIC|prontuário))\b)[ .]*(?:[nN](?:[°º]|[úar]*\.))?[ :#]*+"
        r"(?P<it>(?:[A-Z]{1,4}|\d [A-Z])?[-/ ]?\d(?:[ ./-]?\d){4,}(?:-?[A-Z])?)\b",
    ),
    # Whatever else has a number of at least five digits.
    (
        "record number",
        rf"(?i:\b(?!{_NOT_HIS}\b)[a-zà-ÿ]{{2,}}\.?(?:\s?#|\s{_NUMBER}|[\s-]?(?:nr|nummer|zahl)"
        rf"(?!\w))\.?:?\s*+#?)(?P<it>(?=(?:[A-Z./ -]*\d){{5}}){_CODE})",
    ),
    (
        "record number",
        r"\b(?!PMI|PMC|O?MIM|NCT|GSE|HP|ORPHA|MONDO|ICD|SNOMED|DOI|ISBN|ISSN|UMLS|LOINC|RRID|EC|CAS|"
        r"ATC)[A-Z]{2,5}(?:#| ?[Nn]o\.?:?|:) (?P<it>[A-Z]{0,3}\d{6,})\b",
    ),
    # Acronyms and fields of forms before a long number.
    (
        "record number",
        r"\b(?:U?MRN|URN|CHI|Medicare|Medicaid|Aadhaar|FIN|CSN|HSN|NINO?|MR|HN|PHN|UR|EMPI|"
        r"PPS|AHV|IHI|SIN|BSN|CUIL|CPF|RUT|PESEL|Hosp|Pt)"
        r"(?i: ?(?:#|no\b|number|id))?[.:]{0,2} ?(?P<it>[A-Z]{0,3}[ -]?\d(?:[ ./-]?\d){4,}[A-Z]?)\b",
    ),
    (
        "record number",
        r"(?i:\b(?:soc(?:ial|\.)? ?sec(?:urity|\.)?|driv(?:er['’]?s?|ing) licen[cs]e|"
        r"serial|(?:group|member|subscriber|insurance|policy|claim|"
        r"invoice|order|ticket|booking)(?: ?(?:id|no|number|#))?|slide|block|specimen|biopsy|accession|"
        r"passport)(?: ?(?:#|no\b|number|id\b))?[.:]{0,2} )"
        r"(?P<it>(?=(?:[A-Z ./-]*\d){3})(?=[A-Z\d./-]*(?:[A-Z-]|\d{5}|"
        r" [A-Z\d]{3,}))[A-Z\d]+(?:[ ./-][A-Z\d]+)*)\b(?! ?(?:%|µ|[cmkd]?[glm]|IU|mmol|nmol|hours?|days?)\b)",
    ),
    (
        "record number",
        r"(?i:\b(?:our|your|patient|hospital|case) ref(?:erence)?\.?(?: (?:no|number)\.?)?:? )"
        r"(?P<it>(?=[\w./-]*\d)[\w./-]+)",
    ),
    (
        "record number",
        r"(?i:\b(?:(?:licen[cs]e|number|registration) plate|vehicle registration)(?: ?(?:no|number|"
        r"mark))?[.:]? )(?P<it>[A-Z\d]+(?:[ -][A-Z\d]+){0,2})\b",
    ),
    ("record number", r"\b\d{3}-\d{2}-\d{4}\b"),
    ("record number", r"\b(?:\d{3} \d{3} \d{4}|\d{4} \d{4} \d{4})\b(?! ?\d)"),
    # As papers of people are numbered, and what laboratories were sent.
    ("record number", r"(?<![\w./:-])[A-Z]{1,2}(?:\d{6,8}|\d{5,8}[A-Z])(?![\w-])"),
    ("record number", r"(?<![\w./-])[A-Z]{1,2}(?:-?\d\d|/\d{4})[-/]\d{3,7}\b"),
    ("record number", r"\b(?i:file|folder|chart|job|case) (?P<it>\d{3,}[-/]?\d{3,})(?![\w-])"),
    (
        "record number",
        r"(?i:\b(?:record|chart|file|notes|specimen|folder)s? \((?:no|number|#)[.:]? ?)(?P<it>[A-Z\d/-]{5,})",
    ),
    (
        "telephone",
        r"(?i:\b(?:t[eé]l(?:ephone|efon|éphone|éfono)?|teléfono|tfno|tlf|phone|mobile?|móvil|handy|"
        r"portable|rückfrag\w*|telefonnummer|joignable|cell|fax|pager|bleep|call(?:ed)?|contact|extension|"
        r"ext|whatsapp|hp(?!:\d)|cel|durchwahl|kontakt)\b)"
        r"[a-z ]{0,20}\.? ?:?\s*+(?P<it>\+?\(?\d(?:[ ()./-]{0,3}\d){6,}|(?<=ext\. )\d{3,5}\b)",
    ),
    (
        "telephone",
        r"(?i:\b(?:pager|bleep|beeper|extension|ext|durchwahl)\b[.:]? ?(?:(?:no|number)\.?:? ?)?)-?"
        r"(?P<it>\d{3,6})\b(?![.,]\d| ?%)",
    ),
    (
        "telephone",
        r"(?i:\b(?:call|ring|dial|text|reach(?:ed|able)?|at|ph|switchboard|hotline)(?: (?:him|her|them|us|"
        r"me))?"
        r"(?: (?:at|on))?[.:]? )(?P<it>\(?\d{3,5}\)?[ .-]\d{3,4}(?:[ .-]?\d{2,4})?\b)(?! ?(?:m|c|k|µ|%|U|"
        r"IU|/|–|-)\w*)",
    ),
    ("telephone", r"(?<![\w.+-])(?:1[ .-])?\(?\d{3}\)?[ ./-]\d{3}[ .-]\d{4}\b"),
    ("telephone", r"(?<![\w.+-])(?:00\d{1,3}(?:[ -]\d{1,5}){2,5}|0\d{3,4} \d{5,6})\b"),
    ("telephone", r"(?<![\w.])\+\d{1,3}[ .-]?\(?\d{1,4}\)?(?:[ .-]?\d{2,4}){2,4}\b"),
    ("telephone", r"(?<![\w.+-])\(\d{2,5}\) ?\d{3,4}[ -]?\d{3,4}\b"),
    ("telephone", r"(?<![\w.+-])0\d{2,4}[ -]\d{3,4}[ -]\d{3,4}\b"),
    ("telephone", r"(?<![\w.+-])0\d(?:[ .]\d\d){4}\b"),
    ("telephone", r"(?<![\w.,+/-])(?:0[1-9]\d{8}|0[1-9]\d{1,3}/\d{4,8}|[6-9]\d{4}[ -]\d{5})(?![\w/-]|\.\d)"),
    ("date", rf"\b{_DAY}(?:st|nd|rd|th)?(?: of)?[ -]?{_MONTH},?[ -]?(?:{_YEAR}|['’]\d\d)\b"),
    ("date", rf"\b(?:{_DAY}-{_MONTH}-\d\d|{_MONTH}-{_DAY}-{_YEAR})\b"),
    ("date", rf"\b{_MONTH} {_DAY} ?[-–] ?{_DAY}(?!\w)(?:,? {_YEAR})?"),
    ("date", rf"\b{_MONTH} (?:the )?{_DAY}(?:st|nd|rd|th)?,? {_YEAR}\b"),
    ("date", rf"(?<![\d./-])\b{_DAY}(?:st|nd|rd|th)?(?: of)? {_MONTH}(?![\w-])"),
    ("date", rf"\b{_MONTH} (?:the )?{_DAY}(?:st|nd|rd|th)?(?![\w/%-]|\.\d)"),
    ("date", rf"\b{_DAY}(?:\.|er|º)?(?: de)? {_MOIS}\b(?: (?:del? )?{_YEAR}\b)?"),
    (
        "date",
        rf"\b{_DAY}(?:[-/ ]|\. ?)(?i:jan|ene|feb|fév|mar|mär|mrz|a[bpv]r|ma[iy]|juin|ju[nl]|juil|a[gu][go]"
        rf"|aoû|sept?|o[ck]t|nov|d[ie][ck]|déc|dez)\.?[-/ ]?{_YEAR}\b",
    ),
    (
        "date",
        rf"\b{_DAY}(?:st|nd|rd|th)?(?: ?[-–] ?| to | and ){_DAY}(?:st|nd|rd|th)?(?: of)? {_MONTH}(?![\w-])",
    ),
    ("date", rf"\b{_DAY}[- ]?{_MONTH}[- ]?(?:{_YEAR}|['’]?\d\d)\b"),
    # "05/19": with a nought before it, it is no score.
    ("date", r"(?<![\d./-])0[1-9]/(?:0[1-9]|[12]\d|3[01])(?![\d/%-]|\.\d| ?mm)"),
    (
        "date",
        r"\b(?i:seen|admitted|discharged|reviewed|from|on|until|since|dated|and) "
        r"(?P<it>(?:1[3-9]|2\d|3[01])/(?:0?[1-9]|1[0-2]))(?![\d/%]|\.\d| ?mm)",
    ),
    ("date", rf"\b{_DAY}\. ?[IVX]{{1,4}}\. ?{_YEAR}\b"),
    ("date", rf"\b{_YEAR}([-/.]){_MONTH_NUMBER}\1{_DAY}(?:\b|(?=T\d))(?![-/]|\.\d)"),
    ("date", rf"(?<![\d./-]){_DAY}( ?[-/.] ?){_DAY}\1(?:{_YEAR}|\d\d)(?![\d/-]|\.\d)"),
    (
        "date",
        rf"(?i:\b(?:date|dated|dob|born|d\.o\.b\.|birth)(?!\w)[a-z ]{{0,12}}:?\s?)"
        rf"(?P<it>{_YEAR}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])|{_DAY} {_MONTH_NUMBER} {_YEAR})\b",
    ),
    (
        "date",
        rf"\b(?i:vom|am|seit|bis|ab|admitted|discharged|seen|until|"
        rf"since) (?P<it>{_DAY}\.{_MONTH_NUMBER}\.)(?!\d)",
    ),
    (
        "date",
        rf"\b(?i:on|since|until|dated) (?P<it>{_MONTH_NUMBER}/(?![1-5]\b|10\b){_DAY})"
        r"(?= (?:was|were|he|she|they|the|and|with|for|at|showed|after|by|to|because|due)\b|[,.;)](?!\d))",
    ),
    (
        "date",
        rf"\b(?:Christmas|Boxing|New Year['’]s|Thanksgiving|Easter)(?: (?:Day|Eve|Monday))?,? {_YEAR}\b",
    ),
    (
        "address",
        rf"\b\d{{1,5}}[A-Za-z]?,? (?:(?:North|South|East|West|N|S|E|W)\.? )?"
        rf"(?:{_IN_STREET} ){{1,4}}{_STREET}\b\.?(?:,? (?:Apt|Apartment|Flat|Unit|Suite|No)\.? ?\w+)?",
    ),
    (
        "address",
        rf"\b\d{{1,4}}(?: bis| ter)?,? (?:rue|avenue|boulevard|place|chemin|allée|impasse|quai)"
        rf"(?: (?:{PARTICLE}|des|l['’]|d['’]))* ?(?:l['’]|d['’])?{CAPITAL}\b",
    ),
    ("address", rf"\b{CAPITAL}(?: {CAPITAL})?, (?:[A-Z]{{2}}|{CAPITAL}),? \d{{5}}(?:-\d{{4}})?\b"),
    ("address", rf"\b{_LIVES} in (?P<it>{CAPITAL}(?: {CAPITAL})?, (?:[A-Z]{{2}}\b|{CAPITAL}))"),
    (
        "address",
        r"\b(?:(?:Flat|Apt\.?|Apartment) ?\d+\w?|(?:H(?:ouse)?|Door|Plot)\.? ?[Nn]o\.? ?\d[\d/-]*\w?)",
    ),
    (
        "address",
        rf"(?i:\b(?:born in|native of|village|hamlet|district|borough|tehsil) (?:of )?)"
        rf"(?!{_MONTH})(?P<it>{CAPITAL})",
    ),
    (
        "address",
        r"(?i:\b(?:address|anschrift|adresse|R/o)(?: on file)?(?: ?[:-]| is)? )(?P<it>\d[^\n.;]{6,60})",
    ),
    ("address", r"\b(?:P\.? ?O\.? Box|Postfach|Rural Route) \d+"),
    (
        "address",
        rf"\b{CAPITAL}(?:(?:straße|strasse|gasse|weg|allee|platz)|[ -]?[Ss]tr\."
        r"|[ -](?:Straße|Platz|Allee|Weg|Ring)) \d+[a-z]?\b",
    ),
    (
        "address",
        rf"\b{CAPITAL}(?:gracht|straat|laan|plein|kade|weg|gatan|gata|vägen|väg|vej|veien|gade|utca|"
        rf"utcája) \d+",
    ),
    ("address", rf"(?:(?<=, )|(?m:^)|(?<=\bin ))\d{{4}} [A-Z]{{2}},? {CAPITAL}\b"),
    (
        "address",
        rf"\b(?:Corso|Viale|Praça|Largo|ul\.|ulica|Rambla|Carrer) {CAPITAL}(?: {CAPITAL})?,? \d+\b",
    ),
    (
        "address",
        r"(?<![\w.])(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]\d)(?:\.(?:25[0-5]|2[0-4]\d|1\d\d|"
        r"[1-9]?\d)){2}\.(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?![\w.]*\d)",
    ),
    # A postcode and its town: what stands before it keeps units and counts away.
    ("address", rf"(?:(?<=\bin )|(?<=\bà )|(?<=\d, )|(?<=\bD-))\d{{5}} (?=\w{{4}}){CAPITAL}\b"),
    (
        "address",
        r"(?i:\b(?:zip(?: code)?|post(?:al )?code|PLZ|code postal|código postal)\b[ :]*+)"
        r"(?P<it>(?=\w*\d)[A-Z\d][\w-]{2,9})",
    ),
    (
        "address",
        rf"\b(?:Rue|Via|Calle|C/|Avenida|Avda\.|Av\.|Carrera|Paseo|Rua|Piazza|Plaza) (?:{PARTICLE} )*"
        rf"{CAPITAL}(?: {CAPITAL})?,? (?:n[°º] ?)?\d+\b",
    ),
    ("address", r"\b[ABCEGHJ-NPRSTVXY]\d[A-Z] \d[A-Z]\d\b"),
    ("address", r"\b[A-Z]{1,2}\d[A-Z\d]? \d[ABD-HJLNP-UW-Z]{2}\b"),
    # Of whom it is said where they live: a number beside a word with a capital.
    (
        "address",
        rf"\b{_LIVES}(?: (?:at|in|of|is|en|à|bei|near|im|am))?:?,? (?:the )?"
        rf"(?P<it>(?:{CAPITAL} ){{1,3}}(?:No\.? ?)?\d{{1,5}}[A-Za-z]?\b"
        rf"(?! (?:hours?|days?|weeks?|months?|years?|children|m)\b)|"
        rf"\d{{1,5}}[A-Za-z]?,? (?:[a-z]+ )?{CAPITAL}(?: {CAPITAL})*)",
    ),
    ("address", rf"\b(?:{CAPITAL} ){{1,3}}(?:Nursing|Care|Retirement|Rest) Home\b"),
    ("name", rf"\b{_TITLE}\.? {_DEGREES}(?P<it>{_NAMED})"),
    ("name", rf"\b[SWDCF]/[Oo]\.? (?P<it>{_NAMED})"),
    ("name", rf"\b(?:Dear|Hi|Hello|Liebe[rs]?|Chère?|Querid[ao]) (?P<it>{_NAMED})(?=,|\s*\n)"),
    ("name", rf"\binitials:? (?P<it>{_INITIALS}|[A-Z]{{2,3}}\b)"),
    (
        "name",
        rf"\b(?:MRS|MISS|PROF|(?:MR|MS|DR)(?=\.))\.? (?P<it>{CAPITALS}(?: {CAPITALS})?)\b(?! [A-Z]{{2}})",
    ),
    ("name", rf"\b(?:Mr|Dr)\.? and (?:Mrs|Dr)\.? (?P<it>{_NAMED})"),
    (
        "name",
        rf"\bM\. (?P<it>(?:{CAPITAL} )?{CAPITAL})(?= (?:est|a|était|se|s'|présente|consulte)\b)",
    ),
    ("name", rf"(?<=\badresse )M\. (?P<it>{_NAMED})"),
    (
        "name",
        r"(?i:\b(?:(?:patient(?:'s)?|pt|full|first|last|family|her|his|mother's|father's|wife's|husband's)"
        r"\s+name(?:\s+is|\s+was)?|named|called|namely)(?:\s*+:)?)\s++"
        rf"(?P<it>{_NAMED})",
    ),
    (
        "name",
        rf"(?i:\b(?:{_SAID_BY}\s?:?|(?:pa[ct]ient(?:e|in|enname)?|pt|name|nom(?: et prénom)?|prénom|nombre|"
        rf"apellidos|vorname|nachname|re|cc)\s?:|{_RELATIVE}\s?:|(?:sur|fore|first |last |given |family )name"
        rf"\s?:?|{_CLOSING}|cc|(?:patient(?:['’]s)?|pt\.?) name\s?[-–]|{_ROLE}(?:\s?[:–,-]| is))\s*+"
        rf"(?:{_TITLE}\.? )?)(?P<it>{_WRITTEN}|{_INITIALS}{CAPITAL})",
    ),
    ("name", rf"\b{_ROLE}:? (?P<it>{_NAMED}),? (?:M\.?D|D\.?O|R\.?N)\b"),
    # Of whom it is said right behind how old he is, or what he did.
    ("name", rf"(?<![\w.])(?P<it>{_INITIALS})(?=(?:,| is| was) {_AGED})"),
    ("name", rf"\b[Pp]atient (?P<it>{_INITIALS})(?= ?[a-z(,])"),
    ("name", rf"\b(?i:patient|infant|child|woman|man|girl|boy|us) \((?P<it>{CAPITAL} [A-Z]\.|{_INITIALS})\)"),
    (
        "name",
        rf"\b(?:present|describe|report|introduce|met|meet|saw|see|treated|"
        rf"on) (?P<it>{_NAMED}),? (?={_AGED})",
    ),
    (
        "name",
        rf"\b(?:[Pp]atient|[Ww]oman|[Mm]an|[Gg]irl|[Bb]oy) (?P<it>{CAPITAL} (?:[A-Z]\. )?{CAPITAL})"
        r"(?=\s?[-–|;(]| (?:was|is|has|had|came|presented|underwent|attended|reported|denied|gave|"
        r"returned|died|who)\b)",
    ),
    ("name", rf"\b{_TITLE}\.? (?P<it>(?:[A-Z]\. ?){{1,3}})(?=,? ?[a-z])"),
    (
        "name",
        rf"(?m:^)(?P<it>(?:{CAPITAL}, {CAPITAL}|{CAPITALS}, {CAPITALS})(?: [A-Z]\.?)?)"
        r"(?=\s*(?:\((?:[MFmf]|\d)|\||;|DOB|MRN|d\.o\.b|born|\d\d?[/.])|[ ]*\n[^\n]*\b(?:DOB|MRN|born)\b)",
    ),
    ("name", r"\b(?P<it>[A-Z]{3,}, [A-Z]{3,} [A-Z]\.)"),
    (
        "name",
        rf"\b(?i:his|her|their|the|and|with|foster|by|twin|elder|patient['’]s|su|sa|son|seine?|ihre?|der|die)"
        rf" (?i:(?:twin )?{_RELATIVE})(?:,? | \()(?P<it>{_NAMED})(?=[,)]|\.? [a-z]|\.?(?:\s|$))",
    ),
    ("name", rf"\b(?i:patient|proband|infant|child|twin|index case), (?P<it>{_NAMED})(?=,)"),
    ("name", rf"\b[Bb]aby(?: (?:boy|girl))? (?P<it>{CAPITAL})(?= [a-z])"),
    ("name", rf"\b(?P<it>{CAPITAL} {CAPITAL}),? (?:geb\.|geboren|née?\b|nacid[oa]|born|DOB)"),
    ("name", rf"\b(?:This|Here) is (?P<it>{_NAMED})(?=,)"),
)
