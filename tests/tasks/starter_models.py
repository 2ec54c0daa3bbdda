"""Python models of the starter tasks, written from the requirements and apart from the Lean text.

For each task, by the stem of its file: `run` is what the implementation returns, `pre` and `post` are the two parts of
the contract. Values are those of `tests.tasks.starter_values.read`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate, combinations, count, groupby, pairwise, permutations
from math import gcd
from typing import Any

from tests.tasks.starter_values import Node


def always(*_: Any) -> bool:
    """The precondition of a task that has none."""
    return True


@dataclass(frozen=True)
class Model:
    run: Callable[..., Any]
    post: Callable[..., bool]
    pre: Callable[..., bool] = always


def first(candidates: Any) -> Any:
    return next(iter(candidates))


def least(condition: Callable[[int], bool]) -> int:
    """Return the least natural number with a property."""
    return next(n for n in count() if condition(n))


def fee(minutes: int) -> int:
    return 0 if minutes < 15 else min(20, 2 * -(-minutes // 60))


def stamps(amount: int) -> tuple[int, int]:
    fives = least(lambda n: (amount - 5 * n) % 3 == 0)
    return (amount - 5 * fives) // 3, fives


NUMBERS: dict[str, Model] = {
    "clamp_reading": Model(
        run=lambda x, lo, hi: sorted([x, lo, hi])[1],
        pre=lambda x, lo, hi: lo <= hi,
        post=lambda x, lo, hi, r: r == max(lo, min(x, hi)),
    ),
    "stock_balance": Model(run=lambda s, d: s - d, post=lambda s, d, r: r == s - d),
    "boxes_needed": Model(
        run=lambda n, per: -(-n // per),
        pre=lambda n, per: per > 0,
        post=lambda n, per, r: r * per >= n and (r - 1) * per < n,
    ),
    "postage_stamps": Model(
        run=stamps,
        pre=lambda n: n not in (1, 2, 4, 7),
        post=lambda n, r: sum([3] * r[0] + [5] * r[1]) == n,
    ),
    "digit_spread": Model(
        run=lambda n: int(max(str(n))) - int(min(str(n))),
        post=lambda n, r: sorted(str(n))[0] == str(int(sorted(str(n))[-1]) - r),
    ),
    "square_tiles": Model(
        run=lambda w, h: w * h // gcd(w, h) ** 2,
        pre=lambda w, h: w > 0 and h > 0,
        post=lambda w, h, r: (
            r == min((w // s) * (h // s) for s in range(1, min(w, h) + 1) if w % s == 0 and h % s == 0)
        ),
    ),
    "next_bus": Model(
        run=lambda start, period, now: first(t for t in count(start, period) if t >= now),
        pre=lambda start, period, now: period > 0,
        post=lambda start, period, now, r: (
            r in range(max(start, now), max(start, now) + period) and r % period == start % period
        ),
    ),
    "doubling_rounds": Model(
        run=lambda n: least(lambda k: 2**k >= n),
        post=lambda n, r: r == (n - 1).bit_length() if n else r == 0,
    ),
    "near_midpoint": Model(run=lambda a, b: (a + b) // 2, post=lambda a, b, r: abs(r - a + r - b) <= 1),
    "parking_fee": Model(run=fee, post=lambda m, r: r == (0 if m < 15 else min(20, 2 * len(range(0, m, 60))))),
    "wheel_position": Model(
        run=lambda size, pos, steps: (pos + steps) % size,
        pre=lambda size, pos, steps: 0 <= pos < size,
        post=lambda size, pos, steps, r: [p for p in range(size) if (p - pos - steps) % size == 0] == [r],
    ),
    "solve_line": Model(
        run=lambda a, b, c: first([x for x in range(-99, 99) if a * x + b == c] + [None]),
        pre=lambda a, b, c: a != 0,
        post=lambda a, b, c, r: (c - b) % abs(a) != 0 if r is None else a * r + b == c,
    ),
    "coprime_partner": Model(
        run=lambda n, lo: first(m for m in count(n, n) if m > lo) + 1,
        pre=lambda n, lo: n > 0,
        post=lambda n, lo, r: r > lo and gcd(n, r) == 1,
    ),
    "strictly_between": Model(
        run=lambda a, b: a + 1,
        pre=lambda a, b: b - a >= 2,
        post=lambda a, b, r: r in range(a + 1, b),
    ),
    "board_side": Model(
        run=lambda n: least(lambda s: s * s >= n),
        post=lambda n, r: r * r >= n and all(s * s < n for s in range(r)),
    ),
}


def same_items(xs: list[Any], ys: list[Any]) -> bool:
    """Tell whether one list is a rearrangement of the other."""
    return sorted(xs) == sorted(ys)


def without_first(queue: list[int], item: int) -> list[int]:
    copy = list(queue)
    if item in copy:
        copy.remove(item)
    return copy


def stripped(xs: list[int]) -> list[int]:
    return xs[: max([i + 1 for i, x in enumerate(xs) if x], default=0)]


def plateau(xs: list[int]) -> int:
    return max([len(list(group)) for _, group in groupby(xs)], default=0)


def cuts(weights: list[int]) -> list[int]:
    return [k for k in range(len(weights) + 1) if sum(weights[:k]) == sum(weights[k:])]


def leaders(ballots: list[str]) -> list[str]:
    top = max(map(ballots.count, ballots), default=0)
    return [c for c in dict.fromkeys(ballots) if ballots.count(c) == top]


def boarded(weights: list[int], limit: int) -> int:
    return max(k for k in range(len(weights) + 1) if sum(weights[:k]) <= limit)


def payments(coins: list[int], amount: int) -> list[list[int]]:
    """Return the choices of coins that pay the amount, choices that take earlier coins first."""
    places = [p for size in range(len(coins) + 1) for p in combinations(range(len(coins)), size)]
    places.sort(key=lambda chosen: [i not in chosen for i in range(len(coins))])
    return [[coins[i] for i in chosen] for chosen in places if sum(coins[i] for i in chosen) == amount]


def places_of(grid: list[list[int]], x: int) -> list[tuple[int, int]]:
    return [(i, j) for i, row in enumerate(grid) for j, y in enumerate(row) if x == y]


def spread(jobs: list[int]) -> list[int]:
    ranked = sorted(jobs, key=lambda m: (-jobs.count(m), m))
    half = (len(jobs) + 1) // 2
    result = list(jobs)
    result[::2], result[1::2] = ranked[:half], ranked[half:]
    return result


LISTS: dict[str, Model] = {
    "rank_scores": Model(
        run=lambda xs: sorted(xs, reverse=True),
        post=lambda xs, r: same_items(xs, r) and all(a >= b for a, b in pairwise(r)),
    ),
    "evens_first": Model(
        run=lambda xs: sorted(xs, key=lambda x: x % 2),
        post=lambda xs, r: same_items(xs, r) and "10" not in "".join(str(x % 2) for x in r),
    ),
    "remove_first": Model(run=without_first, post=lambda queue, item, r: r == without_first(queue, item)),
    "first_over_limit": Model(
        run=lambda xs, limit: first([i for i, x in enumerate(xs) if x > limit] + [None]),
        post=lambda xs, limit, r: (
            all(x <= limit for x in xs)
            if r is None
            else r < len(xs) and xs[r] > limit and max(xs[:r] + [limit]) == limit
        ),
    ),
    "any_over_limit": Model(
        run=lambda xs, limit: first(i for i, x in enumerate(xs) if x > limit),
        pre=lambda xs, limit: bool(xs) and max(xs) > limit,
        post=lambda xs, limit, r: r in [i for i, x in enumerate(xs) if x > limit],
    ),
    "day_deltas": Model(
        run=lambda xs: [b - a for a, b in pairwise(xs)],
        pre=lambda xs: len(xs) > 1,
        post=lambda xs, r: len(r) == len(xs) - 1 and all(x + d == y for x, d, y in zip(xs, r, xs[1:], strict=False)),
    ),
    "drop_trailing_zeros": Model(
        run=stripped,
        post=lambda xs, r: r + [0] * (len(xs) - len(r)) == xs and r[-1:] != [0],
    ),
    "interleave": Model(
        run=lambda xs, ys: [z for pair in zip(xs, ys, strict=True) for z in pair],
        pre=lambda xs, ys: len(xs) == len(ys),
        post=lambda xs, ys, r: r[::2] == xs and r[1::2] == ys,
    ),
    "most_common": Model(
        run=lambda poll: max([x for x in poll if x], key=poll.count),
        pre=any,
        post=lambda poll, r: r > 0 and r in poll and poll.count(r) == max(poll.count(x) for x in poll if x),
    ),
    "peak_demand": Model(
        run=lambda xs: max(xs, default=None), post=lambda xs, r: r == (sorted(xs)[-1] if xs else None)
    ),
    "run_lengths": Model(
        run=lambda xs: [(x, len(list(group))) for x, group in groupby(xs)],
        post=lambda xs, r: (
            [x for x, n in r for _ in range(n)] == xs
            and all(n > 0 for _, n in r)
            and all(a[0] != b[0] for a, b in pairwise(r))
        ),
    ),
    "split_pages": Model(
        run=lambda k, xs: [xs[i : i + k] for i in range(0, len(xs), k)],
        pre=lambda k, xs: k > 0,
        post=lambda k, xs, r: (
            sum(r, []) == xs and all(len(p) == k for p in r[:-1]) and all(0 < len(p) <= k for p in r[-1:])
        ),
    ),
    "repeated_slots": Model(
        run=lambda xs: first((i, j) for j in range(len(xs)) for i in range(j) if xs[i] == xs[j]),
        pre=lambda xs: len(set(xs)) < len(xs),
        post=lambda xs, r: r in [(i, j) for i, j in combinations(range(len(xs)), 2) if xs[i] == xs[j]],
    ),
    "balance_point": Model(
        run=lambda xs: first([*cuts(xs), None]),
        post=lambda xs, r: r in cuts(xs) if r is not None else not cuts(xs),
    ),
    "longest_plateau": Model(run=plateau, post=lambda xs, r: r == plateau(xs)),
    "job_order": Model(
        run=lambda n, deps: list(range(n)),
        pre=lambda n, deps: all(a < b < n for a, b in deps),
        post=lambda n, deps, r: tuple(r) in permutations(range(n)) and all(r.index(a) < r.index(b) for a, b in deps),
    ),
    "front_runners": Model(run=leaders, post=lambda ballots, r: same_items(r, leaders(ballots))),
    "boarding": Model(run=boarded, post=lambda weights, limit, r: r == boarded(weights, limit)),
    "pay_exact": Model(
        run=lambda coins, amount: first([*payments(coins, amount), None]),
        post=lambda coins, amount, r: r in payments(coins, amount) if payments(coins, amount) else r is None,
    ),
    "longest_row": Model(
        run=lambda rows: max(rows, key=len),
        pre=any,
        post=lambda rows, r: r in rows and len(r) == max(map(len, rows)),
    ),
    "column_totals": Model(
        run=lambda table: [sum(column) for column in zip(*table, strict=True)],
        pre=lambda table: len({len(row) for row in table}) == 1,
        post=lambda table, r: r == [sum(row[j] for row in table) for j in range(len(table[0]))],
    ),
    "find_in_grid": Model(
        run=lambda grid, x: first([*places_of(grid, x), None]),
        post=lambda grid, x, r: r == min(places_of(grid, x), default=None),
    ),
    "spread_out": Model(
        run=spread,
        pre=lambda jobs: all(jobs.count(m) <= (len(jobs) + 1) // 2 for m in jobs),
        post=lambda jobs, r: same_items(jobs, r) and all(a != b for a, b in pairwise(r)),
    ),
}


def is_tag(text: str) -> bool:
    return re.fullmatch(r"[a-z]([a-z0-9-]*[a-z0-9])?", text) is not None


def ticket(text: str) -> int | None:
    return int(text) if re.fullmatch(r"[0-9]+", text) else None


def masked(card: str) -> str:
    return "*" * len(card[:-4]) + card[-4:]


def well_opened(text: str) -> bool:
    return set(text) <= set("()") and all(text[:k].count(")") <= text[:k].count("(") for k in range(len(text) + 1))


def price(prices: list[tuple[str, int]], article: str) -> int | None:
    return dict(reversed(prices)).get(article)


def bumped(counters: list[int], index: int, amount: int) -> list[int]:
    return [counter + amount * (i == index) for i, counter in enumerate(counters)]


def balances(bookings: list[int]) -> list[int]:
    return list(accumulate(bookings, initial=0))


def peaks(xs: list[int], width: int) -> list[int]:
    return [max(xs[i : i + width]) for i in range(len(xs) - width + 1)]


def zigzag(xs: list[int]) -> bool:
    return all((b - a) * (b - c) > 0 for a, b, c in zip(xs, xs[1:], xs[2:], strict=False))


def free(bookings: list[tuple[int, int]], start: int, stop: int) -> bool:
    return not any(set(range(a, b)) & set(range(start, stop)) for a, b in bookings)


def keys(tree: Node) -> list[Any]:
    match tree:
        case Node("node", (Node() as left, key, Node() as right)):
            return [*keys(left), key, *keys(right)]
        case _:
            return []


def inserted(tree: Node, key: int) -> Node:
    match tree:
        case Node("node", (Node() as left, int(other), Node() as right)) if key <= other:
            return Node("node", (inserted(left, key), other, right))
        case Node("node", (Node() as left, other, Node() as right)):
            return Node("node", (left, other, inserted(right, key)))
        case _:
            return Node("node", (Node("leaf"), key, Node("leaf")))


def scores(trails: Node) -> list[int]:
    match trails:
        case Node("goal", (int(score),)):
            return [score]
        case Node("fork", (int(score), Node() as left, Node() as right)):
            return [score + rest for rest in (*scores(left), *scores(right))]
        case _:
            raise ValueError(f"not a trail map: {trails}")


def common(a: Node, b: Node) -> Node | None:
    shared = covered(a) & covered(b)
    return Node("mk", (min(shared), max(shared))) if shared else None


def covered(span: Node) -> set[int]:
    lo, hi = ints(span)
    return set(range(lo, hi + 1))


def ints(node: Node) -> tuple[int, ...]:
    return tuple(value for value in node.args if isinstance(value, int))


COLOURS = ("red", "green", "amber")
STEPS = {"north": (0, 1), "south": (0, -1), "east": (1, 0), "west": (-1, 0)}


def final_place(moves: list[Node]) -> tuple[int, int]:
    return sum(STEPS[move.name][0] for move in moves), sum(STEPS[move.name][1] for move in moves)


TEXTS: dict[str, Model] = {
    "word_initials": Model(
        run=lambda words: "".join(word[:1] for word in words),
        post=lambda words, r: list(r) == [word[0] for word in words if word],
    ),
    "strip_padding": Model(
        run=lambda text, pad: text.lstrip(pad),
        post=lambda text, pad, r: r.rjust(len(text), pad) == text and not r.startswith(pad),
    ),
    "valid_tag": Model(run=is_tag, post=lambda text, r: r == is_tag(text)),
    "mask_card": Model(run=masked, post=lambda card, r: r == masked(card)),
    "parse_ticket": Model(run=ticket, post=lambda text, r: r == ticket(text)),
    "seat_letter": Model(
        run=lambda index: "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[index],
        pre=lambda index: index < 26,
        post=lambda index, r: "ABCDEFGHIJKLMNOPQRSTUVWXYZ".find(r) == index,
    ),
    "missing_brackets": Model(
        run=lambda text: text.count("(") - text.count(")"),
        pre=well_opened,
        post=lambda text, r: (text + ")" * r).count("(") == (text + ")" * r).count(")"),
    ),
}

PAIRS_AND_ARRAYS: dict[str, Model] = {
    "price_of": Model(run=price, post=lambda prices, article, r: r == price(prices, article)),
    "coldest_days": Model(
        run=lambda xs: (min(xs), xs.count(min(xs))),
        pre=lambda xs: len(xs) > 2,
        post=lambda xs, r: sorted(xs)[: r[1]] == [r[0]] * r[1] and r[1] > 0 and r[0] not in sorted(xs)[r[1] :],
    ),
    "share_with_rest": Model(
        run=lambda a, b: (a // b, a % b) if b > 0 else (-(a // -b), a % -b),
        pre=lambda a, b: b != 0,
        post=lambda a, b, r: r[0] * b + r[1] == a and abs(r[1]) < abs(b),
    ),
    "fair_split": Model(
        run=lambda n: (-(-n // 2), n // 2),
        post=lambda n, r: sum(r) == n and max(r) - min(r) <= 1,
    ),
    "zero_negatives": Model(
        run=lambda xs: [max(x, 0) for x in xs], post=lambda xs, r: r == [0 if x < 0 else x for x in xs]
    ),
    "bump_counter": Model(run=bumped, pre=lambda xs, i, d: i < len(xs), post=lambda xs, i, d, r: r == bumped(xs, i, d)),
    "vote_tally": Model(
        run=lambda n, votes: [votes.count(c) for c in range(n)],
        pre=lambda n, votes: all(v < n for v in votes),
        post=lambda n, votes, r: len(r) == n and [c for c in range(n) for _ in range(r[c])] == sorted(votes),
    ),
    "insertion_point": Model(
        run=bisect_left,
        pre=lambda xs, x: xs == sorted(xs),
        post=lambda xs, x, r: r <= len(xs) and xs[:r] + [x] + xs[r:] == sorted([*xs, x]),
    ),
    "running_balance": Model(run=balances, post=lambda xs, r: r == [sum(xs[:i]) for i in range(len(xs) + 1)]),
    "window_peaks": Model(
        run=peaks, pre=lambda xs, width: 0 < width <= len(xs), post=lambda xs, width, r: r == peaks(xs, width)
    ),
    "is_zigzag": Model(run=zigzag, post=lambda xs, r: r == zigzag(xs)),
    "room_is_free": Model(
        run=free,
        pre=lambda bookings, start, stop: start < stop and all(a < b for a, b in bookings),
        post=lambda bookings, start, stop, r: r == free(bookings, start, stop),
    ),
    "same_parts": Model(run=same_items, post=lambda xs, ys, r: r == (Counter(xs) == Counter(ys))),
}

USER_TYPES: dict[str, Model] = {
    "next_signal": Model(
        run=lambda signal, steps: Node(COLOURS[(COLOURS.index(signal.name) + steps) % 3]),
        post=lambda signal, steps, r: (COLOURS * (steps + 2))[COLOURS.index(signal.name) :][steps] == r.name,
    ),
    "shared_span": Model(
        run=common,
        pre=lambda a, b: all(lo <= hi for lo, hi in map(ints, (a, b))),
        post=lambda a, b, r: (
            (covered(r) if r else set()) == covered(a) & covered(b) and (r is None or covered(r) != set())
        ),
    ),
    "insert_key": Model(
        run=inserted,
        pre=lambda tree, key: keys(tree) == sorted(keys(tree)),
        post=lambda tree, key, r: keys(r) == sorted([*keys(tree), key]),
    ),
    "best_trail": Model(run=lambda trails: max(scores(trails)), post=lambda trails, r: r == sorted(scores(trails))[-1]),
    "walk_robot": Model(run=final_place, post=lambda moves, r: r == final_place(moves)),
}

MODELS: dict[str, Model] = {**NUMBERS, **LISTS, **TEXTS, **PAIRS_AND_ARRAYS, **USER_TYPES}
