"""How names are written, in many countries: alone, after a title, in a form, in a sentence on a patient."""

from __future__ import annotations

# Of Latin letters those after the first block are both large and small.
LARGE, SMALL = "A-ZÀ-ÖØ-ÞĀ-ɏḀ-ỿ", "a-zß-öø-ÿĀ-ʯḀ-ỿ\\u0300-\\u036f"
# One or more words with a capital, particles between, an initial before, a double name.
CAPITAL = (
    rf"(?:[aeuAEU]l-|[dlDLMNO]['’](?=[{LARGE}]))?(?:(?:Ma?c|D[aeiu]|L[aeo]|Van|Fitz)"
    rf"(?=[A-Z]))?[{LARGE}][{SMALL}'’]+(?:-[{LARGE}][{SMALL}]+|-(?!like|type|free|fold)[a-z]{{2,5}}\b){{0,3}}"
)
PARTICLE = (
    r"(?:van (?:der?|den|het|'t)|van|von (?:der|dem)|von|zu[mr]?|vom|af|av|(?:op|uit) den|op|ten|ter|de[nr]|"
    r"St\.|de (?:la|los|las)|del?|della|degli|di|da|das|dos?|du|la|le|el|al|bin|bint|ibn|ben|abu|e|y|ó|ní|Le|"
    r"La|Ní|Ó|O'|Mc|Mac)"
)
_NAMED = (
    rf"(?:[A-Z](?:\.[ ]?|[ ])){{0,2}}(?:{PARTICLE} ){{0,2}}{CAPITAL}(?:(?: {PARTICLE}){{0,2}} "
    rf"(?:[A-Z]\.[ ]?)?{CAPITAL}){{0,3}}(?: an {CAPITAL})?(?:,? (?:[JS]r|I{{2,3}}|IV)\b\.?)?"
)
# As forms have it: the family name first, or all in capitals.
CAPITALS = rf"[{LARGE}][A-ZÀ-ÖØ-ÞĀ-ɏḀ-ỿ'’-]+"
_INITIALS = r"(?:[A-Z]\. ?){1,2}[A-Z](?:\.|(?!\w))"
_WRITTEN = rf"(?:{CAPITALS}(?:,? (?:{CAPITAL}|{CAPITALS}|[A-Z]\.))*(?![a-z])|{CAPITAL}, {CAPITAL}|{_NAMED})"
TITLE = (
    r"(?:Mrs?|Ms|Miss|Mister|Mx|Messrs|Dr[as]?|Prof(?:essor)?|Doctor|Sister|Nurse|Sir|Dame|Master|Rev|Capt"
    r"(?:ain)?|Sgt|Lt|RN|EMT|Mdm|Madam|A/Prof|Shri|Sri|Smt|Kum|Herrn?|Frau|Schwester|Pfleger|(?:Ober|Chef)"
    r"(?:arzt|ärztin)|Kolleg(?:e|in)|Señora?|Sra?|Srta|Don|D(?:oñ|ñ)a|[sS]eñor(?:a|ita)?|D\.ª|[Dd]octora|Mme|"
    r"Mlle|Monsieur|Madame|Mademoiselle|[Dd]octeur|[Pp]rofesseur|Pr|Hr|(?<!\d )Fr(?=\.)|Dres|Dhr|Meneer|Mev"
    r"(?:r|rouw)|[sS]ig(?:nor[ae]?|\.ra|(?=\.))|Dott(?:\.ssa|ore|oressa)?|Pani|D(?:om|ona|ña)|Lady|Lord|Maj"
    r"(?=\.)|Col(?=\.)|Bro(?=\.)|Aunt(?:ie)?|Uncle|Grann?y|Grand(?:ma|pa)|Father|Pastor|Rabbi|Imam|Matron|"
    r"Sergeant|Corporal|Colonel|Officer|Judge|DR|(?<!\d )(?i:mrs?|ms|dr|prof|doctor|frau|herrn?|fru|"
    r"fr[öø]ken|herra|rouva|(?:de )?heer|mevrouw|senhora?|señora?|signora?|monsieur|madame|mademoiselle|mme|"
    r"mlle|pan[ií]|pana|gospođa|gospodin))"
)
_ROLE = (
    r"(?:GP|PCP|general practitioner|informant|(?:health ?care )?proxy|attorney|attendant|caregiver|NOK"
    r"(?: [a-z]+)?|(?:family|emergency) contact|social worker|translator|teacher|correspondence|operated by|"
    r"ana?esthesia|Betreuer(?:in)?|Haus(?:arzt|ärztin)|Ansprechpartner(?:in)?|surgeon|physician|attending|"
    r"consultant|registrar|resident|provider|donor|recipient|assistant|sender|doctor|referrer|guardian|carer|"
    r"kin|contact|counsell?or|employer|interpreter|witness)"
)
_SAID_BY = (
    r"(?:(?:dictated|transcribed|typed|electronically signed|signed)(?: by| electronically(?: by)?)|"
    r"(?:authenticated|verified|authori[sz]ed|approved|referred|reviewed|reported|seen|examined|signed)"
    r"(?: by)?(?=\s*:)|(?:reviewed|reported|referred|seen|authori[sz]ed) by(?=[^\n]{3,40}?,? M\.?D))"
)
_CLOSING = (
    r"(?:sincerely|regards|wishes|faithfully|truly|respectfully|thanks|gratefully|best|cheers|warmly|signed|"
    r"submitted|Grüßen?|cordialement|saludos|atentamente|yours)(?: yours)?[,!]?\s{1,4}"
)
_AGED = r"an? (?:\d{1,3}|[a-z]+)[- ](?:day|week|month|year)"
_DEGREES = r"(?:\(?(?:Dr|Prof|med|dent|rer|nat|univ|habil|h\.c|Ing)\.\)? ?)*"
RELATIVE = (
    r"(?:ex-)?(?:wife|husband|spouse|partner|mother|father|son|daughter|sister|brother|aunt|uncle|niece|"
    r"nephew|carer|guardian|cousin|grand(?:mother|father|son|daughter)|step(?:mother|father|son|daughter)|"
    r"fianc[ée]e?|(?:boy|girl)?friend|(?:flat|house|room|class)mate|land(?:lady|lord)|colleague|neighbou?r|"
    r"midwife|mum|mom|mam|dad|maid|helper|Ehe(?:frau|mann)|Mutter|Vater|Tochter|Sohn|Schwester|Bruder|"
    r"Lebensgefährt(?:e|in)|esposa|esposo|marido|mujer|madre|padre|hij[ao]|herman[ao]|épouse|époux|mari|"
    r"femme|fille|fils|mère|père)(?:-in-law)?"
)

NAMES = (
    rf"\b(?:{TITLE}[.:]?\s{{1,2}}){{1,3}}{_DEGREES}(?P<it>{_NAMED})",
    # What a form says, without a colon: two words.
    (
        rf"\b(?:[Nn]ame(?: of (?:the )?patient)?|GP|[Ss]urgeon|[Dd]onor|[Rr]ecipient|[Aa]ssistant)(?: [-–])? "
        rf"(?P<it>{CAPITAL} (?:[A-Z]\.? )?{CAPITAL})(?! [A-Z])"
    ),
    rf"\b[SWDCF]/[Oo]\.? (?P<it>{_NAMED})",
    rf"\b(?:Dear|Hi|Hello|Liebe[rs]?|Chère?|Querid[ao]) (?P<it>{_NAMED})(?=,|\s*\n)",
    rf"\b[Ii]nitials:? (?P<it>{_INITIALS}|[A-Z]{{2,3}}\b)",
    (
        rf"\b(?:M[Rr][Ss]|M(?:ISS|iss)|P(?:ROF|rof)|Mister|Mx|M[rs]|Dr|(?:MR|MS|DR)(?=\.)|Sir|Lady|Master|"
        rf"Frau|Herrn?|Mme|Sra?|Doctor|Sister|Nurse|FRAU|HERR)\.? (?P<it>(?:[A-Z]\. )?{CAPITALS}(?:"
        rf"(?: [A-Z]\.| ST\.)? {CAPITALS}){{0,3}})(?! ?[A-Z][a-z])"
    ),
    # In small letters only after what is nothing else.
    (
        rf"(?i:(?<!drug )(?<!gene )(?<!trade )(?<!brand )(?<!file )\b(?:sur|last |first |patient |full |"
        rf"family |given )?name ?: ?)(?P<it>[{SMALL}'’-]{{2,}}(?: [{SMALL}'’.-]+){{0,3}})(?=\.|\n|$| [A-Z])"
    ),
    (
        rf"(?<!\d )\b(?:mrs|mr|ms|dr|prof|mme|frau|herrn?)\.? (?!(?:imag|scan|angio|chol|spectr|ent[ei]r|"
        rf"elast|veno|signal|perf|data|sequ|find|and|or|is|was|the|in|on|of|to|for|with|from|by|at)[a-z]*)"
        rf"(?P<it>(?:{PARTICLE} )?[{SMALL}'’-]{{2,}})"
    ),
    (
        r"(?i:\b(?:(?:patient(?:'s)?|pt|full|first|last|family|her|his|mother's|father's|wife's|husband's)"
        rf"\s+name(?:\s+is|\s+was)?|named|called|namely)(?:\s*+:)?)\s++(?P<it>{_NAMED})"
    ),
    (
        rf"(?i:\b(?:{_SAID_BY}\s?:?|patient -|(?:to|pa[ct]ient(?:e|in|enname)?|pt|name|nom(?: et prénom)?|"
        rf"prénom|nombre|apellidos|vorname|nachname|re|cc)\s?:|{RELATIVE}\s?:|(?:sur|fore|first |last |"
        rf"given |family )name\s?:?|{_CLOSING}|cc|(?:patient(?:['’]s)?|pt\.?) name\s?[-–]|{_ROLE}"
        rf"(?:\s?[:–,-]| is))\s*+(?:{TITLE}\.? )?)(?P<it>{_WRITTEN}|{_INITIALS}{CAPITAL}|{_INITIALS})"
    ),
    (
        rf"\b(?i:(?:sign|order|request|witness|prepar|author|complet|enter|record|interpret|supervis|"
        rf"accompani|verifi|refer|review|report|examin|assess|interview|consent|translat|document|"
        rf"countersign)\w*|written|seen|brought) (?:in |to hospital )?by:? (?P<it>{CAPITAL}(?: "
        rf"(?:{PARTICLE} ){{0,2}}(?:[A-Z]\.? )?{CAPITAL}){{1,2}})"
    ),
    (
        rf"\b(?i:{RELATIVE}) (?:of )?(?P<it>{CAPITAL}(?: (?:{PARTICLE} ){{0,2}}"
        rf"(?:[A-Z]\.? )?{CAPITAL}){{1,2}})"
    ),
    r"\b(?P<it>[A-Z]{3,}, [A-Z]{3,} [A-Z]\.)",
    (
        rf"\b(?i:[a-z]+(?:ologist|iatrist|ician)(?:\s?[:–,-]| is)\s*+(?:{TITLE}\.? )?)(?P<it>{_WRITTEN}|"
        rf"{_INITIALS}{CAPITAL}|{_INITIALS})"
    ),
    # Of whom it is said right behind how old he is, or what he did.
    rf"(?<![\w.])(?P<it>{_INITIALS})(?=(?:,| is| was) {_AGED})",
    (
        rf"\b(?i:patients?|{RELATIVE}|twin|man|woman|on|mrs?|ms|case \d \(),? ?(?P<it>{_INITIALS})"
        rf"(?= ?[a-z(,;)]|\s*$|\s+[A-Z])"
    ),
    (
        rf"(?<![\w.])(?P<it>{_INITIALS})(?= (?:was (?:first )?(?:seen|born|treated|admitted|referred|brought|"
        r"started|found|given)|presented|underwent|complained|developed|died)\b)"
    ),
    r"\b[Pp]atient (?P<it>(?!IV|VI|XI|XX|II)[A-Z]{2})(?=,? (?:was|is|had|has|who|an? |presented|came))",
    rf"\b(?i:patient|infant|child|woman|man|girl|boy|us)(?:,? \(?)(?P<it>{CAPITAL} [A-Z]\.|{_INITIALS})(?=\)|"
    rf",? [a-z])",
    rf"\b{TITLE}\.? (?P<it>(?:[A-Z]\. ?){{1,3}})(?=,? ?[a-z])",
    r"\bM(?:rs?|s|iss)\.? (?P<it>[A-Z])(?=,? [a-z])",
    (
        rf"(?m:^)(?P<it>(?:{CAPITAL}, {CAPITAL}|{CAPITALS}, {CAPITALS})(?: [A-Z]\.?)?)"
        r"(?=\s*(?:\((?:[MFmf]|\d)|\||;|DOB|MRN|d\.o\.b|born|\d\d?[/.])|[ ]*\n[^\n]*\b(?:DOB|MRN|born)\b)"
    ),
    (
        rf"\b(?i:his|her|their|the|and|with|foster|by|twin|elder|\w+['’]s|su|sa|son|seine?|ihre?|der|die) "
        rf"(?i:(?:[a-z]+ |half-)?{RELATIVE})(?:,? | \()(?P<it>{_NAMED})(?=[,)]|\.? [a-z]|\.?(?:\s|$))"
    ),
    rf"\b(?i:patient|proband|infant|child|twin|index case), (?P<it>{_NAMED})(?=,)",
    (
        rf"\b(?:twins|brothers|sisters|children|sons|daughters|parents|siblings),? (?P<it>{_NAMED}"
        rf"(?:, {_NAMED})* and {_NAMED})"
    ),
    rf"\b(?P<it>{CAPITAL})(?=, (?:his|her|their|the) (?:[a-z]+ )?{RELATIVE}\b)",
    rf"\b(?i:{RELATIVE}) \(?(?P<it>{CAPITAL})(?=\)|, (?:aged|\d)| (?:at|is|was|has|reports|present|says)\b)",
    rf"\b[Bb]aby(?: (?:boy|girl))? (?P<it>{CAPITAL})(?= [a-z])",
    rf"\b(?:née?|[Gg]eb(?:\.|orene)|maiden name|formerly|alias|a\.?k\.?a\.?|known (?:to [a-z]+ )?as|goes by|"
    rf"nicknamed):? (?P<it>{_NAMED})",
)
