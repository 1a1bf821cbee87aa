"""A project file made, copied and removed whole."""

from __future__ import annotations

from pathlib import Path

from app.store import database
from app.store.act import Act, Header
from app.store.annotate.annotators import ensure_annotator, kind_of
from app.store.locks import lock_of
from app.store.project import Project
from app.store.values import new_uuid
from extractors.assets import asset
from extractors.model.errors import ProjectError
from extractors.model.scheme import SCHEME_FILE, load_scheme


def create_project_file(
    path: Path, scheme_folder: Path | None = None, annotator: str | None = None
) -> Project:
    """Make a project with the scheme of that folder (the clinical one if None) and open it for writing.

    ".casespan" is added where `path` does not end in it; `annotator` becomes the first annotator and the
    project's owner. Raises ProjectError where the path is taken or the annotator's name is kept for runs,
    SchemeError for a broken scheme, StorageError; then nothing is left behind.
    """
    if annotator:
        kind_of(annotator)
    path = _free(path)
    folder = scheme_folder if scheme_folder is not None else asset("guidelines", "clinical14")
    scheme = load_scheme(folder)
    database.create_database(path, lambda db: _fill(Project(path, db, scheme, None), folder, annotator))
    return Project.open(path, write=True)


def copy_project(project: Project, path: Path) -> Path:
    """Write the whole project, as it stands on disk, into a new file and return its path.

    Works also where the project's own file is gone as long as the project is open. ".casespan" is added where
    `path` does not end in it. Raises ProjectError where the path is taken, has no folder, or an act is under
    way, StorageError where the copy cannot be written; then nothing is left behind.
    """
    path = _free(path)
    # The copy may be given the name that the project's own file has lost.
    project.step_aside()
    database.copy_database(project.db, path)
    return path


def remove_project(project: Project) -> None:
    """Close a project and remove its file with all that stands beside it; for one that was never finished."""
    ours = project.in_place
    project.close()
    if ours:
        database.remove(project.path)
        lock_of(project.path).unlink(missing_ok=True)


def _free(path: Path) -> Path:
    """Where a new project of that name goes; raises ProjectError where it cannot."""
    path = with_suffix(path)
    if path.exists():
        raise ProjectError(f"{path} exists already; choose another name or open it.")
    if not path.parent.is_dir():
        raise ProjectError(f"There is no folder {path.parent}; make it first.")
    return path


def with_suffix(path: Path) -> Path:
    """The path with ".casespan" where it is missing; raises ProjectError for what is no name."""
    nameless = path.name.lower() in ("", "..", database.SUFFIX)
    if nameless or any(char < " " for char in path.name):
        raise ProjectError(f"{str(path)!r} is no name for a project; give it one.")
    if path.name.casefold().endswith(database.SUFFIX):
        return path
    # Not `Path.with_suffix`: of "Dr. Ruiz" the part behind the dot is no suffix.
    return path.with_name(path.name + database.SUFFIX)


def _fill(project: Project, folder: Path, annotator: str | None) -> None:
    """The first act of a new project: its scheme, file by file, its first annotator and its owner."""
    act = Act(project, Header("create project", annotator or "casespan", undoable=False))
    keep_scheme(act, folder)
    if annotator:
        ensure_annotator(act, annotator, kind_of(annotator))
    project.db.table("meta").insert({"key": "owner", "value": annotator or ""})
    act.write_history()


def keep_scheme(act: Act, folder: Path) -> None:
    """Put the scheme of that folder into the act's project, file by file."""
    texts = {SCHEME_FILE: (folder / SCHEME_FILE).read_text(encoding="utf-8-sig")}
    texts |= {f"{category.id}.md": category.guideline for category in act.project.scheme.categories}
    for name, text in texts.items():
        act.insert("scheme_file", {"uuid": new_uuid(), "name": name, "text_sha256": act.keep_text(text)})
