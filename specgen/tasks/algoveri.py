"""AlgoVeri: one folder an algorithm, `lean_spec.lean` (pre- and postcondition only) and mostly `lean_nl.txt`.

There are no labelled examples; the Lean text is the reference, and is kept whole in `metadata["lean"]`.
"""

from __future__ import annotations

from pathlib import Path

from specgen.errors import UserError
from specgen.tasks._leanfile import read_contract_file
from specgen.tasks._loading import Loaded, OnBroken, collect, kinds, read_text
from specgen.tasks.model import LeanContext, Provenance, Task

LEAN_VERSION = "4.24.0"
LICENCE = "Apache-2.0"
_REQUIREMENTS = ("lean_nl.txt", "lean_spec.txt")


def load_algoveri(path: Path, *, on_broken: OnBroken = "raise") -> Loaded:
    """Load AlgoVeri from its folder of tasks (or one task folder).

    Raises:
        UserError: no folder with a lean_spec.lean at `path`, or a broken record.
    """
    folders = sorted({file.parent for file in (*path.glob("lean_spec.lean"), *path.glob("*/lean_spec.lean"))})
    if not folders:
        raise UserError(f"no folder under {path} holds a lean_spec.lean", remedy="Give the folder of AlgoVeri's tasks")
    return collect(((str(folder), folder) for folder in folders), _task, on_broken, str(path))


def _task(where: str, folder: Path) -> Task:
    lean = read_text(folder / "lean_spec.lean", where)
    words = next((folder / name for name in _REQUIREMENTS if (folder / name).is_file()), None)
    parts = read_contract_file(lean, where)
    return Task(
        id=f"algoveri_{folder.name}",
        requirement=read_text(words, where).strip() if words else "",
        signature=parts.signature,
        context=LeanContext(LEAN_VERSION, parts.imports, parts.preamble),
        provenance=Provenance("algoveri", folder.name, LICENCE, "https://github.com/haoyuzhao123/algoveri"),
        references=parts.references,
        implementation=parts.implementation,
        metadata=kinds(
            parts.signature,
            parts.code if parts.implementation else "",
            parts.signature.name,
            lean=lean,
            style=parts.style,
            generic="true" if parts.generic else "false",
        ),
    )
