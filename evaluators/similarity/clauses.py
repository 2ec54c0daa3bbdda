"""A contract as the tree of its own clauses, whatever its representation.

What is brought to one form: the inputs are `?arg0`, `?arg1`, … by position and the specified function's value on them
is `?result`, so that `impl x = y`, `let r := impl x; …`, `∃ r, impl x = r ∧ …` and a postcondition over `result` are
the same; a local or own definition that the body merely calls is opened where it is called; top-level conjunctions are
lists of clauses, `True` being the empty one; in a relational contract a guard around everything that does not speak of
the result is the precondition. Each of these steps is recorded. Nothing is left out: what a clause needs (`let`
values, auxiliary definitions) is in the tree too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields

from evaluators.contract import Contract
from evaluators.similarity.declared import Declared, NoClausesError, OwnNames, body_of, declarations
from evaluators.similarity.terms import Scope, Terms, operator, spread, strip
from evaluators.similarity.trees import ROOT, Tree
from specgen.lean import syntax as s

MAX_CALLS = 8
"""How many own definitions are opened, one inside the other."""
MAX_ARGUMENT = 8
"""Nodes of an argument that an opened call may repeat."""
_RESULT = Tree("?result", variable=True)
_IMPL = Tree("?impl", variable=True)


@dataclass(frozen=True, slots=True)
class ClauseTree:
    """A contract's clauses.

    Attributes:
        tree: `contract(‹requires›(…)…, …clauses, …definitions)`.
        signature: the types of the inputs and of the result, as trees on one line.
        words_from: the spans of the contract's text that its clauses come from: bodies of the predicates, and the
            auxiliary definitions that they reach.
        notes: how the contract was brought to this form, in words.
    """

    tree: Tree
    signature: tuple[str, ...] = ()
    words_from: tuple[s.Span, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """The number of nodes without the root, which is ours and not the contract's."""
        return self.tree.size - 1


def clause_tree(contract: Contract, arity: int) -> ClauseTree:
    """Return the tree of a contract of a function of `arity` parameters.

    Raises:
        NoClausesError: the text does not parse, nests too deeply, or lacks the contract's definitions.
    """
    try:
        return _Projection(contract, arity).run()
    except RecursionError as error:
        raise NoClausesError("the contract is nested too deeply", unsupported=True) from error


@dataclass
class _Local:
    """A local function that the clauses may call: its binders, its body, the scope that it stands in."""

    names: tuple[str, ...]
    body: s.Term
    scope: Scope


@dataclass
class _Clauses:
    """The clauses of one predicate so far.

    `functions` are local ones that a clause may still call; `speaking` are the variables that depend on the result.
    """

    out: list[Tree] = field(default_factory=list)
    functions: dict[str, _Local] = field(default_factory=dict)
    relational: bool = False
    calls: int = 0
    speaking: set[Tree] = field(default_factory=lambda: {_RESULT, _IMPL})

    def speaks_of_result(self, trees: Sequence[Tree]) -> bool:
        """Tell whether one of the trees depends on the result."""
        return any(Tree(n.label, (), True) in self.speaking for tree in trees for n in tree.nodes() if n.variable)


class _Projection:
    def __init__(self, contract: Contract, arity: int) -> None:
        self.contract = contract
        self.arity = arity
        self.notes: dict[str, None] = {}
        self.requires: list[Tree] = []
        self.types: dict[Tree, s.Term | None] = {}
        self.spans: list[s.Span] = []
        self.variables = 0
        self.names = OwnNames(declarations(contract))
        for name, label in ((contract.postcondition, "postcondition"), (contract.precondition, "precondition")):
            self.names.fix(name, label)
        self.inputs = tuple([Tree(f"?arg{i}", variable=True) for i in range(arity)])
        self.terms = Terms(self.names, (_IMPL, self.inputs) if contract.representation == "relational" else None)

    def run(self) -> ClauseTree:
        contract = self.contract
        if contract.precondition:
            pre = _Clauses()
            self._definition(contract.precondition, self.inputs, pre)
            self.requires += pre.out
        post = _Clauses(relational=contract.representation == "relational")
        leading = (_IMPL, *self.inputs) if post.relational else (*self.inputs, _RESULT)
        self._definition(contract.postcondition, leading, post)
        requires = [Tree("‹requires›", (clause,)) for clause in self.requires]
        definitions = self.names.definitions(self.terms)
        tree = Tree(ROOT, (*requires, *post.out, *definitions))
        spans = (*self.spans, *(d.command.span for d in self.names.reached))
        return ClauseTree(tree, self._signature(), spans, tuple(self.notes))

    def _signature(self) -> tuple[str, ...]:
        """Return the types of the inputs and of the result, which a relational contract has from its `impl`."""
        types = [self.types.get(x) for x in self.inputs]
        result = self.types.get(_RESULT)
        impl = self.types.get(_IMPL)
        if impl is not None:
            result = strip(impl)
            for _ in range(self.arity):
                result = strip(result.codomain) if isinstance(result, s.Arrow) else result
        return tuple([self.terms.term(t, Scope()).show() for t in (*types, result) if t is not None])

    def _note(self, text: str) -> None:
        self.notes[text] = None

    def _variable(self, kind: str) -> Tree:
        """Return a variable of the contract's own level; clauses count their binders from 0 whatever is around."""
        self.variables += 1
        return Tree(f"?{kind}{self.variables - 1}", variable=True)

    # ---- heads

    def _definition(self, name: str, leading: Sequence[Tree], clauses: _Clauses) -> None:
        """Collect the clauses of a predicate whose first explicit parameters stand for `leading`."""
        found = self.names.find(name)
        if found is None or not isinstance(found.command, s.Declaration):
            raise NoClausesError(f"the text does not define {name}")
        body = body_of(found.command)
        if body is None:
            raise NoClausesError(f"{name} has no body")
        self.names.namespace = found.namespace
        self.spans.append((body.span[0], found.command.span[1]))
        scope, rest = self._parameters(found.command.binders, list(leading), Scope())
        body = strip(body)
        while rest and isinstance(body, s.Fun) and all(b.pattern is None for b in body.binders):
            scope, rest = self._parameters(body.binders, rest, scope)
            body = strip(body.body)
        if rest and isinstance(body, s.FunMatch):
            self._note(f"{name} is defined by equations")
            clauses.out.append(Tree("match", (*rest, *self.terms.alternatives(body.alts, scope))))
            return
        if rest:
            raise NoClausesError(f"{name} takes {len(leading) - len(rest)} parameters, {len(leading)} wanted")
        self._clauses(body, scope, clauses, spine=True)

    def _parameters(self, groups: Sequence[s.Binder], trees: list[Tree], scope: Scope) -> tuple[Scope, list[Tree]]:
        for group in groups:
            for name in group.names or ("_",):
                if group.kind == "explicit" and trees:
                    self.types[trees[0]] = group.type
                    scope = scope.alias(name, trees.pop(0))
                    continue
                if group.kind == "explicit" and group.type is not None and not self._is_own_precondition(group.type):
                    self._note("a hypothesis of the head counts as precondition")
                    self.requires.append(self.terms.term(group.type, scope))
                scope = scope.alias(name, self._variable("head"))
        return scope, trees

    def _is_own_precondition(self, type_: s.Term) -> bool:
        head, _ = spread(type_)
        found = self.names.find(head.name) if isinstance(head, s.Ident) else None
        return found is not None and found.name == self.contract.precondition

    # ---- bodies

    def _clauses(self, body: s.Term, scope: Scope, clauses: _Clauses, spine: bool) -> None:
        """Append the clauses of a body; `spine` says that nothing stands beside it."""
        body = strip(body)
        match body:
            case s.BinOp() if operator(body.op) in ("∧", "&&"):
                self._clauses(body.lhs, scope, clauses, False)
                self._clauses(body.rhs, scope, clauses, False)
            case s.Ident() if body.parts == ("True",) or (body.parts == ("true",) and "true" not in scope.local):
                pass
            case s.Let() if body.decl.pattern is None and body.decl.name and body.decl.value is not None:
                self._let(body, scope, clauses, spine)
            case s.Quantifier() if clauses.relational and self._wrapper(body, scope, clauses, spine):
                self._note("∃ result, impl … = result ∧ … was opened")
            case s.Arrow() if spine and clauses.relational:
                self._guard(body, scope, clauses)
            case s.App() | s.Ident() if self._call(body, scope, clauses, spine):
                pass
            case _:
                clauses.out.append(self.terms.term(body, scope))

    def _guard(self, body: s.Arrow, scope: Scope, clauses: _Clauses) -> None:
        guard = _Clauses()
        self._clauses(body.domain, scope, guard, False)
        if clauses.speaks_of_result(guard.out):
            clauses.out.append(self.terms.term(body, scope))
            return
        self._note("the guard around the whole body is the precondition")
        self.requires += guard.out
        self._clauses(body.codomain, scope, clauses, True)

    def _let(self, body: s.Let, scope: Scope, clauses: _Clauses, spine: bool) -> None:
        decl = body.decl
        if decl.binders and _uses(body.body, decl.name) == 1 and all(b.kind == "explicit" for b in decl.binders):
            self._local_function(body, scope, clauses, spine)
            return
        value = self.terms.let_value(decl, scope)
        if value[-1] == _RESULT:
            self._note("let … := impl … was opened")
            self._clauses(body.body, scope.alias(decl.name, _RESULT), clauses, spine)
            return
        variable = self._variable("let")
        if clauses.speaks_of_result(value):
            clauses.speaking.add(variable)
        clauses.out.append(Tree("let" if body.keyword.startswith("let") else "have", value))
        self._clauses(body.body, scope.alias(decl.name, variable), clauses, spine)

    def _local_function(self, body: s.Let, scope: Scope, clauses: _Clauses, spine: bool) -> None:
        """Open a function where its only use is a clause; else it stands in front of what uses it."""
        name, value = body.decl.name, body.decl.value
        assert value is not None  # noqa: S101 - the caller has looked
        names = tuple([n for b in body.decl.binders for n in (b.names or ("_",))])
        clauses.functions[name] = local = _Local(names, value, scope)
        before, variable = len(clauses.out), Tree(f"?function{len(clauses.functions)}", variable=True)
        self._clauses(body.body, scope.alias(name, variable), clauses, spine)
        if clauses.functions.get(name) is local:
            del clauses.functions[name]
            clauses.out.insert(before, Tree("let", self.terms.let_value(body.decl, scope)))

    def _wrapper(self, body: s.Quantifier, scope: Scope, clauses: _Clauses, spine: bool) -> bool:
        """Open `∃ r, impl x = r ∧ Q` in whatever order it is written; False when the body is no such thing."""
        if operator(body.symbol) != "∃" or len(body.binders) != 1:
            return False
        group = body.binders[0]
        if len(group.names) != 1 or group.pred is not None or group.pattern is not None:
            return False
        name = group.names[0]
        parts = _conjuncts(body.body)
        for i, part in enumerate(parts):
            if isinstance(part, s.BinOp) and part.op == "=":
                for this, other in ((part.lhs, part.rhs), (part.rhs, part.lhs)):
                    this = strip(this)
                    if isinstance(this, s.Ident) and this.parts == (name,) and self._is_result(other, scope):
                        inner = scope.alias(name, _RESULT)
                        rest = [*parts[:i], *parts[i + 1 :]]
                        for clause in rest:
                            self._clauses(clause, inner, clauses, spine and len(rest) == 1)
                        return True
        return False

    def _is_result(self, term: s.Term, scope: Scope) -> bool:
        head, _ = spread(term)
        called = isinstance(head, s.Ident) and scope.local.get(head.name) == _IMPL
        return called and self.terms.term(term, scope) == _RESULT

    def _call(self, body: s.App | s.Ident, scope: Scope, clauses: _Clauses, spine: bool) -> bool:
        """Open a call of a local function, or (where it is the whole body) of an own definition."""
        fn, args = spread(body)
        if not isinstance(fn, s.Ident) or any(isinstance(a, s.NamedArg | s.EllipsisArg) for a in args):
            return False
        trees = [self.terms.term(a, scope) for a in args if not isinstance(a, s.NamedArg | s.EllipsisArg)]
        if any(tree.size > MAX_ARGUMENT for tree in trees):
            return False
        local = clauses.functions.get(fn.name)
        if local is not None and len(local.names) == len(trees):
            del clauses.functions[fn.name]
            inner = Scope(local.scope.local, scope.level)
            for name, tree in zip(local.names, trees, strict=True):
                inner = inner.alias(name, tree)
            self._clauses(local.body, inner, clauses, spine)
            return True
        found = self.names.find(fn.name) if spine and fn.parts[0] not in scope.local else None
        return found is not None and self._own_call(found, trees, scope, clauses)

    def _own_call(self, found: Declared, trees: list[Tree], scope: Scope, clauses: _Clauses) -> bool:
        command = found.command
        if found.given or not isinstance(command, s.Declaration) or command.kind not in ("def", "abbrev"):
            return False
        if found.name in self.names.labels or command.value is None or command.where_decls:
            return False
        if any(b.kind != "explicit" for b in command.binders) or clauses.calls >= MAX_CALLS:
            return False
        names = [name for b in command.binders for name in (b.names or ("_",))]
        if len(names) != len(trees) or _uses(command.value, found.name):
            return False
        self._note(f"{found.name} was opened where it is called")
        clauses.calls += 1
        inner = Scope({}, scope.level)
        for name, tree in zip(names, trees, strict=True):
            inner = inner.alias(name, tree)
        outer, self.names.namespace = self.names.namespace, found.namespace
        self._clauses(command.value, inner, clauses, True)
        self.names.namespace = outer
        return True


def _conjuncts(term: s.Term) -> list[s.Term]:
    term = strip(term)
    if isinstance(term, s.BinOp) and operator(term.op) == "∧":
        return [*_conjuncts(term.lhs), *_conjuncts(term.rhs)]
    return [term]


def _uses(node: object, name: str) -> int:
    """Count the identifiers that begin with a name (shadowing only makes it more)."""
    if isinstance(node, tuple):
        return sum(_uses(item, name) for item in node)
    if isinstance(node, s.Ident):
        return int(node.name == name or node.parts[0] == name)
    if isinstance(node, s.Node):
        return sum(_uses(getattr(node, f.name), name) for f in fields(node) if f.name != "span")
    return 0
