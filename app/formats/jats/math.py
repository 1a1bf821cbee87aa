"""Formulas as one readable line, from MathML or from TeX."""

from __future__ import annotations

import re
from collections.abc import Callable

from lxml.etree import _Element as Element

MATHML = "http://www.w3.org/1998/Math/MathML"

_SPACED = frozenset("=<>≤≥≈≠±×·∗+−→←⇒∼∝≡∈")
_BIG = frozenset("ΣΠ∑∏∫⋃⋂")
_ACCENTS = {"˙": "\u0307", ".": "\u0307", "¯": "\u0304", "‾": "\u0304", "ˆ": "\u0302", "˜": "\u0303"}
_TEX_BODY = re.compile(r"\\begin\{document\}(.*?)\\end\{document\}", re.DOTALL)
# What stands in braces may have some of its own, such as those of an index, of a font, and around these.
_TEX_GROUP = r"\{(" + r"(?:[^{}]|\{" * 6 + "[^{}]*" + r"\})*" * 6 + r")\}"
_TEX_FRACTION = re.compile(rf"\\[cdt]?frac\s*{_TEX_GROUP}\s*{_TEX_GROUP}")
_TEX_ROOT = re.compile(rf"\\sqrt\s*(?:\[([^\]]*)\]\s*)?{_TEX_GROUP}")
_TEX_WRAPPER = re.compile(
    r"\\(?:text|mathrm|mathbf|mathit|textit|textbf|hbox|mbox|operatorname|mathsf|boldsymbol|rm)\b\s*"
)
_TEX_SIGNS = {
    "times": "×", "pm": "±", "cdot": "·", "leq": "≤", "le": "≤", "geq": "≥", "ge": "≥",
    "approx": "≈", "sim": "∼", "neq": "≠", "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ",
    "Delta": "Δ", "kappa": "κ", "lambda": "λ", "mu": "μ", "upmu": "μ", "upalpha": "α",
    "upbeta": "β", "sigma": "σ", "Sigma": "Σ", "sum": "Σ", "chi": "χ", "omega": "ω", "Omega": "Ω",
    "pi": "π", "rho": "ρ", "tau": "τ", "theta": "θ", "circ": "°", "infty": "∞", "rightarrow": "→",
    "to": "→", "left": "", "right": "", "quad": " ", "qquad": " ", "displaystyle": "", "limits": "",
}  # fmt: skip
# A command by name or sign, or what sets columns and blanks apart where no backslash stands before it.
_TEX_COMMAND = re.compile(r"\\([A-Za-z]+)|\\(.)|[$&~]")


def math_text(element: Element) -> str:
    """A MathML element on one line: x^2, (a)/(b), sqrt(x), (x)^(1/3); annotations within it are left out."""
    return " ".join(_linear(element).split())


def tex_text(source: str) -> str:
    """TeX on one line: the formula out of its document, common commands as signs, others by name."""
    body = _TEX_BODY.search(source)
    text = _TEX_WRAPPER.sub("", body[1] if body else source)
    for _ in range(3):
        text = _TEX_FRACTION.sub(r"(\1)/(\2)", text)
        text = _TEX_ROOT.sub(lambda match: _root_of(match[2], match[1]), text)
    text = _TEX_COMMAND.sub(lambda match: _tex_command(match[1], match[2]), text)
    return " ".join(text.replace("{", "").replace("}", "").split())


def _tex_command(name: str | None, sign: str | None) -> str:
    if name is None:
        return sign if sign in tuple("%_#&$") else " "
    return _TEX_SIGNS.get(name, name)


def _linear(element: Element) -> str:
    if not isinstance(element.tag, str):
        return ""
    name = element.tag.rpartition("}")[2]
    form = _FORMS.get(name)
    return form(element) if form else _row(element)


def _row(element: Element) -> str:
    """Children in order; a blank between two words or two numbers, none between single letters."""
    text = element.text.strip() if element.text else ""
    for child in element:
        piece = _linear(child)
        if not text and len(piece.strip()) == 1:
            piece = piece.strip()
        wordy = piece[:1].isalnum() and text[-1:].isalnum()
        if wordy and (len(piece) > 1 or _ends_in_word(text)):
            text += " "
        text += piece
    return text


def _ends_in_word(text: str) -> bool:
    return len(text) > 1 and text[-2].isalnum()


def _token(element: Element) -> str:
    return " ".join("".join(str(piece) for piece in element.itertext()).split())


def _operator(element: Element) -> str:
    text = _token(element)
    return f" {text} " if text in _SPACED else text


def _words(element: Element) -> str:
    return f" {_token(element)} "


def _parts(element: Element) -> list[str]:
    return [_linear(child).strip() for child in element if isinstance(child.tag, str)]


def _raised(element: Element) -> str:
    """A base with what stands above it, an accent on it."""
    parts = [*_parts(element), "", ""]
    if parts[1] in _ACCENTS:
        return parts[0] + _ACCENTS[parts[1]]
    return parts[0] + (f"^{_grouped(parts[1])}" if parts[1] else "")


def _lowered(element: Element) -> str:
    """A base with its index: joined as in running text (Cmax), but never making one number of two."""
    parts = [*_parts(element), "", "", ""]
    base, index = parts[0], parts[1]
    apart = base in _BIG or base[-1:].isdigit() or not index[:1].isalnum()
    if index and apart:
        index = f"_{_grouped(index)}"
    return base + index + (f"^{_grouped(parts[2])}" if parts[2] else "")


def _grouped(part: str) -> str:
    return part if part.isalnum() or len(part) == 1 or re.fullmatch(r"[−-]?[\w.]+", part) else f"({part})"


def _fraction(element: Element) -> str:
    return "/".join(_grouped(part) for part in _parts(element))


def _root(element: Element) -> str:
    return _root_of(_row(element).strip())


def _higher_root(element: Element) -> str:
    base, index = [*_parts(element), "", ""][:2]
    return _root_of(base, index)


def _root_of(base: str, index: str | None = None) -> str:
    return f"({base})^(1/{index})" if index else f"sqrt({base})"


def _fenced(element: Element) -> str:
    separator = (element.get("separators") or ",").strip()[:1]
    return element.get("open", "(") + f"{separator} ".join(_parts(element)) + element.get("close", ")")


def _table_row(element: Element) -> str:
    return " " + " ".join(_parts(element)) + " "


def _nothing(element: Element) -> str:
    return ""


def _blank(element: Element) -> str:
    return " "


_FORMS: dict[str, Callable[[Element], str]] = {
    "mi": _token,
    "mn": _token,
    "ms": _token,
    "mo": _operator,
    "mtext": _words,
    "mspace": _blank,
    "msup": _raised,
    "mover": _raised,
    "msub": _lowered,
    "munder": _lowered,
    "msubsup": _lowered,
    "munderover": _lowered,
    "mfrac": _fraction,
    "msqrt": _root,
    "mroot": _higher_root,
    "mfenced": _fenced,
    "mtr": _table_row,
    "mlabeledtr": _table_row,
    "annotation": _nothing,
    "annotation-xml": _nothing,
}
