"""The manifest of a run: everything its numbers depend on, written before the first call."""

from __future__ import annotations

import fcntl
import platform
from collections.abc import Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import IO, Any

from runs.config import ExperimentConfig
from runs.store import SCHEMA, read_json, write_json
from specgen import __version__
from specgen.errors import UserError
from specgen.tasks.model import Task

RECORDED_PACKAGES = ("dspy", "gepa", "litellm", "openai", "clever-bench", "numpy", "pydantic", "z3-solver")


def package_versions() -> dict[str, str]:
    """Return the versions of Python, of specgen and of the packages that numbers may depend on."""
    versions = {"python": platform.python_version(), "specgen": __version__}
    for name in RECORDED_PACKAGES:
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            versions[name] = "not installed"
    return versions


def make_manifest(
    config: ExperimentConfig,
    splits: Mapping[str, Sequence[Task]],
    set_aside: Mapping[str, str],
    prompts: Mapping[str, str],
    simulated: Mapping[str, bool],
    generator: Mapping[str, str],
) -> dict[str, Any]:
    """Return the manifest's content.

    `splits` maps split to tasks; `set_aside` task id to reason; `prompts` seed name to instructions; `simulated`
    role to whether its model is simulated; `generator` name and version.
    """
    import hashlib

    return {
        "schema": SCHEMA,
        "name": config.experiment.name,
        "simulated": any(simulated.values()),
        "models": {
            "task": {"name": config.model.task, "simulated": simulated["task"]},
            "reflection": {"name": config.model.reflection, "simulated": simulated["reflection"]},
        },
        "config": config.model_dump(mode="json"),
        "generator": dict(generator),
        "prompts": {
            k: {"instructions": v, "sha256": hashlib.sha256(v.encode()).hexdigest()} for k, v in prompts.items()
        },
        "tasks": {
            name: [{"id": t.id, "fingerprint": t.fingerprint(), "labels": t.labels.size()} for t in tasks]
            for name, tasks in splits.items()
        },
        "set_aside": dict(set_aside),
        "seed": config.experiment.seed,
        "versions": package_versions(),
    }


def differences(old: Any, new: Any, path: str = "") -> list[str]:
    """Return where two JSON values differ, as `path: old -> new`."""
    if isinstance(old, dict) and isinstance(new, dict):
        out = []
        for key in sorted(old.keys() | new.keys()):
            where = f"{path}.{key}" if path else str(key)
            if key not in old or key not in new:
                out.append(f"{where}: {_short(old.get(key, 'absent'))} -> {_short(new.get(key, 'absent'))}")
            else:
                out.extend(differences(old[key], new[key], where))
        return out
    return [] if old == new else [f"{path}: {_short(old)} -> {_short(new)}"]


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 60 else text[:57] + "..."


def open_manifest(folder: Path, manifest: dict[str, Any], resume: bool) -> bool:
    """Write the manifest of a new run, or check it against the one that is there. Returns whether the run is resumed.

    Caps, limits and prices may change between sittings, and versions of packages, which are then added to the manifest
    (`resumed_with`); everything else must be the same.

    Raises:
        UserError: when there is a run and `resume` was not asked for, or it was made with another configuration (the
            differences are listed), or a part of it is gone.
    """
    path, records = folder / "manifest.json", folder / "records.jsonl"
    begun = records.exists() and records.stat().st_size > 0
    asks = manifest.get("kind") != "evaluation" or "models" in manifest
    for part in (path, folder / "calls.sqlite") if asks else (path,):
        if begun and not part.exists():
            raise UserError(
                f"{folder} holds records of a run, but {part.name} is gone",
                remedy="Restore it, or start a new run in another folder with --out",
            )
    if not path.exists():
        write_json(path, manifest)
        return False
    if not resume:
        raise UserError(
            f"there is already a run in {folder}", remedy="Go on with --resume, or choose another folder with --out"
        )
    old = read_json(path)
    if not isinstance(old, dict):
        raise UserError(f"{path} is not the manifest of a run", remedy="Restore the file, or start a new run")
    ignored = ("versions", "resumed_with")
    before = {k: v for k, v in old.items() if k not in ignored}
    after = {k: v for k, v in manifest.items() if k not in ignored}
    for content in (before, after):
        config = content.get("config")
        content["config"] = _lasting(config) if isinstance(config, dict) else config
    found = differences(before, after)
    if found:
        listed = "; ".join(found[:5]) + (f"; and {len(found) - 5} more" if len(found) > 5 else "")
        raise UserError(
            f"the run in {folder} was made with another configuration: {listed}",
            remedy="Resume with the same configuration, or start a new run with --out",
        )
    sittings = [old.get("versions"), *old.get("resumed_with", [])]
    if manifest["versions"] not in sittings:
        write_json(path, {**old, "resumed_with": [*sittings[1:], manifest["versions"]]})
    return True


def _lasting(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part of a configuration that must stay the same: not caps, limits, prices and patience."""
    free = ("limits", "prices", "outage", "concurrency", "timeout_s")
    model = config.get("model")
    kept = {k: v for k, v in config.items() if k != "budget"}
    return {**kept, "model": {k: v for k, v in model.items() if k not in free}} if isinstance(model, dict) else kept


def lock_run(folder: Path) -> IO[str]:
    """Take the run folder for this process; the lock ends with the process or when the file is closed.

    Raises:
        UserError: when another process works in it, or the folder cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle = open(folder / ".lock", "w", encoding="utf-8")  # noqa: SIM115 - held for the life of the run
    except OSError as exc:
        raise UserError(
            f"cannot write in {folder}: {exc.strerror or exc}", remedy="Choose a folder that can be written with --out"
        ) from exc
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as exc:
        handle.close()
        raise UserError(
            f"another process is working in {folder}", remedy="Wait for it, or choose another folder with --out"
        ) from exc
    return handle
