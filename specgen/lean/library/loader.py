"""The lazy library: indexes the chunks of `tables/*.lean` by name and elaborates one when it is first asked for.

The index is one regular expression over the text, kept for the process. A `Library` belongs to one Lean version and
one answer to "is Mathlib imported, is Std?"; it is shared by all texts judged there. Elaboration goes through the same
code as for files, the values of definitions wait until they are needed.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Final

from specgen.lean.environment import Constant, Environment, InductiveInfo, LeanEnv
from specgen.lean.library.notation import EXPORTS

_HEAD: Final = re.compile(
    r"^(?:@\[(?P<attributes>[^\n]*)\]\n)?"
    r"(?:protected +)?(?P<kind>def|abbrev|opaque|inductive|structure|class inductive|class|instance|axiom|theorem) +"
    r"(?:\(priority := [\w +-]+\) +)?(?P<name>[^\s({\[:]+)",
    re.MULTILINE,
)
_NESTED: Final = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}")
_FIRST: Final = (4, 18, 0)
_AFTER: Final = (4, 25, 0)
_VERSION: Final = re.compile(r'\b(since|until) "([\d.]+)"')
_WORD: Final = re.compile(r"\w+")
_INSTANCE: Final = re.compile(r"(?<!default_)\binstance\b")
_RESULT_HEAD: Final = re.compile(r"[^\s()]+")
_GROUPS: Final = frozenset(["inductive", "structure", "class", "class inductive"])
_DECIDABLE_ALIASES: Final = frozenset(["DecidableEq", "DecidablePred", "DecidableRel", "DecidableLT", "DecidableLE"])


@dataclass(slots=True)
class Chunk:
    """One declaration of a table, not parsed yet (never changed once made).

    `provides` names the classes that it gives an instance of (a class gives those of its parents).
    """

    name: str
    kind: str
    text: str
    table: str
    attributes: str
    since: tuple[int, ...]
    until: tuple[int, ...]
    mathlib: bool
    std: bool
    provides: tuple[str, ...]
    index: int = 0

    def known(self, lean: LeanEnv, std: bool) -> bool:
        """Tell whether the declaration exists in a version under the imports."""
        if (self.mathlib and not lean.mathlib) or (self.std and not std):
            return False
        return (not self.since or lean.version >= self.since) and (not self.until or lean.version < self.until)


def _version(text: str) -> tuple[int, ...]:
    parts = [int(p) for p in text.split(".")]
    return tuple([*parts, 0, 0][:3])


def _provides(kind: str, attributes: str, text: str) -> tuple[str, ...]:
    """Return the classes of which a chunk's head says that it gives instances."""
    if kind == "class":
        head = text.partition(" where")[0].partition(":=")[0]
        if " extends " not in head:
            return ()
        return tuple([_class_name(p) for p in _flat(head.split(" extends ", 1)[1]).split(",") if p.strip()])
    if kind != "instance" and _INSTANCE.search(attributes) is None:
        return ()
    _, _, result = _flat(text.partition("\n")[0].partition(":=")[0]).partition(" : ")
    return (_class_name(result),) if result.strip() else ()


def _flat(text: str) -> str:
    """Remove everything inside brackets."""
    count = 1
    while count:
        text, count = _NESTED.subn("_", text)
    return text


def _class_name(text: str) -> str:
    found = _RESULT_HEAD.search(text)
    name = found.group() if found else ""
    return "Decidable" if name in _DECIDABLE_ALIASES else name


def read_chunks(text: str, table: str, first: int = 0) -> list[Chunk]:
    """Split the text of a table into chunks, numbered from `first`."""
    heads = list(_HEAD.finditer(text))
    chunks: list[Chunk] = []
    for i, head in enumerate(heads):
        end = heads[i + 1].start() if i + 1 < len(heads) else len(text)
        body = text[head.start() : end]
        attributes = head["attributes"] or ""
        words = _WORD.findall(attributes) if attributes else ()
        limits = {k: _version(v) for k, v in _VERSION.findall(attributes)} if '"' in attributes else {}
        chunks.append(
            Chunk(
                head["name"].strip("«»"),
                head["kind"],
                body,
                table,
                attributes,
                limits.get("since", ()),
                limits.get("until", ()),
                "mathlib" in words,
                "std" in words,
                _provides(head["kind"], attributes, text[head.start("kind") : end]),
                first + i,
            )
        )
    return chunks


@cache
def table_chunks() -> tuple[Chunk, ...]:
    """Return the chunks of all tables: the prelude first, the others by name of the table."""
    folder = resources.files("specgen.lean.library").joinpath("tables")
    files = sorted((f.name, f) for f in folder.iterdir() if f.name.endswith(".lean"))
    files.sort(key=lambda item: (item[0] != "prelude.lean", item[0] == "mathlib.lean", item[0]))
    chunks: list[Chunk] = []
    for name, file in files:
        chunks += read_chunks(file.read_text(encoding="utf-8"), name, len(chunks))
    return tuple(chunks)


@cache
def complete_namespaces() -> frozenset[str]:
    """Return the namespaces of which every function is in the table."""
    file = resources.files("specgen.lean.library").joinpath("namespaces.toml")
    if not file.is_file():
        return frozenset()
    data = tomllib.loads(file.read_text(encoding="utf-8"))
    return frozenset(data.get("complete", []))


@cache
def uncovered_names() -> frozenset[str]:
    """Return names of complete namespaces that some version of Lean has and the tables lack."""
    file = resources.files("specgen.lean.library").joinpath("namespaces.toml")
    return frozenset(tomllib.loads(file.read_text(encoding="utf-8"))["uncovered"]) if file.is_file() else frozenset()


@cache
def core_roots() -> frozenset[str]:
    """Return the names at the root of core Lean that the tables lack, or have in part only."""
    text = resources.files("specgen.lean.library").joinpath("core_roots.txt").read_text(encoding="utf-8")
    return frozenset(w for line in text.splitlines() if not line.startswith("#") for w in line.split())


@cache
def _imported_names() -> frozenset[str]:
    """Return the names that an import brings, in any version."""
    return frozenset(c.name for c in table_chunks() if c.mathlib or c.std) - frozenset(
        c.name for c in table_chunks() if not (c.mathlib or c.std)
    )


@dataclass(slots=True)
class Library:
    """The library of one Lean version and set of imports; implements `LibraryProtocol`."""

    lean: LeanEnv
    chunks: dict[str, Chunk] = field(default_factory=dict)
    by_class: dict[str, list[str]] = field(default_factory=dict)
    default_names: dict[str, list[str]] = field(default_factory=dict)
    namespaces: set[str] = field(default_factory=set)
    complete: frozenset[str] = frozenset()
    env: Environment = field(init=False)
    certain: bool = field(init=False)
    """Whether the tables say what does not exist: in the versions that they follow, without further libraries."""
    errors: list[tuple[str, str]] = field(default_factory=list)
    """Faults of the table itself: (name of the chunk, message). A test keeps this empty."""
    _busy: set[str] = field(default_factory=set)
    _absent: set[str] = field(default_factory=set)
    _instances: dict[str, tuple[Constant, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.env = Environment(self.lean, self)
        self.certain = _FIRST <= self.lean.version < _AFTER and not self.lean.beyond

    def index(self, chunks: tuple[Chunk, ...]) -> None:
        """Index the chunks that exist here."""
        std = any(m.split(".")[0] in ("Std", "Lean", "Mathlib", "Batteries") for m in self.lean.imports)
        for chunk in chunks:
            if not chunk.known(self.lean, std):
                continue
            self.chunks[chunk.name] = chunk
            self._add_namespaces(chunk.name, chunk.kind in _GROUPS)
            for name in chunk.provides:
                names = self.by_class.setdefault(name, [])
                if chunk.name not in names:
                    names.append(chunk.name)
                if "default_instance" in chunk.attributes:
                    self.default_names.setdefault(name, []).append(chunk.name)

    def _add_namespaces(self, name: str, group: bool) -> None:
        if group:
            self.namespaces.add(name)
        at = name.rfind(".")
        while at > 0:
            name = name[:at]
            if name in self.namespaces:
                return
            self.namespaces.add(name)
            at = name.rfind(".")

    # ---- LibraryProtocol

    def constant(self, name: str) -> Constant | None:
        """Return a constant by full name, elaborating its chunk if need be."""
        found = self.env.constants.get(name)
        if found is not None:
            return found
        if name in self._absent:
            return None
        if name in self.chunks:
            return self._load(name, name)
        return self._member(name)

    def _member(self, name: str) -> Constant | None:
        """Return a constructor, projection or default that a type's chunk brings with it."""
        owner, _, last = name.rpartition(".")
        chunk = self.chunks.get(owner)
        if chunk is None or chunk.kind not in _GROUPS or (last not in chunk.text and last != "mk" and last[:2] != "to"):
            self._absent.add(name)
            return None
        found = self._load(owner, name)
        if found is None and owner not in self._busy:
            self._absent.add(name)
        return found

    def inductive(self, name: str) -> InductiveInfo | None:
        """Return an inductive type of the library."""
        found = self.env.inductives.get(name)
        if found is None:
            chunk = self.chunks.get(name)
            if chunk is not None and chunk.kind in _GROUPS and self._load(name, name) is not None:
                return self.env.inductives.get(name)
        return found

    def instances(self, class_name: str) -> tuple[Constant, ...]:
        """Return the instances of a class in order of declaration, projections to it from its children among them."""
        found = self._instances.get(class_name)
        if found is not None:
            return found
        names = self.by_class.get(class_name, ())
        constants: list[Constant] = []
        whole = True
        for name in names:
            chunk = self.chunks[name]
            if chunk.kind == "class":
                self.constant(name)
                name = f"{name}.to{class_name.rpartition('.')[2]}"
            constant = self.constant(name)
            if constant is None:
                whole = False
            else:
                constants.append(constant)
        found = tuple(constants)
        if whole and not self._busy:
            self._instances[class_name] = found
        return found

    def default_instances(self, class_name: str) -> tuple[Constant, ...]:
        """Return the instances of a class that are marked `@[default_instance]`."""
        found = [self.constant(name) for name in self.default_names.get(class_name, ())]
        return tuple([c for c in found if c is not None])

    def has_namespace(self, name: str) -> bool:
        """Tell whether any constant of the library stands in this namespace."""
        return name in self.namespaces

    def is_complete(self, namespace: str) -> bool:
        """Tell whether every function Lean knows in this namespace is in the table."""
        return self.certain and namespace in self.complete

    def is_uncovered(self, name: str) -> bool:
        """Tell whether some version of Lean has this name though the tables lack it."""
        return name in uncovered_names()

    def is_elsewhere(self, name: str) -> bool:
        """Tell whether the tables have this name, but under an import that is certainly not there."""
        return self.certain and name not in self.chunks and name in _imported_names()

    def knows_root(self, name: str) -> bool:
        """Tell whether something of this name may exist at the root, in the tables or beyond them."""
        if not self.certain:
            return True
        return name in self.chunks or name in self.namespaces or name in EXPORTS or name in core_roots()

    # ---- loading

    def _load(self, owner: str, name: str) -> Constant | None:
        """Elaborate a chunk and return one of its constants; None while the chunk is being elaborated."""
        if owner not in self._busy and owner not in self.env.constants:
            from specgen.lean.elab.commands import elaborate_chunk

            self._busy.add(owner)
            try:
                for message in elaborate_chunk(self.env, self.chunks[owner]):
                    self.errors.append((owner, message))
            finally:
                self._busy.discard(owner)
            if owner not in self.env.constants:
                self._absent.add(owner)
        return self.env.constants.get(name)

    def load_all(self) -> list[tuple[str, str]]:
        """Elaborate every chunk with its value, and return the faults of the table (for tests)."""
        for name in self.chunks:
            constant = self.constant(name)
            if constant is not None:
                _ = constant.value
        return self.errors


@cache
def _library(version: tuple[int, int, int], mathlib: bool, std: bool, beyond: bool) -> Library:
    imports = [m for m, known in (("Mathlib", mathlib), ("Std", std), ("Lean", beyond)) if known]
    library = Library(LeanEnv(version, tuple(imports)), complete=complete_namespaces())
    library.index(table_chunks())
    return library


def library_for(lean: LeanEnv) -> Library:
    """Return the library that a text sees, shared by all environments that see the same tables."""
    std = any(m.split(".")[0] in ("Std", "Lean", "Batteries") for m in lean.imports)
    return _library(lean.version, lean.mathlib, std or lean.mathlib, lean.beyond and not lean.mathlib)


def environment(lean: LeanEnv) -> Environment:
    """Return a fresh environment on top of the library."""
    return Environment(lean, library_for(lean))


def library_from_text(text: str, lean: LeanEnv | None = None) -> Library:
    """Return a library made of the chunks of one text (for tests)."""
    library = Library(lean or LeanEnv())
    library.index(tuple(read_chunks(text, "text")))
    return library
