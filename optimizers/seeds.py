"""Seed prompts: where an optimisation starts, and the baselines it is compared with. The wording is ours."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from difflib import get_close_matches
from importlib import resources
from pathlib import Path

from specgen.errors import UserError
from specgen.generators import Shot

SEED_NAMES = ("zero-shot", "least-to-most", "chain-of-thought")


@dataclass(frozen=True, slots=True)
class Prompt:
    """Instructions with a name; `origin` says where they come from (`seed`, or an optimiser's arm).

    `shots` are worked examples that an optimiser chose from the training tasks.
    """

    name: str
    instructions: str
    origin: str = "seed"
    shots: tuple[Shot, ...] = ()

    def hash(self) -> str:
        """Return the SHA-256 (hex) of instructions and shots."""
        content = [self.instructions, *([s.view.task_id, s.reply] for s in self.shots)]
        text = self.instructions if not self.shots else json.dumps(content, ensure_ascii=False)
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def seed_prompt(name: str) -> Prompt:
    """Return a seed prompt: one of ours by name, instructions of the user's own from a text file (`.md`, `.txt`), or a
    tuned prompt from its file (`.json`). A file's prompt is named after the file.

    Raises:
        UserError: for an unknown name (the nearest one is suggested), or a file that cannot be read or is empty.
    """
    if name.endswith((".md", ".txt", ".json")):
        return _from_file(Path(name))
    if name not in SEED_NAMES:
        near = get_close_matches(name, SEED_NAMES, n=1)
        hint = f"Did you mean {near[0]!r}? " if near else ""
        raise UserError(f"unknown seed prompt {name!r}", remedy=f"{hint}Known: {', '.join(SEED_NAMES)}, or a file")
    text = resources.files("optimizers").joinpath("prompts", f"{name}.md").read_text(encoding="utf-8")
    return Prompt(name, " ".join(text.split()))


def _from_file(path: Path) -> Prompt:
    if path.suffix == ".json":
        from optimizers.saved import load_tuned

        return replace(load_tuned(path).prompt, name=path.stem)
    try:
        text = path.read_text(encoding="utf-8-sig").strip()
    except (OSError, UnicodeDecodeError) as exc:
        raise UserError(f"cannot read the seed prompt {path}: {exc}", remedy="Name a text file in UTF-8") from exc
    if not text:
        raise UserError(f"the seed prompt {path} is empty", remedy="Write instructions into it")
    return Prompt(path.stem, text, f"file {path.name}")
