"""Scopes of a file: namespaces, sections, `open`, `export`, `variable`, and the resolution of global names.

Resolution follows Lean: for an identifier `a.b.c`, first the whole of it is tried, then shorter prefixes with the rest
as field accesses. A prefix is looked for in the current namespace and its parents (innermost first; the first that has
it wins), then at the root together with everything that `open` and `export` bring (all of these: an ambiguity).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from specgen.lean import syntax
from specgen.lean.environment import Environment
from specgen.lean.library.notation import EXPORTS

Resolved: TypeAlias = list[tuple[str, tuple[str, ...]]]

_KNOWN: Final = """
Classical BigOperators Finset Multiset Nat Int Rat Real Complex List Array Set Function Option String Char
Topology Filter Lean Std Pointwise Polynomial NNReal ENNReal Matrix Equiv Fin Bool Prod Sum Order Interval
Batteries Mathlib Decidable Subtype Ordering Except Id StateT ReaderT MeasureTheory ProbabilityTheory
CategoryTheory Group Ring Module Algebra LinearMap Submodule Ideal MvPolynomial ArithmeticFunction Cardinal
Ordinal Relation Stream Quotient Vector BitVec UInt8 UInt16 UInt32 UInt64 USize Float ByteArray Substring
Subarray Tactic Meta Elab Parser Command Std.HashMap Std.HashSet Std.TreeMap Std.Range Lean.Elab Lean.Meta
Lean.Parser Lean.Elab.Tactic Lean.Elab.Command Std.Do Asymptotics Metric EuclideanGeometry Sym2 SimpleGraph
Finsupp DFinsupp Nat.ArithmeticFunction Std.Format WithTop WithBot Symmetric symmDiff Primorial Nat.Prime
Zsqrtd GaussianInt ZMod IO System
"""
KNOWN_NAMESPACES: Final = frozenset(_KNOWN.split())
"""Namespaces of core Lean, Std and Mathlib that a text may open although our table has no name in them."""


@dataclass(frozen=True, slots=True)
class OpenDecl:
    """One effect of an `open`: a whole namespace but for some names, or (then `target` is set) one name for another."""

    namespace: str = ""
    hiding: frozenset[str] = frozenset()
    name: str = ""
    target: str = ""


@dataclass(slots=True)
class Frame:
    """A `namespace` or `section` that has not ended; the outermost frame is the file."""

    kind: str
    name: str
    namespace: str
    opens: tuple[OpenDecl, ...] = ()
    active: frozenset[str] = frozenset()
    variables: tuple[syntax.Binder, ...] = ()
    included: frozenset[str] = frozenset()
    options: dict[str, str] = field(default_factory=dict)
    noncomputable: bool = False
    doubtful: bool = False
    """A `variable` command failed here: what is wrong with later declarations may not be their fault."""


class ScopeError(Exception):
    """A scope command that cannot be carried out; `supported` is false where we merely do not know the name."""

    def __init__(self, message: str, supported: bool = True) -> None:
        super().__init__(message)
        self.message = message
        self.supported = supported


class Scope:
    """The scopes at one place of a file; implements `ScopeProtocol`.

    `self_names` are the constants under definition: inside their bodies their own names win over what is opened.
    """

    def __init__(self, env: Environment, aliases: dict[str, list[str]] | None = None) -> None:
        self.env = env
        self.frames: list[Frame] = [Frame("file", "", "")]
        self.aliases: dict[str, list[str]] = {} if aliases is None else aliases
        self.self_names: tuple[str, ...] = ()
        self.private: dict[str, str] = {}

    # ---- state

    @property
    def top(self) -> Frame:
        """The innermost frame."""
        return self.frames[-1]

    @property
    def namespace(self) -> str:
        """The current namespace, empty at the root."""
        return self.frames[-1].namespace

    @property
    def variables(self) -> tuple[syntax.Binder, ...]:
        """The section variables in force, outermost first."""
        return self.frames[-1].variables

    def option(self, name: str) -> str | None:
        """Return the value of an option set by `set_option`, as text."""
        return self.frames[-1].options.get(name)

    def is_open(self, namespace: str) -> bool:
        """Tell whether scoped notation and instances of a namespace are active here."""
        top = self.frames[-1]
        here = top.namespace
        return namespace in top.active or here == namespace or here.startswith(namespace + ".")

    def copy(self) -> Scope:
        """Return a scope that can be changed without changing this one."""
        new = Scope(self.env, self.aliases)
        new.frames = [*self.frames[:-1], replace(self.top, options=dict(self.top.options))]
        new.self_names = self.self_names
        return new

    def inside(self, namespace: str, self_names: tuple[str, ...] = ()) -> Scope:
        """Return this scope moved into a namespace (for `def A.b`), with the names under definition."""
        new = self.copy()
        if namespace:
            full = self.qualify(namespace)
            new.frames.append(replace(new.top, kind="namespace", name=namespace, namespace=full))
        new.self_names = self_names
        return new

    def opened(self, command: syntax.Open) -> Scope:
        """Return this scope with an `open` carried out (`open N in …`); raises ScopeError."""
        new = self.copy()
        new.open(command)
        return new

    def qualify(self, name: str) -> str:
        """Return the full name of a declaration written here (`_root_.` is honoured)."""
        if name.startswith("_root_."):
            return name[len("_root_.") :]
        here = self.namespace
        return f"{here}.{name}" if here else name

    # ---- commands

    def push_namespace(self, name: str) -> None:
        """Enter `namespace name`, one frame a component."""
        for part in name.split("."):
            full = self.qualify(part)
            self.env.namespaces.add(full)
            self.frames.append(replace(self.top, kind="namespace", name=part, namespace=full))
            self.top.options = dict(self.top.options)

    def push_section(self, name: str, noncomputable: bool = False) -> None:
        """Enter `section name`."""
        parts = name.split(".") if name else [""]
        for part in parts:
            top = replace(self.top, kind="section", name=part, options=dict(self.top.options))
            top.noncomputable = top.noncomputable or noncomputable
            self.frames.append(top)

    def pop(self, name: str) -> None:
        """Leave with `end name`; raises ScopeError where it does not fit."""
        parts = name.split(".") if name else [""]
        if len(self.frames) <= len(parts):
            raise ScopeError("invalid 'end', insufficient scopes")
        frames = self.frames[len(self.frames) - len(parts) :]
        if [f.name for f in frames] != parts:
            if not name:
                raise ScopeError("invalid 'end', name is missing")
            raise ScopeError("invalid 'end', name mismatch")
        del self.frames[len(self.frames) - len(parts) :]

    def open(self, command: syntax.Open) -> None:
        """Carry out an `open`; raises ScopeError for an unknown namespace or name."""
        top = self.top
        for written in command.namespaces:
            found = self.resolve_namespace(written)
            if not found:
                self._unknown_namespace(written)
                found = [written]
            top.active = top.active | set(found)
            if not command.scoped:
                for ns in found:
                    top.opens = (*top.opens, *self._open_decls(ns, command))

    def _open_decls(self, ns: str, command: syntax.Open) -> list[OpenDecl]:
        if command.only:
            return [OpenDecl(name=x, target=f"{ns}.{x}") for x in command.only]
        if command.renaming:
            return [OpenDecl(name=new, target=f"{ns}.{old}") for old, new in command.renaming]
        return [OpenDecl(namespace=ns, hiding=frozenset(command.hiding))]

    def _unknown_namespace(self, written: str) -> None:
        if written not in KNOWN_NAMESPACES:
            known = self.certainly_unknown((written.split(".")[0],))
            raise ScopeError(f"unknown namespace '{written}'", supported=known)

    def export(self, command: syntax.Export) -> None:
        """Carry out `export A (x y)`; raises ScopeError for an unknown namespace or name."""
        found = self.resolve_namespace(command.namespace)
        if not found:
            self._unknown_namespace(command.namespace)
            return
        for name in command.names:
            target = f"{found[0]}.{name}"
            if self.env.get(target) is None:
                complete = self.env.library.is_complete(found[0])
                raise ScopeError(f"unknown identifier '{target}'", supported=complete)
            self.aliases.setdefault(self.qualify(name), []).append(target)

    def is_namespace(self, name: str) -> bool:
        """Tell whether a namespace of that full name exists."""
        return name in self.env.namespaces or self.env.library.has_namespace(name)

    def resolve_namespace(self, written: str) -> list[str]:
        """Return the namespaces that a name after `open` means (all of them are opened)."""
        written = written.removeprefix("_root_.")
        found = [full for ns in self._outwards() if self.is_namespace(full := f"{ns}.{written}")]
        if self.is_namespace(written):
            found.append(written)
        for decl in self.top.opens:
            if decl.namespace and self.is_namespace(full := f"{decl.namespace}.{written}"):
                found.append(full)
        return list(dict.fromkeys(found))

    def certainly_unknown(self, parts: tuple[str, ...]) -> bool:
        """Tell whether an identifier that does not resolve cannot exist in Lean either, by its first component."""
        library = self.env.library
        first = parts[0]
        if library.knows_root(first) or "✝" in first or (len(parts) > 1 and first in self.env.namespaces):
            return False
        opened = [d.namespace for d in self.top.opens if d.namespace]
        return all(library.is_complete(ns) or not self._beyond(ns) for ns in opened)

    def _beyond(self, namespace: str) -> bool:
        """Tell whether a namespace may have names that the tables lack."""
        return self.env.library.knows_root(namespace.split(".")[0])

    # ---- resolution

    def _outwards(self) -> Iterator[str]:
        ns = self.namespace
        while ns:
            yield ns
            ns = ns.rpartition(".")[0]

    def resolve(self, parts: tuple[str, ...], root: bool) -> Resolved:
        """Return the constants that an identifier may mean, each with the components left over as field accesses."""
        for n in range(len(parts), 0, -1):
            names = self._resolve_exactly(".".join(parts[:n]), n == 1, root)
            if names:
                rest = parts[n:]
                return [(name, rest) for name in dict.fromkeys(names)]
        return []

    def resolve_name(self, name: str) -> list[str]:
        """Return the constants that a dotted name means as a whole (for attributes, `deriving`, …)."""
        root = name.startswith("_root_.")
        name = name.removeprefix("_root_.")
        return list(dict.fromkeys(self._resolve_exactly(name, "." not in name, root)))

    def _resolve_exactly(self, name: str, atomic: bool, root: bool) -> list[str]:
        get = self.env.get
        if root:
            return [name] if get(name) is not None else self._aliases(name)
        if self.self_names and (mine := self._own(name)):
            return [mine]
        for ns in self._outwards():
            found = self._qualified(ns, name, atomic)
            if found:
                return found
        constant = get(name)
        if constant is not None and not atomic:
            return [name]
        found = self._aliases(name)
        if constant is not None:
            found.append(name)
        for decl in self.top.opens:
            if decl.namespace:
                if name not in decl.hiding:
                    found += self._qualified(decl.namespace, name, atomic)
            elif name == decl.name:
                if get(decl.target) is not None:
                    found.append(decl.target)
            elif name.startswith(decl.name + "."):
                full = decl.target + name[len(decl.name) :]
                if get(full) is not None:
                    found.append(full)
        return found

    def _own(self, name: str) -> str | None:
        for full in self.self_names:
            if full == name or (full.endswith("." + name) and self._visible(full[: -len(name) - 1])):
                return full
        return None

    def _visible(self, prefix: str) -> bool:
        here = self.namespace
        return here == prefix or here.startswith(prefix + ".")

    def _aliases(self, name: str) -> list[str]:
        found = list(self.aliases.get(name, ()))
        exported = EXPORTS.get(name)
        if exported is not None and self.env.get(exported) is not None:
            found.append(exported)
        return found

    def _qualified(self, ns: str, name: str, atomic: bool) -> list[str]:
        full = f"{ns}.{name}"
        found = list(self.aliases.get(full, ()))
        constant = self.env.get(full)
        if constant is not None and not (atomic and constant.protected):
            found.append(full)
        return found
