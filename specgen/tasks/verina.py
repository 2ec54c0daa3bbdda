"""VERINA: the folder layout of its repository, and the Hugging Face data set `sunblaze-ucb/verina`.

Both carry the same `task.lean`: sections between `-- !benchmark @start NAME` and `@end NAME` inside fixed heads. Two of
them belong to the task (`task_aux`, imports of type `task`); the rest is the reference solution, which goes into the
reference contract and the implementation. Labels in VERINA's words: a test's `input` must satisfy the precondition,
its `expected` output must be accepted, each `unexpected` one rejected, and a reject input must be refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from specgen.errors import EnvironmentMissingError, UserError
from specgen.tasks._loading import (
    BrokenRecordError,
    Loaded,
    OnBroken,
    collect,
    fielded,
    json_lines,
    kinds,
    read_json,
    read_text,
)
from specgen.tasks._text import declared_names, mentions
from specgen.tasks.model import (
    ContractSource,
    Difficulty,
    Implementation,
    Inputs,
    Labels,
    LeanContext,
    Pair,
    Parameter,
    Provenance,
    Signature,
    Task,
)
from specgen.tasks.values import ValueFormatError, lean_term

HUB_NAME = "sunblaze-ucb/verina"
LEAN_VERSION = "4.18.0"
LICENCE = "Apache-2.0"

_MARK = re.compile(
    r"^[ \t]*--[ \t]*!benchmark[ \t]+@(start|end)[ \t]+(\w+)(?:[ \t]+type=(\w+))?[^\n]*\n?", re.MULTILINE
)
_HEADING = re.compile(r"^-----Description-----[ \t]*\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Section:
    """A marked section: the offsets of its inside, and of the whole with its marks."""

    kind: str
    inside: tuple[int, int]
    whole: tuple[int, int]


def load_verina(path: Path | None = None, *, on_broken: OnBroken = "raise") -> Loaded:
    """Load VERINA.

    Args:
        path: the folder with the task folders (or one task folder), or a JSONL file of the hub's records; None takes
            the data set from the Hugging Face hub.
        on_broken: `raise` at the first broken record, or `skip` it and count it.

    Raises:
        UserError: no such path, no task in it, a broken record.
        EnvironmentMissingError: the hub cannot be used (no `datasets` package, no network).
    """
    if path is None:
        return load_verina_hub(on_broken=on_broken)
    if path.is_dir():
        return _load_folders(path, on_broken)
    if not path.exists():
        raise UserError(
            f"there is no VERINA data at {path}", remedy="Give the folder that holds verina_basic_1 and so on"
        )
    return collect(json_lines(path), _read_hub_record, on_broken, str(path))


def _load_folders(root: Path, on_broken: OnBroken) -> Loaded:
    folders = [root] if (root / "task.json").exists() else [p.parent for p in root.glob("*/task.json")]
    folders += [p for p in root.glob("verina_*") if p.is_dir() and p not in folders]
    if not folders:
        raise UserError(f"no folder under {root} holds a task.json", remedy="Give the folder datasets/verina of VERINA")
    records = ((str(folder), folder) for folder in sorted(folders, key=lambda f: _natural_order(f.name)))
    return collect(records, _read_folder, on_broken, str(root))


def load_verina_hub(
    name: str = HUB_NAME, *, split: str = "train", on_broken: OnBroken = "raise", data_files: str | None = None
) -> Loaded:
    """Load VERINA through the `datasets` library.

    Args:
        name: the data set's name on the hub, or a builder's name such as `json` together with `data_files`.
        split: its split (VERINA has one).
        data_files: a local file of the same schema.

    Raises:
        EnvironmentMissingError: `datasets` is not installed, or the hub cannot be reached.
        UserError: a broken record.
    """
    try:
        from datasets import load_dataset
    except ImportError:
        raise EnvironmentMissingError(
            "the Hugging Face library `datasets` is not installed",
            remedy='Install it with `pip install "specgen[hub]"`, or give a VERINA folder with --path',
        ) from None
    try:
        rows: Iterable[Any] = load_dataset(name, split=split, **({"data_files": data_files} if data_files else {}))
    except (OSError, RuntimeError, ValueError, LookupError) as error:
        raise EnvironmentMissingError(
            f"the data set {name} could not be loaded from the Hugging Face hub ({_first_line(error)})",
            remedy="Check the network, or give a VERINA folder with --path",
        ) from None
    records = ((f"{name}, row {number}", dict(row)) for number, row in enumerate(rows))
    return collect(records, _read_hub_record, on_broken, name)


def _first_line(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0][:200]


def _natural_order(name: str) -> tuple[str, int]:
    stem, _, number = name.rpartition("_")
    return (stem, int(number)) if number.isdigit() else (name, -1)


# ------------------------------------------------------------------------------------------------------------- folders


def _read_folder(where: str, folder: Path) -> Task:
    record: Any = read_json(read_text(folder / "task.json", where), where, "task.json")
    if not isinstance(record, dict):
        raise BrokenRecordError(where, "task.json", "an object is expected")

    def text(key: str, default: str) -> str:
        return read_text(folder / str(record.get(key, default)), where)

    def items(key: str, default: str) -> list[Any]:
        value: Any = read_json(text(key, default), where, str(record.get(key, default)))
        if not isinstance(value, list):
            raise BrokenRecordError(where, str(record.get(key, default)), "a list is expected")
        return value

    return _build(
        where=where,
        record=record,
        description=text("description_file", "./description.txt"),
        lean=text("lean_file", "./task.lean"),
        tests=items("test_file", "./test.json"),
        rejects=items("reject_inputs_file", "./reject_inputs.json"),
    )


# ----------------------------------------------------------------------------------------------------------------- hub


def _read_hub_record(where: str, record: Mapping[str, Any] | BrokenRecordError) -> Task:
    if isinstance(record, BrokenRecordError):
        raise record
    plain = {key: _from_json_text(record.get(key), dict) for key in ("signature", "metadata")}
    tests = _from_json_text(fielded(record, "tests", object, where), list)
    rejects = _from_json_text(record.get("reject_inputs") or [], list)
    if not isinstance(tests, list) or not isinstance(rejects, list):
        raise BrokenRecordError(
            where, "tests" if not isinstance(tests, list) else "reject_inputs", "a list is expected"
        )
    signature = plain["signature"] if isinstance(plain["signature"], dict) else {}
    decode = _decoder(str(signature.get("return_type", "")), tests)
    return _build(
        where=where,
        record={**record, **plain},
        description=fielded(record, "description", str, where),
        lean=fielded(record, "lean_code", str, where),
        tests=[_hub_test(test, decode) for test in tests],
        rejects=[_hub_test(test, decode) for test in rejects],
    )


def _from_json_text(value: Any, kind: type) -> Any:
    """Return a field that may be kept as JSON text; text that is not JSON of that kind stays as it is."""
    if not isinstance(value, str):
        return value
    try:
        found = json.loads(value)
    except json.JSONDecodeError:
        return value
    return found if isinstance(found, kind) else value


def _decoder(result_type: str, tests: list[Any]) -> Any:
    """Return how the strings of `expected` and `unexpected` are read.

    The hub keeps every output as a string. For a String result it does not say whether that is the text itself or its
    JSON: it is JSON when every output of the record is a JSON string.
    """
    outputs = [
        o for t in tests if isinstance(t, dict) for key in ("expected", "unexpected") for o in _listed(t.get(key))
    ]
    texts = [o for o in outputs if isinstance(o, str)]

    def decode(value: Any) -> Any:
        if not isinstance(value, str) or result_type != "String":
            return value
        return json.loads(value)

    quoted = bool(texts) and all(isinstance(_from_json_text(o, str), str) and _is_json_string(o) for o in texts)
    return decode if quoted else (lambda value: value)


def _is_json_string(text: str) -> bool:
    try:
        return isinstance(json.loads(text), str)
    except json.JSONDecodeError:
        return False


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _hub_test(test: Any, decode: Any) -> Any:
    """Bring a hub record's test into the form of a folder's; what is not one is left for `_build` to refuse."""
    if not isinstance(test, dict):
        return test
    out = {"input": test.get("input")}
    if isinstance(out["input"], str):
        try:
            out["input"] = read_json(out["input"], "", "input")
        except BrokenRecordError:
            return test
    if isinstance(out["input"], dict):
        # `datasets` gives every test the keys of all of them, those it lacks as null.
        out["input"] = {key: value for key, value in out["input"].items() if value is not None}
    if "expected" in test:
        out["expected"] = [decode(value) for value in _listed(test["expected"])]
        out["unexpected"] = [decode(value) for value in _listed(test.get("unexpected"))]
        out["several"] = True
    return out


# --------------------------------------------------------------------------------------------------------------- tasks


def _build(
    *, where: str, record: Mapping[str, Any], description: str, lean: str, tests: list[Any], rejects: list[Any]
) -> Task:
    identity = fielded(record, "id", str, where)
    signature = _signature(fielded(record, "signature", dict, where), where)
    sections = _sections(lean, where)
    reference, code, context = _lean_parts(lean, sections, signature.name)
    text = _HEADING.sub("", description).strip()
    if not text:
        raise BrokenRecordError(where, "description", "the description is empty")
    upstream = (record.get("metadata") or {}).get("upstream") or {}
    inside = sections["code"].inside
    return Task(
        id=identity,
        requirement=text,
        signature=signature,
        context=context,
        provenance=Provenance("verina", identity, LICENCE, "https://github.com/sunblaze-ucb/verina"),
        references=(reference,),
        implementation=Implementation(code, signature.name),
        labels=_labels(signature, tests, rejects, where),
        difficulty=_difficulty(record, identity),
        metadata=kinds(
            signature,
            _inside(lean, sections, "code_aux") + f"def {signature.name} :=\n" + lean[slice(*inside)],
            signature.name,
            origin=str(upstream.get("name", "")) if isinstance(upstream, dict) else "",
        ),
    )


def _difficulty(record: Mapping[str, Any], identity: str) -> Difficulty:
    for text in (str(record.get("difficulty") or ""), identity):
        if "advanced" in text.lower():
            return "advanced"
        if "basic" in text.lower():
            return "basic"
    return "unknown"


def _signature(record: Mapping[str, Any], where: str) -> Signature:
    name = fielded(record, "name", str, f"{where}, field signature")
    parameters = []
    for at, item in enumerate(fielded(record, "parameters", list, f"{where}, field signature")):
        place = f"{where}, field signature.parameters[{at}]"
        if not isinstance(item, dict):
            raise BrokenRecordError(place, "", "an object is expected")
        # One upstream file calls the type `type`.
        kind = item.get("param_type", item.get("type", item.get("param_name") and None))
        if not isinstance(kind, str) or not kind.strip():
            raise BrokenRecordError(place, "param_type", "the field is missing or empty")
        parameters.append(Parameter(fielded(item, "param_name", str, place), kind.strip()))
    result = fielded(record, "return_type", str, f"{where}, field signature")
    return Signature(name, tuple(parameters), result.strip())


def _sections(lean: str, where: str) -> dict[str, _Section]:
    """Find the marked sections; `import` and its types become `import:task`, `import:solution`."""
    found: dict[str, _Section] = {}
    started: tuple[str, re.Match[str]] | None = None
    for mark in _MARK.finditer(lean):
        kind = f"{mark.group(2)}:{mark.group(3)}" if mark.group(3) else mark.group(2)
        if mark.group(1) == "start":
            started = (kind, mark)
        elif started and started[0].split(":")[0] == mark.group(2):
            start = started[1]
            found[started[0]] = _Section(started[0], (start.end(), mark.start()), (start.start(), mark.end()))
            started = None
    missing = [name for name in ("precond", "code", "postcond") if name not in found]
    if missing:
        raise BrokenRecordError(
            where, "task.lean", f"the section {missing[0]} is missing (`-- !benchmark @start {missing[0]}` … `@end`)"
        )
    return found


def _inside(lean: str, sections: Mapping[str, _Section], kind: str) -> str:
    section = sections.get(kind)
    return lean[slice(*section.inside)] if section else ""


def _lean_parts(lean: str, sections: Mapping[str, _Section], function: str) -> tuple[ContractSource, str, LeanContext]:
    """Cut `task.lean` into reference contract, implementation and context.

    Each text is complete after the context's preamble: the implementation carries the precondition its proof argument
    names, the contract carries the implementation only where it mentions it or its auxiliaries.
    """
    given = _inside(lean, sections, "task_aux").strip()
    solution = _inside(lean, sections, "solution_aux").strip("\n")
    pre = _region(lean, sections, "precond_aux", "precond")
    code = _region(lean, sections, "code_aux", "code")
    post = _region(lean, sections, "postcond_aux", "postcond")
    needed = mentions(post, (*declared_names(code), function))
    contract = ContractSource(
        "prepost",
        _joined(solution, pre, code if needed else "", post),
        postcondition=f"{function}_postcond",
        precondition=f"{function}_precond",
    )
    imports = ["Mathlib", *_imports(lean)]
    context = LeanContext(LEAN_VERSION, tuple(dict.fromkeys(imports)), given)
    return contract, _joined(solution, pre, code), context


def _region(lean: str, sections: Mapping[str, _Section], aux: str, main: str) -> str:
    """Return the text from the auxiliary section (or the end of the section before) to the end of the main one."""
    end = sections[main].whole[1]
    if aux in sections:
        start = sections[aux].whole[0]
    else:
        start = max((s.whole[1] for s in sections.values() if s.whole[1] <= sections[main].whole[0]), default=0)
    return _MARK.sub("", lean[start:end]).strip("\n")


def _joined(*parts: str) -> str:
    return "\n\n".join(part for part in (p.strip("\n") for p in parts) if part.strip()) + "\n"


def _imports(lean: str) -> Iterator[str]:
    for found in re.finditer(r"^import[ \t]+([^\n]+)$", lean, re.MULTILINE):
        yield from found.group(1).split("--")[0].split()


# -------------------------------------------------------------------------------------------------------------- labels


def _labels(signature: Signature, tests: list[Any], rejects: list[Any], where: str) -> Labels:
    accepted, rejected = list[Pair](), list[Pair]()
    for number, test in enumerate(tests):
        place = f"{where}, test {number}"
        inputs = _inputs(signature, test, place)
        for name in ("expected", "unexpected"):
            if name not in test:
                raise BrokenRecordError(place, name, "the field is missing")
        outputs = test["expected"] if test.get("several") else [test["expected"]]
        accepted += [Pair(inputs, _value(o, signature.result_type, place, "expected")) for o in outputs]
        if not isinstance(test["unexpected"], list):
            raise BrokenRecordError(place, "unexpected", "a list is expected")
        rejected += [Pair(inputs, _value(o, signature.result_type, place, "unexpected")) for o in test["unexpected"]]
    forbidden = tuple(_inputs(signature, r, f"{where}, reject input {n}") for n, r in enumerate(rejects))
    required = tuple(dict.fromkeys(pair.inputs for pair in accepted))
    return Labels(tuple(accepted), tuple(rejected), required, forbidden)


def _inputs(signature: Signature, test: Any, where: str) -> Inputs:
    if not isinstance(test, dict) or not isinstance(test.get("input"), dict):
        raise BrokenRecordError(where, "input", "an object with one value a parameter is expected")
    given = test["input"]
    wanted = [p.name for p in signature.parameters]
    if set(given) != set(wanted):
        raise BrokenRecordError(
            where,
            "input",
            f"the parameters are {', '.join(wanted) or 'none'}, the input has {', '.join(given) or 'none'}",
        )
    return tuple(_value(given[p.name], p.type, where, f"input.{p.name}") for p in signature.parameters)


def _value(value: Any, type_text: str, where: str, field: str) -> str:
    try:
        return lean_term(value, type_text)
    except ValueFormatError as error:
        raise BrokenRecordError(where, field, error.message, remedy=error.remedy) from None
