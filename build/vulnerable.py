"""Say for which packages known vulnerabilities were asked after, and which have any.

Its argument is what pip-audit writes as JSON. Ends with 1 where a package has one, or none was checked.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path


def main(file: Path) -> int:
    """Print what was checked, what was not, and what was found."""
    try:
        packages = json.loads(file.read_text("utf-8"))["dependencies"]
    except (OSError, ValueError, LookupError):
        sys.stdout.write("Known vulnerabilities: nothing was checked, the service gave no answer.\n")
        return 1
    unknown = [one["name"] for one in packages if "skip_reason" in one]
    found = [
        f"  {one['name']} {one['version']}: {', '.join(fault['id'] for fault in one['vulns'])}"
        for one in packages
        if one.get("vulns")
    ]
    checked = len(packages) - len(unknown)
    lines = [f"Known vulnerabilities: {checked} of {len(packages)} packages checked, {len(found)} have any."]
    if unknown:
        lines.append(f"Not checked, the service does not know them: {', '.join(unknown)}.")
    sys.stdout.write("\n".join([*lines, *found]) + "\n")
    return int(bool(found) or not checked)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
