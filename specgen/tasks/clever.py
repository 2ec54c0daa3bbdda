"""CLEVER: the 161 problems of the `clever-bench` package.

A problem is a Lean file with sections between `-- start_def NAME` and `-- end_def NAME`. The reference is relational:
`problem_spec impl x…`. The labels are the `#test implementation ARGS = RESULT` lines, most of them in comments and many
of them half Python (`True`, `'abc'`, `{'a': 1}`, `14 -15`): every such line becomes one accepted pair whose terms fit
the types of the implementation's signature. Where no line of a problem can be read so, the test cases of its docstring
block are taken.

Helpers: a helper that the package lists for a problem is part of what a specification writer is given (the context's
preamble); one that only the reference or the implementation needs goes into their texts.
"""

from __future__ import annotations

import ast
import importlib.util
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from specgen.errors import EnvironmentMissingError, UserError
from specgen.tasks._clever_tests import Unreadable, test_lines, test_pair
from specgen.tasks._leanfile import Chunk, closure
from specgen.tasks._loading import BrokenRecordError, Loaded, OnBroken, collect, kinds, read_text
from specgen.tasks._text import Head, declared_names, find_head, line_of, strip_parens, words
from specgen.tasks.model import (
    ContractSource,
    Implementation,
    Labels,
    LeanContext,
    Pair,
    Provenance,
    Signature,
    Task,
)
from specgen.tasks.values import ValueFormatError, lean_term

LEAN_VERSION = "4.24.0"
LICENCE = "MIT"
SPEC = "problem_spec"
IMPLEMENTATION = "implementation"

_MARK = re.compile(r"^-[- ]*(start|end)_def[ \t]+(\w+)[^\n]*\n?", re.MULTILINE)
_DOC = re.compile(r"/--(.*?)-/", re.DOTALL)
_FUNCTION_NAME = re.compile(r"\s*def\s+([A-Za-z_]\w*)")
_IGNORED_LINE = re.compile(r"^(?:import\b|open\b|set_option\b)")


def load_clever(path: Path | None = None, *, on_broken: OnBroken = "raise") -> Loaded:
    """Load CLEVER.

    Args:
        path: the package's `lean4` folder (with `human_eval/` and `Imports/AllImports.lean`); None finds the installed
            `clever-bench` package.
        on_broken: `raise` at the first broken record, or `skip` it and count it.

    Raises:
        UserError: no problem files at `path`, or a broken record.
        EnvironmentMissingError: `clever-bench` is not installed.
    """
    root = path if path is not None else _installed()
    folder = root / "human_eval" if (root / "human_eval").is_dir() else root
    files = sorted(folder.glob("problem_*.lean"), key=_number)
    if not files:
        raise UserError(
            f"there are no files problem_*.lean at {folder}", remedy="Give the lean4 folder of the clever-bench package"
        )
    shared = next(
        (p for p in (root / "Imports/AllImports.lean", folder.parent / "Imports/AllImports.lean") if p.exists()), None
    )
    imports, helpers = _helpers(read_text(shared)) if shared else ((), ())
    records = ((str(file), file) for file in files)
    return collect(records, lambda where, file: _problem(where, file, imports, helpers), on_broken, str(folder))


def _installed() -> Path:
    spec = importlib.util.find_spec("clever_bench")
    for place in (spec.submodule_search_locations or ()) if spec else ():
        if (Path(place) / "lean4").is_dir():
            return Path(place) / "lean4"
    raise EnvironmentMissingError(
        "the package clever-bench is not installed", remedy="Install it with `pip install clever-bench`"
    )


def _number(file: Path) -> int:
    digits = file.stem.rpartition("_")[2]
    return int(digits) if digits.isdigit() else -1


# ------------------------------------------------------------------------------------------------------------- helpers


@lru_cache(maxsize=4)
def _helpers(text: str) -> tuple[tuple[str, ...], tuple[Chunk, ...]]:
    """Read AllImports.lean: the modules it imports, and its helper definitions in order."""
    body = text.split("-- start_def test_cases")[0]
    imports = tuple(m for found in re.finditer(r"^import[ \t]+(\S+)", body, re.MULTILINE) for m in [found.group(1)])
    body = _MARK.sub("", body)
    starts = [found.start() for found in re.finditer(r"^/--", body, re.MULTILINE)]
    helpers = []
    for start, end in zip(starts, [*starts[1:], len(body)], strict=True):
        chunk = body[start:end]
        doc = _DOC.match(chunk)
        if doc is None:
            continue
        code = chunk[doc.end() :].strip()
        helpers.append(Chunk(code, declared_names(code), _listed_for(doc.group(1))))
    return imports, tuple(helpers)


def _listed_for(doc: str) -> tuple[int, ...]:
    try:
        fields = yaml.safe_load(doc)
    except yaml.YAMLError:
        return ()
    listed = fields.get("problems") if isinstance(fields, dict) else None
    return tuple(n for n in listed if isinstance(n, int)) if isinstance(listed, list) else ()


# ------------------------------------------------------------------------------------------------------------ problems


def _problem(where: str, file: Path, imports: tuple[str, ...], helpers: tuple[Chunk, ...]) -> Task:
    text = read_text(file, where)
    number = _number(file)
    sections, loose = _sections(text)
    details = _details(_need(sections, "problem_details", where), where)
    spec = _need(sections, SPEC, where).strip("\n")
    head_text = _need(sections, "implementation_signature", where)
    head = find_head(head_text, IMPLEMENTATION)
    if head is None:
        raise BrokenRecordError(where, "implementation_signature", "no `def implementation` with typed parameters")
    if find_head(spec, SPEC) is None:
        raise BrokenRecordError(where, SPEC, "no `def problem_spec`")
    signature = Signature(_function_name(details, where), head.parameters(), _result_type(head))
    body = _need(sections, "implementation", where).rstrip()
    own = (*helpers, *(Chunk(t, declared_names(t), ()) for t in loose))
    listed = tuple(h for h in helpers if number in h.problems)
    given = closure(own, (), listed)
    code = f"{head_text.strip()}\n{body}"
    implementation = None
    if "sorry" not in set(words(body)):
        implementation = Implementation(_with(own, given, code), IMPLEMENTATION)
    pairs, source = _pairs(sections.get("test_cases", ""), details, signature, where)
    return Task(
        id=f"clever_{number}",
        requirement=_requirement(details, where),
        signature=signature,
        context=LeanContext(LEAN_VERSION, imports or ("Mathlib",), "\n\n".join(h.text for h in given)),
        provenance=Provenance("clever", f"problem_{number}", LICENCE, "https://github.com/trishullab/clever"),
        references=(ContractSource("relational", _with(own, given, spec), SPEC),),
        implementation=implementation,
        labels=Labels(accepted=pairs, required=tuple(dict.fromkeys(p.inputs for p in pairs))),
        metadata=kinds(
            signature,
            code if implementation else "",
            IMPLEMENTATION,
            python=str(details["function_signature"]),
            labels=source,
        ),
    )


def _with(helpers: tuple[Chunk, ...], given: tuple[Chunk, ...], text: str) -> str:
    """Return a text after the helpers it needs that the preamble does not give."""
    needed = [h for h in closure(helpers, (text,)) if h not in given]
    return "\n\n".join([*(h.text for h in needed), text]) + "\n"


def _sections(text: str) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return the first section of each name, and the definitions that stand outside every section."""
    sections: dict[str, str] = {}
    outside, last = list[str](), 0
    open_mark: re.Match[str] | None = None
    for mark in _MARK.finditer(text):
        if mark.group(1) == "start":
            if open_mark is None:
                outside.append(text[last : mark.start()])
            open_mark = mark
        elif open_mark is not None and open_mark.group(2) == mark.group(2):
            sections.setdefault(mark.group(2), text[open_mark.end() : mark.start()])
            open_mark, last = None, mark.end()
    outside.append(text[last:] if open_mark is None else "")
    loose = []
    for piece in outside:
        lines = [line for line in piece.splitlines() if not _IGNORED_LINE.match(line)]
        if declared_names("\n".join(lines)):
            loose.append("\n".join(lines).strip())
    return sections, tuple(loose)


def _need(sections: Mapping[str, str], name: str, where: str) -> str:
    if name not in sections:
        raise BrokenRecordError(where, name, f"the section is missing (`-- start_def {name}` … `-- end_def {name}`)")
    return sections[name]


def _details(section: str, where: str) -> dict[str, Any]:
    doc = _DOC.search(section)
    if doc is None:
        raise BrokenRecordError(where, "problem_details", "there is no `/-- … -/` block")
    try:
        fields = yaml.safe_load(doc.group(1))
    except yaml.YAMLError as error:
        line = getattr(getattr(error, "problem_mark", None), "line", 0)
        raise BrokenRecordError(
            where, "problem_details", f"line {line_of(section, doc.start()) + line} of the block is not YAML"
        ) from None
    if not isinstance(fields, dict):
        raise BrokenRecordError(where, "problem_details", "fields are expected")
    return fields


def _requirement(details: Mapping[str, Any], where: str) -> str:
    text = details.get("docstring")
    if not isinstance(text, str) or not text.strip():
        raise BrokenRecordError(where, "problem_details.docstring", "the docstring is missing or empty")
    return text.strip()


def _function_name(details: Mapping[str, Any], where: str) -> str:
    found = _FUNCTION_NAME.match(str(details.get("function_signature", "")))
    if found is None:
        raise BrokenRecordError(where, "problem_details.function_signature", "no `def NAME(…)`")
    return found.group(1)


def _result_type(head: Head) -> str:
    return strip_parens(head.result_type)


# -------------------------------------------------------------------------------------------------------------- labels


def _pairs(tests: str, details: Mapping[str, Any], signature: Signature, where: str) -> tuple[tuple[Pair, ...], str]:
    """Return the accepted pairs, and where they come from: `tests`, `docstring` or `none`."""
    pairs = list[Pair]()
    for line in test_lines(tests):
        try:
            pairs.append(test_pair(line, signature))
        except Unreadable:
            continue
    if pairs:
        return tuple(pairs), "tests"
    cases = details.get("test_cases")
    for case in cases if isinstance(cases, list) else []:
        pair = _docstring_pair(case, signature)
        if pair is not None:
            pairs.append(pair)
    return tuple(pairs), "docstring" if pairs else "none"


def _docstring_pair(case: Any, signature: Signature) -> Pair | None:
    if not isinstance(case, dict) or "input" not in case:
        return None
    output = next((case[key] for key in ("expected_output", "output") if key in case), None)
    given = _python(case["input"])
    inputs = [given] if len(signature.parameters) == 1 else given
    if not isinstance(inputs, list) or len(inputs) != len(signature.parameters):
        return None
    try:
        terms = tuple(lean_term(v, p.type) for v, p in zip(inputs, signature.parameters, strict=True))
        return Pair(terms, lean_term(_python(output), signature.result_type))
    except ValueFormatError:
        return None


def _python(value: Any) -> Any:
    """Put together a Python tuple that YAML took apart: `[(0, 0), (1, 4)]` arrives as `["(0", "0)", "(1", "4)"]`."""
    if not isinstance(value, list) or not any(isinstance(item, str) and item.startswith("(") for item in value):
        return value
    try:
        return ast.literal_eval("[" + ", ".join(str(item) for item in value) + "]")
    except (ValueError, SyntaxError):
        return value


def skipped_tests(path: Path | None = None) -> dict[str, tuple[str, ...]]:
    """Return, by task id, the `#test` lines that are not pairs of the signature's types (an audit's footnote)."""
    loaded = load_clever(path)
    lost: dict[str, tuple[str, ...]] = {}
    for task in loaded.tasks:
        text = read_text(Path(loaded.source) / f"{task.provenance.upstream_id}.lean")
        lines = []
        for line in test_lines(_sections(text)[0].get("test_cases", "")):
            try:
                test_pair(line, task.signature)
            except Unreadable:
                lines.append(line)
        if lines:
            lost[task.id] = tuple(lines)
    return lost
