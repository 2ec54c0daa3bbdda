"""Rewritings of a contract's text that keep its meaning, to measure what an equivalence check makes of them.

Each kind is a law of logic or arithmetic that holds in the types at hand, applied to one place of the text by its
span, with parentheses around what is moved. Types are not guessed: arithmetic on order and sums is only rewritten
where every comparison, and every sum, of the whole text is between numbers of Nat or Int (Rat too for sums), as
elaborated. Places are propositions: the predicates' bodies and what stands in them under ∧, ∨, ↔, →, ¬, quantifiers
and `let`. A rewriting whose text does not elaborate is not returned (a proof in the text may have needed a hypothesis
that has moved).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from random import Random
from typing import Any, Final, Literal, TypeAlias, get_args

from evaluators.contract import Contract
from evaluators.execution import well_formed
from specgen.lean import core
from specgen.lean import syntax as s
from specgen.lean.core import Const, Term
from specgen.lean.engine import Program, load
from specgen.lean.lexer import IDENT, lex
from specgen.tasks.model import Task

RewriteKind: TypeAlias = Literal[
    "rename",
    "commute",
    "order",
    "double_negation",
    "unequal",
    "implication",
    "exists",
    "let",
    "helper",
    "form",
    "noise",
]
REWRITE_KINDS: tuple[RewriteKind, ...] = get_args(RewriteKind)

_AND: Final = ("∧", "/\\")
_OR: Final = ("∨", "\\/")
_IFF: Final = ("↔", "<->")
_CONNECTIVES: Final = (*_AND, *_OR, *_IFF)
_ATOMIC: Final = ("=", "≠", "!=", "<", "≤", "<=", ">", "≥", ">=", "∈", "∣")
_ORDERS: Final = {"≤": "le", "<=": "le", "<": "lt", "≥": "ge", ">=": "ge", ">": "gt"}
_ORDER_CONSTANTS: Final = frozenset({"LE.le", "LT.lt", "GE.ge", "GT.gt"})
_WHOLE: Final = frozenset({"Nat", "Int"})
_SUMMABLE: Final = frozenset({"Nat", "Int", "Rat"})

Cut: TypeAlias = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class Rewriting:
    """A contract rewritten: the kind of the (last) step, what was done, and the new contract."""

    kind: RewriteKind
    done: str
    contract: Contract


@dataclass(frozen=True, slots=True)
class _Edit:
    kind: RewriteKind
    done: str
    cuts: tuple[Cut, ...]
    names: tuple[str, str] | None = None
    representation: Literal["prepost", "relational"] | None = None


def rewritings(task: Task, contract: Contract, seed: int = 0, per_kind: int = 2) -> tuple[Rewriting, ...]:
    """Return rewritings of a contract, at most `per_kind` of each kind, chosen by `seed`; all of them elaborate."""
    program = load(contract.source, contract.lean)
    edits: dict[str, list[_Edit]] = {}
    for edit in dict.fromkeys(_Rewriter(program, contract, task).edits()):
        edits.setdefault(edit.kind, []).append(edit)
    rng = Random(f"{seed} {task.id} {contract.representation}")
    out: list[Rewriting] = []
    for kind in REWRITE_KINDS:
        found = edits.get(kind, [])
        rng.shuffle(found)
        kept = 0
        for edit in found[: 3 * per_kind]:
            new = _apply(contract, edit)
            if kept < per_kind and new is not None and _elaborates(task, new):
                out.append(Rewriting(edit.kind, edit.done, new))
                kept += 1
    return tuple(out)


def chains(task: Task, contract: Contract, seed: int = 0, length: int = 3, count: int = 1) -> tuple[Rewriting, ...]:
    """Return contracts that were rewritten several times in a row."""
    out: list[Rewriting] = []
    for i in range(count):
        rng, now, done = Random(f"{seed} {i} {task.id}"), contract, list[str]()
        kind: RewriteKind = "noise"
        for step in range(length):
            options = rewritings(task, now, seed + 31 * i + step, per_kind=1)
            if not options:
                break
            chosen = rng.choice(options)
            now, kind = chosen.contract, chosen.kind
            done.append(chosen.done)
        if done:
            out.append(Rewriting(kind, "; ".join(done), now))
    return tuple(out)


def _apply(contract: Contract, edit: _Edit) -> Contract | None:
    text = contract.source
    for start, end, new in sorted(edit.cuts, reverse=True):
        text = text[:start] + new + text[end:]
    if text == contract.source:
        return None
    new_contract = replace(contract, source=text)
    if edit.names is not None and edit.representation is not None:
        pre, post = edit.names
        new_contract = replace(new_contract, precondition=pre, postcondition=post, representation=edit.representation)
    return new_contract


def _elaborates(task: Task, contract: Contract) -> bool:
    program = load(contract.source, contract.lean)
    return well_formed(program, contract, task, trusted=True)[0] == "yes"


class _Rewriter:
    """Finds the edits of one contract."""

    def __init__(self, program: Program, contract: Contract, task: Task) -> None:
        self.program = program
        self.contract = contract
        self.task = task
        self.text = contract.source
        named = [n for n in (contract.precondition, contract.postcondition) if n]
        self.declared = [
            c for c in _declarations(program.commands()) if c.name in named and c.value is not None and not c.alts
        ]
        self.whole = _types_of(program, _ORDER_CONSTANTS) <= _WHOLE
        self.summable = _types_of(program, frozenset({"HAdd.hAdd"})) <= _SUMMABLE

    def edits(self) -> Iterator[_Edit]:
        """Yield every edit, in order of kind and place."""
        for d in self.declared:
            assert d.value is not None  # noqa: S101 - `__init__` has looked
            for node in _propositions(d.value):
                if "--" not in self._cut(node):
                    yield from self._at(node)
            yield from self._renamings(d.value)
        yield from self._whole_body()
        yield from self._forms()

    def _cut(self, node: s.Node) -> str:
        return self.text[slice(*node.span)]

    def _parens(self, node: s.Node) -> str:
        return f"({self._cut(node)})"

    def _at(self, node: s.Term) -> Iterator[_Edit]:
        """Yield the edits of one proposition."""

        def edit(kind: RewriteKind, done: str, new: str) -> _Edit:
            return _Edit(kind, done, ((*node.span, f"({new})"),))

        whole = self._cut(node)
        if isinstance(node, s.BinOp | s.PrefixOp | s.Quantifier | s.App):
            yield edit("double_negation", "¬ ¬", f"¬ ¬ ({whole})")
            yield edit("noise", "parentheses and a comment", f"/- as before -/ (({whole}))")
        if isinstance(node, s.Arrow):
            a, b = self._parens(node.domain), self._parens(node.codomain)
            yield edit("implication", "`P → Q` as `¬ P ∨ Q`", f"¬ {a} ∨ {b}")
        if not isinstance(node, s.BinOp):
            return
        a, b = self._parens(node.lhs), self._parens(node.rhs)
        if node.op in _CONNECTIVES or node.op == "=":
            yield edit("commute", f"sides of `{node.op}`", f"{b} {node.op} {a}")
        if node.op == "≠":
            yield edit("unequal", "`a ≠ b` as `¬ a = b`", f"¬ ({a} = {b})")
            yield edit("commute", "sides of `≠`", f"{b} ≠ {a}")
        if node.op in _ORDERS and self.whole:
            yield edit("order", f"`{node.op}` by one", self._by_one(_ORDERS[node.op], a, b))
        if self.summable:
            for inner in _sums(node):
                swapped = f"({self._parens(inner.rhs)} + {self._parens(inner.lhs)})"
                yield _Edit("commute", "sides of `+`", ((*inner.span, swapped),))

    @staticmethod
    def _by_one(op: str, a: str, b: str) -> str:
        match op:
            case "le":
                return f"{a} < {b} + 1"
            case "lt":
                return f"{a} + 1 ≤ {b}"
            case "ge":
                return f"{a} + 1 > {b}"
            case _:
                return f"{a} ≥ {b} + 1"

    # ---- names

    def _renamings(self, body: s.Term) -> Iterator[_Edit]:
        """Yield renamings of variables that the text binds exactly once, all of whose mentions stand in that scope."""
        bound: dict[str, list[s.Node]] = {}
        for node in _nodes(body):
            if isinstance(node, s.Quantifier | s.Fun):
                for binder in node.binders:
                    for name in binder.names:
                        bound.setdefault(name, []).append(node)
        for name, nodes in bound.items():
            if len(nodes) != 1 or not re.fullmatch(r"[a-z]\w*", name):
                continue
            start, end = nodes[0].span
            places = self._mentions(name)
            if not places or any(not start <= a < end for a in places):
                continue
            new = f"{name}_v"
            if new not in self.text:
                yield _Edit("rename", f"{name} as {new}", tuple([(a, a + len(name), new) for a in places]))

    def _mentions(self, name: str) -> list[int]:
        """Return where a name stands at the head of an identifier; nothing when it stands behind a dot somewhere."""
        tokens = lex(self.text)
        places = []
        for text, kind, start in zip(tokens.texts, tokens.kinds, tokens.starts, strict=True):
            if kind != IDENT:
                continue
            parts = text.split(".")
            if name in parts[1:] or self.text[max(0, start - 1) : start] == ".":
                return []
            if parts[0] == name:
                places.append(start)
        return places

    # ---- bodies

    def _post(self) -> s.Declaration | None:
        return next((d for d in self.declared if d.name == self.contract.postcondition), None)

    def _whole_body(self) -> Iterator[_Edit]:
        """Yield a wrapper around the whole body: `∃`, `let`, a helper of its own."""
        d = self._post()
        if d is None or d.value is None or d.where_decls or "--" in self._cut(d.value).rpartition("\n")[2]:
            return
        names = [n for b in d.binders for n in b.names]
        explicit = all(b.kind == "explicit" and b.default is None for b in d.binders)
        arity = len(self.task.signature.parameters)
        result = self.task.signature.result_type
        body = self._cut(d.value)
        column = d.value.span[0] - (self.text.rfind("\n", 0, d.value.span[0]) + 1)
        if self.contract.representation == "prepost" and len(names) > arity:
            value = names[arity]
        elif self.contract.representation == "relational" and len(names) == arity + 1:
            value = " ".join(names)
        else:
            return
        if not explicit or "out_r" in self.text or "_" in names:
            return
        wrapped = f"(∃ out_r : {result}, out_r = {value} ∧ (\n{_indented(body, column)}\n  ))"
        yield _Edit("exists", "`∃ r, r = result ∧ …`", ((*d.value.span, wrapped),))
        inner = body
        if self.contract.representation == "prepost" and self._only(value, d.value):
            inner = _renamed(body, value, "out_r")
        yield _Edit(
            "let", "`let r := result`", ((*d.value.span, f"let out_r := {value};\n{_indented(inner, column)}"),)
        )
        header = self.text[d.binders[0].span[0] : d.binders[-1].span[1]]
        start = _start(self.text, d.span[0])
        helper = f"def rewritten_body {header} : Prop :=\n{_indented(body, column)}\n\n"
        call = f"rewritten_body {' '.join(names)}"
        yield _Edit("helper", "a helper for the body", ((start, start, helper), (*d.value.span, call)))

    def _only(self, name: str, body: s.Node) -> bool:
        """Tell whether a parameter is bound nowhere inside a body."""
        for node in _nodes(body):
            match node:
                case s.Binder():
                    if name in node.names or node.pattern is not None:
                        return False
                case s.LetDecl():
                    if node.name == name or node.pattern is not None:
                        return False
                case s.MatchAlt() | s.IfLet() | s.Do() | s.Matches():
                    return False
                case _:
                    pass
        return f".{name}" not in self._cut(body) and f"({name} :=" not in self._cut(body)

    def _forms(self) -> Iterator[_Edit]:
        """Yield the pre/post contract as a relational one."""
        contract, signature = self.contract, self.task.signature
        if contract.representation != "prepost" or "rewritten_spec" in self.text:
            return
        d = self._post()
        if d is None:
            return
        names = [p.name for p in signature.parameters]
        takes_proof = len([n for b in d.binders for n in b.names]) > len(names) + 1
        applied = " ".join(names)
        post = f"{contract.postcondition} {applied} (impl {applied})"
        if "impl" in names:
            return
        if contract.precondition and takes_proof:
            body = f"∀ h_pre : {contract.precondition} {applied}, {post} h_pre"
        elif contract.precondition:
            body = f"{contract.precondition} {applied} → {post}"
        elif not takes_proof:
            body = post
        else:
            return
        kind = signature.function_type()
        new = f"\n\ndef rewritten_spec (impl : {kind}) {signature.binders()} : Prop :=\n  {body}\n"
        end = len(self.text)
        yield _Edit("form", "as a relational contract", ((end, end, new),), ("", "rewritten_spec"), "relational")


def _start(text: str, start: int) -> int:
    """Return where a declaration starts with its attributes and comment."""
    before = text[:start]
    found = re.search(r"(?:(?:/--(?:(?!-/).)*-/|@\[[^\]]*\])\s*)+$", before, re.DOTALL)
    return found.start() if found else start


def _indented(body: str, column: int) -> str:
    """Return a body that stood at a column on lines of its own, all of them moved by the same number of columns."""
    return "\n".join("    " + line for line in (" " * column + body).split("\n"))


def _renamed(body: str, name: str, new: str) -> str:
    tokens = lex(body)
    out, at = "", 0
    for text, kind, start in zip(tokens.texts, tokens.kinds, tokens.starts, strict=True):
        if kind == IDENT and text.split(".")[0] == name:
            out += body[at:start] + new
            at = start + len(name)
    return out + body[at:]


# ---- trees


def _declarations(commands: Sequence[s.Command]) -> Iterator[s.Declaration]:
    for c in commands:
        if isinstance(c, s.Declaration):
            yield c
        elif isinstance(c, s.InCommand):
            yield from _declarations([c.inner])


def _propositions(node: s.Term) -> Iterator[s.Term]:
    """Yield the propositions of a body, outermost first."""
    match node:
        case s.Paren():
            yield from _propositions(node.inner)
        case s.Let():
            yield from _propositions(node.body)
        case s.Quantifier():
            yield node
            yield from _propositions(node.body)
        case s.Arrow():
            yield node
            yield from _propositions(node.domain)
            yield from _propositions(node.codomain)
        case s.PrefixOp() if node.op == "¬":
            yield node
            yield from _propositions(node.arg)
        case s.BinOp() if node.op in _CONNECTIVES:
            yield node
            yield from _propositions(node.lhs)
            yield from _propositions(node.rhs)
        case s.BinOp() if node.op in _ATOMIC:
            yield node
        case _:
            pass


def _sums(node: s.Node) -> Iterator[s.BinOp]:
    for inner in _nodes(node):
        if isinstance(inner, s.BinOp) and inner.op == "+":
            yield inner


def _nodes(node: s.Node) -> Iterator[s.Node]:
    """Yield a node and everything below it."""
    yield node
    for field in fields(node):
        yield from _below(getattr(node, field.name))


def _below(value: Any) -> Iterator[s.Node]:
    if isinstance(value, tuple):
        for item in value:
            yield from _below(item)
    elif is_dataclass(value) and hasattr(value, "span"):
        yield from _nodes(value)  # type: ignore[arg-type]


def _types_of(program: Program, names: frozenset[str]) -> set[str]:
    """Return the types at which some library functions are used in the text's own definitions."""
    found: set[str] = set()

    def visit(term: Term, depth: int) -> Term:
        if isinstance(term, core.App) and isinstance(term.fn, Const) and term.fn.name in names and term.args:
            type_ = program.types.normal_type(term.args[0]) if not term.args[0].loose else term.args[0]
            found.add(type_.name if isinstance(type_, Const) else "?")
            if term.fn.name == "HAdd.hAdd" and len(set(term.args[:3])) != 1:
                found.add("?")
        return core.map_children(term, visit, depth)

    for name in program.names():
        constant = program.environment.constants.get(name)
        if constant is not None and constant.value is not None:
            visit(constant.value, 0)
    return found


__all__ = ["REWRITE_KINDS", "RewriteKind", "Rewriting", "chains", "rewritings"]
