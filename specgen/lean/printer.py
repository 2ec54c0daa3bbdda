"""The printer: a surface tree back to text that parses to an equal tree.

Layout carries meaning, so the text is laid out by one rule: a term is printed for a column, which is right of every
saved position around it; what must begin a line (a `let`, alternatives, do items) begins it at that column, and parts
of those are printed for a column further right. Parentheses are added only where a tree lacks them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from . import syntax as s
from .parser.core import allow_depth
from .parser.tables import ARG, INFIX, LEAD, MAX, MIN, POSTFIX, PREFIX, QUANTIFIERS
from .printing import char_literal, name_text, quote_part, string_body, string_literal

__all__ = ["print_command", "print_file", "print_term"]

_MAX_DEPTH = 400

_CLOSING = {"⌊": "⌋", "⌈": "⌉", "⌊₊": "⌋₊", "⌈₊": "⌉₊", "‹": "›", "⟪": "⟫", "⌜": "⌝", "|": "|", "‖": "‖", "‖₊": "‖₊"}
_BRACKETS: dict[s.BinderKind, tuple[str, str]] = {
    "explicit": ("(", ")"),
    "implicit": ("{", "}"),
    "strict": ("⦃", "⦄"),
    "instance": ("[", "]"),
}
_LEADING = (s.Let, s.LetRec, s.If, s.IfLet, s.Match, s.Show, s.By, s.Calc, s.ScopedTerm)


def print_term(term: s.Term) -> str:
    """Print a term; parsing the text gives an equal term."""
    allow_depth(_MAX_DEPTH)
    return _term(term, 0).lstrip()


def print_command(command: s.Command) -> str:
    """Print one command."""
    from .printer_commands import command_text

    allow_depth(_MAX_DEPTH)
    return command_text(command)


def print_file(file: s.File) -> str:
    """Print a file; parsing the text gives an equal file."""
    return "".join(print_command(command) + "\n\n" for command in file.commands).rstrip("\n") + "\n"


# ---------------------------------------------------------------------------------------------------------- precedence


def _precedence(term: s.Term) -> int:
    """The precedence at which the parser yields this term."""
    match term:
        case s.App():
            return MIN if term.op or _precedence(term.fn) == MIN and isinstance(term.fn, s.Proj) else LEAD
        case s.BinOp():
            return MAX if term.op == "#" else INFIX[term.op][0]
        case s.ModEq() | s.Matches():
            return 50
        case s.Arrow() | s.DepArrow():
            return 25
        case s.DepProd():
            return 35
        case s.PrefixOp():
            return PREFIX.get(term.op, (MAX, MAX))[0]
        case s.Proj():
            piped = term.pipe or (isinstance(term.target, s.Proj) and _precedence(term.target) == MIN)
            return MIN if piped else MAX
        case s.Do():
            return ARG if not (len(term.items) == 1 and _is_element(term.items[0])) else LEAD
        case s.NestedAction():
            return MIN
        case s.Quantifier():
            return QUANTIFIERS[term.symbol][0]
        case s.PolyRange():
            return LEAD
        case s.Fun() | s.FunMatch():
            return MAX
        case s.TermMacro():
            return MAX if term.keyword == "nofun" or term.keyword[0] == "`" else LEAD
    return LEAD if isinstance(term, _LEADING) else MAX


def _right_child(term: s.Term) -> tuple[s.Term, int] | None:
    """The last part of a term without a closing token, and the precedence at which it is parsed."""
    match term:
        case s.Fun() | s.Let() | s.LetRec() | s.DepArrow():
            return term.body, 0
        case s.Quantifier():
            return term.body, QUANTIFIERS[term.symbol][1]
        case s.If() | s.IfLet():
            return term.otherwise, 0
        case s.Show():
            return term.value, 0
        case s.FunMatch() | s.Match() if term.alts:
            return term.alts[-1].rhs, 0
        case s.Match():
            return term.discrs[-1].term, 0
        case s.ScopedTerm():
            return term.term, 0
        case s.BinOp() if term.op not in ("#", "^["):
            return term.rhs, INFIX[term.op][2]
        case s.Arrow():
            return term.codomain, 25
        case s.DepProd():
            return term.body, 35
        case s.PrefixOp():
            return term.arg, PREFIX.get(term.op, (MAX, MAX))[1]
        case s.NestedAction():
            return term.term, MIN
        case s.TermMacro() if term.args and term.keyword != "⦃⦄":
            return term.args[-1], 0
        case s.App():
            last = term.args[-1]
            if isinstance(last, (s.NamedArg, s.EllipsisArg)) or term.op == "|>":
                return None
            return last, MIN if term.op else ARG
    return None


def _absorbs(term: s.Term, prec: int, least: int) -> bool:
    """Whether a trailing notation after `term` would attach to an inner part of it.

    The notation yields `prec` and asks for `least` on its left.
    """
    absorbed = False
    while not absorbed:
        if isinstance(term, (s.By, s.Calc, s.Do)):
            return True
        child = _right_child(term)
        if child is None:
            return False
        term = child[0]
        absorbed = child[1] <= prec and _precedence(term) >= least
    return True


def _at(term: s.Term, prec: int, column: int, *, before: int = 0) -> str:
    """A term where the grammar asks for a precedence; parenthesised if it has less.

    `before` is the precedence of the notation that follows the term, if one does.
    """
    text = _term(term, column)
    if _precedence(term) < prec or (before and _absorbs(term, before, prec)):
        return f"({text})"
    return text


# --------------------------------------------------------------------------------------------------------------- terms


def join(prefix: str, text: str) -> str:
    """`prefix text`, without a space when the text begins a line of its own."""
    return prefix + text if text.startswith("\n") else f"{prefix} {text}"


def line(column: int) -> str:
    """A line break and the indentation to a column."""
    return "\n" + " " * column


def _term(term: s.Term, column: int) -> str:
    return _PRINTERS[type(term)](term, column)


def _list(items: Iterable[s.Term], column: int) -> str:
    return ", ".join([_term(item, column + 2) for item in items])


def _ident(term: s.Ident, column: int) -> str:
    text = ".".join([quote_part(part, len(term.parts) == 1) for part in term.parts])
    if term.root:
        text = "_root_." + text
    return text + (".{" + ", ".join(term.levels) + "}" if term.levels else "")


def _hole(term: s.Hole, column: int) -> str:
    return "?" + term.name if term.name else "_"


def _scientific(term: s.SciLit, column: int) -> str:
    digits = number_text(term.mantissa)
    places = -term.exponent
    if not 0 < places <= 40:
        sign = "-" if term.exponent < 0 else ""
        return f"{digits}e{sign}{number_text(abs(term.exponent))}"
    digits = digits.rjust(places + 1, "0")
    return f"{digits[:-places]}.{digits[-places:]}"


def _interpolated(term: s.InterpStr, column: int) -> str:
    pieces = [
        string_body(part, braces=True) if isinstance(part, str) else "{" + _term(part, column + 2) + "}"
        for part in term.parts
    ]
    return f'{term.prefix}"{"".join(pieces)}"'


def _sort(term: s.SortTerm, column: int) -> str:
    return f"{term.kind} {term.level}" if term.level else term.kind


def _argument(arg: s.Arg, column: int) -> str:
    if isinstance(arg, s.NamedArg):
        return f"({name_text(arg.name)} := {_term(arg.value, column + 2)})"
    if isinstance(arg, s.EllipsisArg):
        return ".."
    return _at(arg, ARG, column)


def _app(term: s.App, column: int) -> str:
    if not term.op:
        return _juxtaposed(term.fn, term.args, column)
    *args, last = term.args
    fn = _juxtaposed(term.fn, args, column) if args else _term(term.fn, column)
    operand = last if not isinstance(last, (s.NamedArg, s.EllipsisArg)) else None
    if operand is None:
        return _juxtaposed(term.fn, term.args, column)
    if term.op == "|>":
        return join(_at(operand, 0, column, before=MIN) + " |>", fn)
    return join(f"{fn} {term.op}", _at(operand, MIN, column))


def _juxtaposed(fn: s.Term, args: Iterable[s.Arg], column: int) -> str:
    if isinstance(fn, s.Proj) and _precedence(fn) == MIN:
        head = _term(fn, column)
    else:
        head = _at(fn, MAX, column, before=LEAD)
    args = list(args)
    texts = []
    for number, arg in enumerate(args):
        text = _argument(arg, column + 2)
        more = number + 1 < len(args)
        if more and not isinstance(arg, (s.NamedArg, s.EllipsisArg)) and _precedence(arg) >= ARG:
            text = f"({text})" if _absorbs(arg, LEAD, MAX) else text
        texts.append(text)
    return " ".join([head, *texts])


def _explicit(term: s.Explicit, column: int) -> str:
    return "@" + _at(term.fn, MAX, column)


def _proj(term: s.Proj, column: int) -> str:
    field = term.field if isinstance(term.field, int) else quote_part(term.field, False)
    if term.pipe:
        return f"{_at(term.target, 0, column, before=MIN)} |>.{field}"
    if isinstance(term.target, s.Proj) and _precedence(term.target) == MIN:
        return f"{_term(term.target, column)}.{field}"
    return f"{_at(term.target, MAX, column, before=MAX)}.{field}"


def _dot_ident(term: s.DotIdent, column: int) -> str:
    return "." + ".".join([quote_part(part, False) for part in term.parts])


def _paren(term: s.Paren, column: int) -> str:
    return f"({_term(term.inner, column + 2)})"


def _ascription(term: s.Ascription, column: int) -> str:
    if term.type is None:
        return f"({_term(term.term, column + 2)} :)"
    return join(f"({_term(term.term, column + 2)} :", _term(term.type, column + 2)) + ")"


def _bracketed_items(opening: str, closing: str) -> Callable[[Any, int], str]:
    return lambda term, column: f"{opening}{_list(term.items, column)}{closing}"


def _optional(term: s.Term | None, column: int) -> str:
    return "" if term is None else _term(term, column + 2)


def _range(term: s.RangeLit, column: int) -> str:
    step = "" if term.step is None else " : " + _term(term.step, column + 2)
    return f"[{_optional(term.start, column)} : {_optional(term.stop, column)}{step}]".replace("[ :", "[:")


def _poly_range(term: s.PolyRange, column: int) -> str:
    start = "*" if term.start is None else _at(term.start, MAX, column, before=MAX)
    stop = "*" if term.stop is None else _at(term.stop, MAX, column)
    return start + term.op + stop


def binder(b: s.Binder, column: int, *, bare: bool = True, brackets: bool = False) -> str:
    """One binder group; `bare` admits names without brackets, `brackets` asks for them around a bounded binder."""
    names = " ".join([quote_part(name, True) for name in b.names])
    if b.pattern is not None:
        names = _at(b.pattern, ARG, column + 2)
    if b.pred is not None:
        text = join(f"{names} {b.pred[0]}", _term(b.pred[1], column + 2))
        return f"({text})" if brackets else text
    if b.pattern is not None:
        return names if b.type is None else join(f"{names} :", _term(b.type, column + 2))
    opening, closing = _BRACKETS[b.kind]
    if b.kind == "explicit" and b.type is None and b.default is None and bare:
        return names
    text = names
    if b.type is not None:
        text = join(f"{names} :", _term(b.type, column + 2)) if names else _term(b.type, column + 2)
    if b.default is not None:
        text = join(f"{text} :=", _term(b.default, column + 2))
    return f"{opening}{text}{closing}"


def binders(group: tuple[s.Binder, ...], column: int, *, bare: bool = True) -> str:
    """Binder groups with spaces between; bounded ones in parentheses when there are several."""
    several = len(group) > 1
    return " ".join([binder(b, column, bare=bare, brackets=several) for b in group])


def _fun(term: s.Fun, column: int) -> str:
    return join(f"fun {binders(term.binders, column)} =>", _term(term.body, column))


def alternatives(alts: tuple[s.MatchAlt, ...], column: int) -> str:
    """`| p => e` lines at a column, each after a line break."""
    return "".join(
        [line(column) + join(_patterns(alt.patterns, column) + " =>", _term(alt.rhs, column + 2)) for alt in alts]
    )


def _patterns(patterns: tuple[tuple[s.Term, ...], ...], column: int) -> str:
    return " ".join(["| " + _list(row, column + 2) for row in patterns])


def _fun_match(term: s.FunMatch, column: int) -> str:
    return "fun" + alternatives(term.alts, column)


def _quantifier(term: s.Quantifier, column: int) -> str:
    condition = "" if term.filter is None else " with " + _term(term.filter, column + 2)
    head = f"{term.symbol} {binders(term.binders, column)}{condition},"
    return join(head, _at(term.body, QUANTIFIERS[term.symbol][1], column))


def _dep_arrow(term: s.DepArrow, column: int) -> str:
    return join(f"{binder(term.binder, column, bare=False)} →", _at(term.body, 0, column))


def _dep_prod(term: s.DepProd, column: int) -> str:
    return join(f"{binder(term.binder, column, bare=False)} {term.op}", _at(term.body, 35, column))


def _arrow(term: s.Arrow, column: int) -> str:
    return join(f"{_at(term.domain, 0, column, before=25)} →", _at(term.codomain, 25, column))


def _binary(term: s.BinOp, column: int) -> str:
    if term.op == "#":
        return f"{_term(term.lhs, column)}#{_at(term.rhs, MAX, column)}"
    if term.op == "^[":
        return f"{_at(term.lhs, MAX, column, before=MAX)}^[{_term(term.rhs, column + 2)}]"
    prec, left, right = INFIX[term.op]
    return join(f"{_at(term.lhs, left, column, before=prec)} {term.op}", _at(term.rhs, right, column))


def _mod_eq(term: s.ModEq, column: int) -> str:
    lhs = _at(term.lhs, 51, column, before=50)
    return f"{lhs} ≡ {_at(term.rhs, 51, column, before=MAX)} [{term.kind} {_term(term.modulus, column + 2)}]"


def _prefix(term: s.PrefixOp, column: int) -> str:
    arg = _at(term.arg, PREFIX.get(term.op, (MAX, MAX))[1], column)
    if term.op == "#" and not isinstance(term.arg, s.Ident):
        return "# " + arg
    glued = not arg.startswith((term.op[-1], "[", "\n", "@")) and not term.op.isalpha()
    return term.op + arg if glued else join(term.op, arg)


def _postfix(term: s.PostfixOp, column: int) -> str:
    if term.op == "!":
        return f"{_at(term.arg, MAX, column, before=MAX)} !"
    return _at(term.arg, MAX, column, before=MAX) + (term.op if term.op in POSTFIX else " " + term.op)


def _bracketed(term: s.Bracketed, column: int) -> str:
    return f"{term.kind[0] if term.kind != '‖₊' else '‖'}{_term(term.inner, column + 2)}{_CLOSING[term.kind]}"


def _index(term: s.Index, column: int) -> str:
    text = f"{_at(term.target, MAX, column, before=MAX)}[{_term(term.index, column + 2)}]{term.suffix}"
    return text if term.proof is None else text + _at(term.proof, MAX, column)


def _slice(term: s.Slice, column: int) -> str:
    target = _at(term.target, MAX, column, before=MAX)
    return f"{target}[{_optional(term.start, column)} : {_optional(term.stop, column)}]".replace("[ :", "[:")


def field_init(field: s.FieldInit, column: int) -> str:
    """`path := value`."""
    path = ""
    for step in field.path:
        if isinstance(step, str):
            path += ("." if path else "") + quote_part(step, False)
        elif isinstance(step, int):
            path += f".{step}" if path else str(step)
        else:
            path += f"[{_term(step, column + 2)}]"
    return join(f"{path} :=", _term(field.value, column + 2))


def _structure(term: s.StructInst, column: int) -> str:
    fields = [field_init(field, column + 2) for field in term.fields]
    if any("\n" in text for text in fields):
        body = ",".join([line(column + 2) + text for text in fields])
    else:
        body = " " + ", ".join(fields) if fields else ""
    head = f" {_list(term.sources, column)} with" if term.sources else ""
    tail = ("," if term.ellipsis and fields else "") + (" .." if term.ellipsis else "")
    type_ = f" : {_term(term.type, column + 2)}" if term.type is not None else ""
    return "{" + head + body + tail + type_ + " }"


def _set_literal(term: s.SetLit, column: int) -> str:
    return "{" + _list(term.items, column) + "}"


def _set_builder(term: s.SetBuilder, column: int) -> str:
    if term.binder is None:
        return f"{{{_term(term.body, column + 2)} | {binders(term.image, column)}}}"
    return join("{" + _builder_head(term.binder, column) + " |", _term(term.body, column + 2)) + "}"


def _builder_head(b: s.Binder, column: int) -> str:
    if b.type is None or b.pred is not None:
        return binder(b, column)
    names = " ".join([quote_part(name, True) for name in b.names])
    head = names if b.pattern is None else _term(b.pattern, column + 2)
    return f"{head} : {_term(b.type, column + 2)}"


def _subtype(term: s.Subtype, column: int) -> str:
    return join("{" + _builder_head(term.binder, column) + " //", _term(term.body, column + 2)) + "}"


def let_decl(decl: s.LetDecl, column: int) -> str:
    """The part of a `let` between its keyword and its body; the keyword stands left of `column`."""
    if decl.pattern is not None:
        head = _term(decl.pattern, column + 2)
    else:
        head = " ".join([name_text(decl.name), *([binders(decl.binders, column)] if decl.binders else [])])
    if decl.type is not None:
        head = join(f"{head} :", _term(decl.type, column))
    text = head + alternatives(decl.alts, column) if decl.alts else head
    if decl.value is not None:
        text = join(f"{head} :=", _term(decl.value, column))
    return text + hints(decl.termination_by, decl.decreasing_by, column)


def hints(terminations: str, decreasing: str, column: int) -> str:
    """`termination_by` and `decreasing_by` lines."""
    text = ""
    if terminations.endswith("_fixpoint"):
        text += line(column) + terminations
    elif terminations:
        text += line(column) + "termination_by" + block(terminations, column + 2)
    if decreasing:
        text += line(column) + "decreasing_by" + block(decreasing, column + 2)
    return text


def block(text: str, column: int) -> str:
    """A skipped token run, in its own shape at a column; on the same line if it is one line."""
    if "\n" not in text:
        return " " + text
    return "".join([line(column) + part if part else "\n" for part in text.split("\n")])


def _let(term: s.Let, column: int) -> str:
    if term.keyword == "suffices":
        return _suffices(term, column)
    decl = let_decl(term.decl, column + 2)
    return f"{line(column)}{term.keyword} {decl}{_following(term.body, column)}"


def _following(term: s.Term, column: int) -> str:
    """The text of a body on the line after a declaration; a `;` keeps a leading `-` from continuing the line above."""
    text = _term(term, column)
    text = text if text.startswith("\n") else line(column) + text
    return ";" + text if text.lstrip().startswith("-") else text


def _suffices(term: s.Let, column: int) -> str:
    decl = term.decl
    type_ = _term(decl.type, column + 2) if decl.type is not None else "_"
    head = join(f"suffices {quote_part(decl.name, True)} :", type_)
    value = decl.value if decl.value is not None else s.Hole((0, 0))
    proof = _by(value, column + 2) if isinstance(value, s.By) else join("from", _term(value, column + 2))
    return f"{line(column)}{head} {proof}{_following(term.body, column)}"


def _let_rec(term: s.LetRec, column: int) -> str:
    separator = "," + line(column + 2)
    decls = separator.join([let_decl(decl, column + 2) for decl in term.decls])
    return f"{line(column)}let rec {decls}{_following(term.body, column)}"


def _show(term: s.Show, column: int) -> str:
    head = join("show", _term(term.type, column + 2))
    if isinstance(term.value, s.By):
        return f"{head} {_by(term.value, column)}"
    return join(f"{head} from", _term(term.value, column + 2))


def _branches(head: str, then: s.Term, otherwise: s.Term, column: int) -> str:
    first = join(f"{head} then", _term(then, column + 2))
    gap = line(column) if "\n" in first else " "
    last = _term(otherwise, column if isinstance(otherwise, (s.If, s.IfLet)) else column + 2)
    return join(f"{first}{gap}else", last)


def _if(term: s.If, column: int) -> str:
    hyp = f"{quote_part(term.hyp, True)} : " if term.hyp else ""
    return _branches(join(f"if {hyp}".rstrip(), _term(term.cond, column + 2)), term.then, term.otherwise, column)


def _if_let(term: s.IfLet, column: int) -> str:
    head = join(f"if let {_term(term.pattern, column + 2)} :=", _term(term.value, column + 2))
    return _branches(head, term.then, term.otherwise, column)


def discriminants(discrs: tuple[s.Discr, ...], column: int) -> str:
    """What stands between `match` and `with`."""
    return ", ".join([(f"{quote_part(d.hyp, True)} : " if d.hyp else "") + _term(d.term, column + 2) for d in discrs])


def _match(term: s.Match, column: int) -> str:
    if not term.alts:
        return f"nomatch {discriminants(term.discrs, column)}"
    motive = f"(motive := {_term(term.motive, column + 2)}) " if term.motive is not None else ""
    return f"match {motive}{discriminants(term.discrs, column)} with" + alternatives(term.alts, column)


def _named_pattern(term: s.NamedPattern, column: int) -> str:
    hyp = f"{term.hyp}:" if term.hyp else ""
    return f"{name_text(term.name)}@{hyp}{_at(term.pattern, MAX, column)}"


def _matches(term: s.Matches, column: int) -> str:
    return f"{_at(term.term, 51, column, before=50)} matches {' | '.join([_term(p, column) for p in term.patterns])}"


def _by(term: s.By, column: int) -> str:
    return "by" + block(term.text, column + 2)


def _calc(term: s.Calc, column: int) -> str:
    return "calc" + block(term.text, column + 2)


def _is_element(item: s.DoItem) -> bool:
    return isinstance(item, (s.DoReturn, s.DoFor, s.DoUnless, s.DoTry, s.DoWhile))


def _do(term: s.Do, column: int) -> str:
    from .printer_do import items

    return "do" + items(term.items, column)


def _scoped(term: s.ScopedTerm, column: int) -> str:
    return join(f"{print_command(term.command)} in", _term(term.term, column))


def _macro(term: s.TermMacro, column: int) -> str:
    args = [_term(arg, column + 2) for arg in term.args]
    if term.keyword == "⦃⦄":
        return f"⦃{args[0]}⦄ {args[1]} ⦃{args[2]}⦄"
    if term.keyword == "⇓":
        return "⇓" + args[0].removeprefix("fun")
    if len(args) == 2:
        return f"{line(column)}{term.keyword} {args[0]}{line(column)}{_term(term.args[1], column).lstrip()}"
    return " ".join([term.keyword, *args])


_PRINTERS: dict[type, Callable[[Any, int], str]] = {
    s.Ident: _ident,
    s.Hole: _hole,
    s.NumLit: lambda term, column: number_text(term.value),
    s.SciLit: _scientific,
    s.StrLit: lambda term, column: string_literal(term.value),
    s.CharLit: lambda term, column: char_literal(term.value),
    s.InterpStr: _interpolated,
    s.SortTerm: _sort,
    s.App: _app,
    s.Explicit: _explicit,
    s.Proj: _proj,
    s.DotIdent: _dot_ident,
    s.Paren: _paren,
    s.Ascription: _ascription,
    s.Tuple: _bracketed_items("(", ")"),
    s.AnonCtor: _bracketed_items("⟨", "⟩"),
    s.ListLit: _bracketed_items("[", "]"),
    s.ArrayLit: lambda term, column: ("#v[" if term.vector else "#[") + _list(term.items, column) + "]",
    s.RangeLit: _range,
    s.PolyRange: _poly_range,
    s.Fun: _fun,
    s.FunMatch: _fun_match,
    s.Quantifier: _quantifier,
    s.DepArrow: _dep_arrow,
    s.DepProd: _dep_prod,
    s.Arrow: _arrow,
    s.BinOp: _binary,
    s.ModEq: _mod_eq,
    s.PrefixOp: _prefix,
    s.PostfixOp: _postfix,
    s.Bracketed: _bracketed,
    s.Index: _index,
    s.Slice: _slice,
    s.StructInst: _structure,
    s.SetLit: _set_literal,
    s.SetBuilder: _set_builder,
    s.Subtype: _subtype,
    s.Let: _let,
    s.LetRec: _let_rec,
    s.Show: _show,
    s.If: _if,
    s.IfLet: _if_let,
    s.Match: _match,
    s.NamedPattern: _named_pattern,
    s.Inaccessible: lambda term, column: f".({_term(term.term, column + 2)})",
    s.Matches: _matches,
    s.By: _by,
    s.Calc: _calc,
    s.Sorry: lambda term, column: "sorry",
    s.Do: _do,
    s.NestedAction: lambda term, column: join("←", _at(term.term, MIN, column)),
    s.ScopedTerm: _scoped,
    s.TermMacro: _macro,
}


def number_text(value: int) -> str:
    """A natural number in decimal, without Python's limit on the number of digits."""
    if value < 10**4000:
        return str(value)
    digits = value.bit_length() * 30103 // 200000
    high, low = divmod(value, 10**digits)
    return number_text(high) + number_text(low).rjust(digits, "0")
