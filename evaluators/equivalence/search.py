"""Search for witnesses: inputs and results on which two contracts are decided and differ.

Sources, in this order, each cut off by its share of the budget: labelled examples; constants that the contracts
mention; all small values; near misses of labelled inputs; random values. A result is tried for an input when it is
labelled, what the reference implementation returns, a near miss of these, one of the inputs (or an element of one), a
small value, a constant, or a random one. Hints (a solver's model, say) go first.

A search that finds nothing says what it tried. It never says that there is no witness.
"""

from __future__ import annotations

import itertools
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final, TypeAlias

from evaluators.equivalence.model import Direction, Hint, Side, Tried, Truth
from evaluators.equivalence.sides import Judge, Values
from evaluators.equivalence.values import Choice, Domain, Pool, domain
from specgen.lean import core
from specgen.lean.core import Const, Term
from specgen.lean.engine import Unknown, Value
from specgen.lean.eval.guards import unfolds
from specgen.lean.eval.values import from_list, key

Item: TypeAlias = tuple[str, Values]
"""Where inputs come from, and the inputs."""

_LEVELS: Final = 4
_MAX_CONSTANTS: Final = 24
_MAX_REPEATED: Final = 400


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """Budget of one search.

    Attributes:
        inputs: most inputs that are looked at.
        outputs: most results that are tried for one input.
        pairs: most pairs in all.
        wall_s: seconds.
        seed: of the random values.
        small_first: leave out labelled examples and constants, so that what is found first is small.
    """

    inputs: int = 2000
    outputs: int = 40
    pairs: int = 6000
    wall_s: float = 2.0
    seed: int = 0
    small_first: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """A witness as values, before it is shrunk; `output` is None against a direction of preconditions."""

    inputs: Values
    output: Value | None
    source: str


@dataclass
class SearchState:
    """What a search has found and tried; it may go on with another share of its sources."""

    wanted: set[Direction]
    found: dict[Direction, Found] = field(default_factory=dict)
    counts: dict[Direction, Counter[str]] = field(default_factory=dict)
    unknown: Counter[Direction] = field(default_factory=Counter)
    stopped: str = ""

    def tried(self, direction: Direction, proof: str = "") -> Tried:
        """Return what was tried for a direction."""
        counts = tuple(self.counts.get(direction, Counter()).items())
        return Tried(counts, self.unknown[direction], self.stopped or "exhausted", proof)


def pairs_against(direction: Direction, reference: Truth | None, candidate: Truth | None) -> bool:
    """Tell whether outcomes of the two sides refute a direction (of preconditions, or of postconditions)."""
    forward = direction.endswith("forward")
    return (reference, candidate) == (("holds", "fails") if forward else ("fails", "holds"))


class Search:
    """One search over two sides. `run` may be called again to go on; what was found or tried is in `state`."""

    def __init__(
        self, reference: Side, candidate: Side, judge: Judge, limits: SearchLimits, wanted: Sequence[Direction]
    ) -> None:
        self.sides = (reference, candidate)
        self.judge = judge
        self.limits = limits
        self.state = SearchState(set(wanted))
        self.pool = constants(reference, candidate)
        self.rng = Random(limits.seed)
        self.hints: list[Hint] = []
        types = judge.program.types
        given = labelled_values(judge)
        self.inputs = [domain(types, t) or given[i] for i, t in enumerate(judge.types.inputs)]
        self.result = domain(types, judge.types.result) or given[-1]
        self._seen: set[Any] = set()
        self._stream = self._items()
        self._spent = 0
        self._looked = 0
        self.deadline = 0.0

    # ---- running

    def run(self, wall_s: float, quick: bool = False) -> None:
        """Go on for so many seconds, or until everything wanted is found. `quick` stops before the random values."""
        self.deadline = time.perf_counter() + wall_s
        self.state.stopped = ""
        for hint in self.hints:
            self._hint(hint)
        self.hints.clear()
        while self.state.wanted:
            if time.perf_counter() > self.deadline:
                self.state.stopped = "wall time"
                return
            item = next(self._stream, None)
            if item is None or self._looked >= self.limits.inputs or self._spent >= self.limits.pairs:
                return
            self._looked += 1
            self._look(*item)
            if quick and item[0] == "random":
                return

    def _hint(self, hint: Hint) -> None:
        values = self.judge.read_inputs(hint.inputs)
        if values is None:
            return
        outputs = []
        if hint.output is not None:
            output = self.judge.read(hint.output, self.judge.types.result)
            outputs = [output] if output is not None else []
        self._look("hint", values, outputs)

    def _look(self, source: str, inputs: Values, outputs: Sequence[Value] = ()) -> None:
        """Look at one input: at the preconditions, and, where it is admitted, at results for it."""
        admitted = self._preconditions(source, inputs)
        posts: list[Direction] = [d for d in self.state.wanted if d.startswith("post")]
        if admitted != "holds":
            for d in posts if admitted is None else ():
                self.state.unknown[d] += 1
            return
        given = [(source, y) for y in outputs]
        for origin, output in itertools.islice(
            itertools.chain(given, self._outputs(source, inputs)), self.limits.outputs + len(given)
        ):
            if not posts or time.perf_counter() > self.deadline:
                return
            self._spent += 1
            self._postconditions(origin, inputs, output)
            posts = [d for d in posts if d in self.state.wanted]

    def _preconditions(self, source: str, inputs: Values) -> Truth | None:
        reference = self.judge.pre(self.sides[0], inputs)
        pres: list[Direction] = [d for d in self.state.wanted if d.startswith("pre")]
        if pres:
            candidate = self.judge.pre(self.sides[1], inputs)
            for direction in pres:
                self._note(direction, source, Found(inputs, None, source), reference, candidate)
        return reference

    def _postconditions(self, source: str, inputs: Values, output: Value) -> None:
        reference = self.judge.post(self.sides[0], inputs, output)
        candidate = self.judge.post(self.sides[1], inputs, output)
        for direction in [d for d in self.state.wanted if d.startswith("post")]:
            self._note(direction, source, Found(inputs, output, source), reference, candidate)

    def _note(
        self, direction: Direction, source: str, found: Found, reference: Truth | None, candidate: Truth | None
    ) -> None:
        if reference is None or candidate is None:
            self.state.unknown[direction] += 1
            return
        self.state.counts.setdefault(direction, Counter())[source] += 1
        if pairs_against(direction, reference, candidate):
            self.state.found[direction] = found
            self.state.wanted.discard(direction)

    # ---- inputs

    def _items(self) -> Iterator[Item]:
        repeated = 0
        for source, inputs in self._all_items():
            at = _identity_of(inputs)
            repeated = repeated + 1 if at in self._seen else 0
            if repeated > _MAX_REPEATED:  # a small type has no more values
                return
            if not repeated:
                self._seen.add(at)
                yield source, inputs

    def _all_items(self) -> Iterator[Item]:
        labels = self.judge.task.labels
        texts = dict.fromkeys(
            [*(p.inputs for p in labels.accepted), *labels.required, *labels.forbidden]
            + [p.inputs for p in labels.rejected]
        )
        known: list[Values] = []
        for text in texts:
            values = self.judge.read_inputs(text)
            if values is not None:
                known.append(values)
                if not self.limits.small_first:
                    yield "labelled", values
        domains = [d for d in self.inputs if d is not None]
        if len(domains) < len(self.inputs):
            return
        if not self.limits.small_first:
            yield from self._constant_items(domains, known)
        for level in range(_LEVELS - 1):
            yield from self._small_items(domains, level)
        for values in known[:20]:
            yield from self._near_items(domains, values)
        yield from self._small_items(domains, _LEVELS - 1)
        while True:
            size = self.rng.choice((2, 3, 5, 8))
            yield "random", self._values([d.random(self.rng, size, self.pool) for d in domains])

    def _values(self, data: Sequence[Any]) -> Values:
        return tuple([Value(t, d) for t, d in zip(self.judge.types.inputs, data, strict=True)])

    def _constant_items(self, domains: Sequence[Domain], known: Sequence[Values]) -> Iterator[Item]:
        """Yield inputs with one component a constant that the contracts mention, the others simple or as labelled."""
        simple = [d.small(0)[-1] for d in domains]
        bases = [simple, *([v.data for v in values] for values in known[:1])]
        heads = [_head(t) for t in self.judge.types.inputs]
        for at, head in enumerate(heads):
            for constant in self.pool.of(head)[:_MAX_CONSTANTS]:
                for base in bases:
                    yield "constants", self._values([*base[:at], constant, *base[at + 1 :]])

    def _small_items(self, domains: Sequence[Domain], level: int) -> Iterator[Item]:
        """Yield combinations of small values, those with small places first."""
        most = max(3, int((60 * 4**level) ** (1 / max(1, len(domains)))))
        lists = [d.small(level)[:most] for d in domains]
        places = itertools.islice(itertools.product(*[range(len(x)) for x in lists]), 20_000)
        for place in sorted(places, key=sum)[: 60 * 4**level]:
            yield "small", self._values([x[i] for x, i in zip(lists, place, strict=True)])

    def _near_items(self, domains: Sequence[Domain], values: Values) -> Iterator[Item]:
        data = [v.data for v in values]
        for at, d in enumerate(domains):
            for new in itertools.islice(d.near(data[at], self.pool), 12):
                yield "mutant", self._values([*data[:at], new, *data[at + 1 :]])

    # ---- results

    def _outputs(self, source: str, inputs: Values) -> Iterator[tuple[str, Value]]:
        seen: set[Any] = set()
        for origin, value in self._all_outputs(source, inputs):
            at = _identity(value.data)
            if at not in seen:
                seen.add(at)
                yield origin, value

    def _all_outputs(self, source: str, inputs: Values) -> Iterator[tuple[str, Value]]:
        type_ = self.judge.types.result
        right = self._right(inputs) if source == "labelled" else []
        run = self.judge.implementation(inputs)
        good = [*right, *([run] if run is not None else [])]
        yield from [(source, y) for y in right]
        if run is not None:
            yield "implementation", run
        if source == "labelled":
            yield from [(source, y) for y in self._rejected(inputs)]
        if self.result is None:
            return
        near = [itertools.islice(self.result.near(y.data, self.pool), 24) for y in good[:2]]
        parts = self._from_inputs(inputs)
        small = self.result.small(1)[:16]
        constants_ = self.pool.of(_head(type_))[:8]
        randoms = [self.result.random(self.rng, 4, self.pool) for _ in range(4)]
        rows: list[tuple[str, Iterator[Any]]] = [("mutant", row) for row in near]
        rows += [("from inputs", iter(parts)), ("small", iter(small)), ("constants", iter(constants_))]
        rows.append(("random", iter(randoms)))
        for origin, data in _take_turns(rows):
            yield origin, Value(type_, data)

    def _right(self, inputs: Values) -> list[Value]:
        return [y for x, y in self.judge.table() if _identity_of(x) == _identity_of(inputs)]

    def _rejected(self, inputs: Values) -> list[Value]:
        out = []
        for pair in self.judge.task.labels.rejected:
            values = self.judge.read_inputs(pair.inputs)
            if values is not None and _identity_of(values) == _identity_of(inputs):
                output = self.judge.read(pair.output, self.judge.types.result)
                out += [output] if output is not None else []
        return out

    def _from_inputs(self, inputs: Values) -> list[Any]:
        """Return inputs of the result's type, elements of that type, and near misses of the first of them."""
        types, wanted = self.judge.program.types, self.judge.types.result
        out: list[Any] = []
        for value in inputs:
            if value.type == wanted:
                out.append(value.data)
                assert self.result is not None  # noqa: S101 - `_all_outputs` has looked
                out += itertools.islice(self.result.near(value.data, self.pool), 12)
            head, args = core.unfold_app(types.normal_type(value.type))
            name = head.name if isinstance(head, Const) else ""
            if name in ("List", "Array") and args and args[0] == wanted:
                out += (from_list(value.data) if name == "List" else value.data.tolist())[:6]
            if name == "Array" and _head(self.judge.types.result) == "Nat":
                out += [len(value.data), len(value.data) + 1]
            if name == "List" and _head(self.judge.types.result) == "Nat":
                n = len(from_list(value.data))
                out += [n, n + 1]
        return out


def _take_turns(rows: Sequence[tuple[str, Iterator[Any]]]) -> Iterator[tuple[str, Any]]:
    """Yield from each row in turn, three near misses for two of the others."""
    left = list(rows)
    while left:
        for row in list(left):
            found = list(itertools.islice(row[1], 3 if row[0] == "mutant" else 2))
            if not found:
                left.remove(row)
            yield from [(row[0], x) for x in found]


def _head(type_: Term) -> str:
    head, _ = core.unfold_app(type_)
    return head.name if isinstance(head, Const) else ""


def _identity(data: Any) -> Any:
    """Return what equal data have in common."""
    try:
        return key(data)
    except Unknown:
        return repr(data)


def labelled_values(judge: Judge) -> list[Choice | None]:
    """Return for each input, and for the result, the values that stand in labels; None where there are none.

    They are all there is of a type without a domain: a function, a map.
    """
    labels = judge.task.labels
    rows = [*(p.inputs for p in labels.accepted), *labels.required, *labels.forbidden]
    rows += [p.inputs for p in labels.rejected]
    columns: list[tuple[Iterator[str], Term]] = [
        ((row[i] for row in rows if i < len(row)), t) for i, t in enumerate(judge.types.inputs)
    ]
    columns.append(((p.output for p in (*labels.accepted, *labels.rejected)), judge.types.result))
    out: list[Choice | None] = []
    for texts, type_ in columns:
        found = [judge.read(text, type_) for text in itertools.islice(dict.fromkeys(texts), 20)]
        values = tuple([v.data for v in found if v is not None])
        out.append(Choice(values) if values else None)
    return out


def _identity_of(values: Values) -> Any:
    return tuple([_identity(v.data) for v in values])


def constants(*sides: Side) -> Pool:
    """Return the literals of contracts with their neighbours, through the definitions of their own that they use."""
    numbers: dict[int, None] = {}
    texts: dict[str, None] = {}
    for side in sides:
        names = [n for n in (side.form.precondition, side.form.postcondition) if n]
        _collect(side, names, numbers, texts)
    near = dict.fromkeys(m for n in numbers for m in (n, n + 1, n - 1, -n))
    wanted = sorted(near, key=lambda n: (abs(n), n < 0))[: 2 * _MAX_CONSTANTS]
    return Pool(tuple(wanted), tuple(texts)[:_MAX_CONSTANTS])


def _collect(side: Side, names: list[str], numbers: dict[int, None], texts: dict[str, None]) -> None:
    env, types = side.program.environment, side.program.types
    done: set[str] = set()
    while names and len(done) < 40:
        name = names.pop()
        value = env.constants[name].value if name in env.constants else None
        if name in done or value is None:
            continue
        done.add(name)

        def visit(t: Term, depth: int) -> Term:
            match t:
                case core.Lit(value=int() as n) if n < 10**9:
                    numbers[n] = None
                case core.Lit(value=str() as s):
                    texts[s] = None
                case core.App(fn=Const(name="Char.ofNat"), args=(core.Lit(value=int() as n), *_)) if n < 0xD800:
                    texts[chr(n)] = None
                    return t
                case Const(name=own) if own in env.constants and (unfolds(types, own) or env.constants[own].recursive):
                    names.append(own)
            if depth > 400:
                return t
            return core.map_children(t, visit, depth + 1)

        visit(value, 0)


__all__ = ["Found", "Search", "SearchLimits", "SearchState", "constants", "pairs_against"]
