"""The modes of the window, each registered by one line: bar, menus, keys and the list of keys follow."""

from __future__ import annotations

from app.gui.modes.agreement.spec import SPEC as AGREEMENT
from app.gui.modes.mode import ModeSpec
from app.gui.modes.phenotypes.spec import SPEC as PHENOTYPES
from app.gui.modes.reconcile.spec import SPEC as RECONCILE
from app.gui.modes.review.spec import SPEC as REVIEW
from app.gui.modes.study.spec import SPEC as STUDY

# What the workbench itself does; the others take their places around the same report.
ANNOTATE = ModeSpec("annotate", "&Annotate", "Ctrl+1")
# In the order of the bar.
MODES: dict[str, ModeSpec] = {spec.id: spec for spec in (REVIEW, AGREEMENT, RECONCILE, STUDY, PHENOTYPES)}
