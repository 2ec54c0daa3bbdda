"""Printing of do blocks."""

from __future__ import annotations

from . import syntax as s
from .printer import _term, discriminants, join, let_decl, line
from .printing import quote_part

Items = tuple[s.DoItem, ...]


def items(block: Items, column: int) -> str:
    """Do items, each on a line of its own at a column."""
    return "".join([line(column) + item(entry, column).lstrip() for entry in block])


def item(entry: s.DoItem, column: int) -> str:
    """One do item that begins at a column."""
    match entry:
        case s.DoLet():
            return _let(entry, column)
        case s.DoLetRec():
            separator = "," + line(column + 2)
            return "let rec " + separator.join([let_decl(decl, column + 2) for decl in entry.decls])
        case s.DoReassign():
            type_ = f" : {_term(entry.type, column + 2)}" if entry.type is not None else ""
            target = _term(entry.target, column + 2) + type_
            return f"{target} ← {action(entry.value, column)}" if entry.arrow else _assigned(target, entry, column)
        case s.DoIf():
            return _if(entry, column)
        case s.DoUnless():
            return f"unless {_term(entry.cond, column + 2)} do" + items(entry.body, column + 2)
        case s.DoFor() | s.DoWhile():
            return _loop(entry, column)
        case s.DoMatch():
            head = f"match {discriminants(entry.discrs, column)} with"
            return head + "".join([_alternative(alt, column) for alt in entry.alts])
        case s.DoReturn():
            return "return" if entry.value is None else f"return {_term(entry.value, column + 2).lstrip()}"
        case s.DoBreak():
            return "break"
        case s.DoContinue():
            return "continue"
        case s.DoTry():
            return _try(entry, column)
        case s.DoExpr():
            return _expression(entry.term, column)


def _expression(term: s.Term, column: int) -> str:
    if isinstance(term, s.Do):
        return "do" + items(term.items, column + 2)
    if isinstance(term, s.TermMacro) and len(term.args) == 1:
        return f"{term.keyword} {_term(term.args[0], column + 2)}"
    return _term(term, column + 2)


def _assigned(target: str, entry: s.DoReassign, column: int) -> str:
    return join(f"{target} :=", _term(entry.value, column + 2))


def action(value: s.Term, column: int) -> str:
    """The right side of `←`."""
    if isinstance(value, s.Do) and len(value.items) == 1 and not isinstance(value.items[0], s.DoExpr):
        return item(value.items[0], column + 2).lstrip()
    if isinstance(value, s.Do):
        return "do" + items(value.items, column + 2)
    return _term(value, column + 2).lstrip()


def _let(entry: s.DoLet, column: int) -> str:
    head = f"{entry.keyword} {'mut ' if entry.mutable else ''}"
    if entry.arrow and entry.decl.value is not None:
        bare = s.LetDecl(
            entry.decl.span, entry.decl.name, entry.decl.binders, entry.decl.type, None, entry.decl.pattern
        )
        text = f"{head}{let_decl(bare, column + 2)} ← {action(entry.decl.value, column)}"
    else:
        text = head + let_decl(entry.decl, column + 2)
    if entry.otherwise is not None:
        text += line(column + 2) + "|" + items(entry.otherwise, column + 4)
    return text


def _condition(cond: s.DoCond, column: int) -> str:
    term = _term(cond.term, column + 2)
    if cond.pattern is not None:
        return join(f"let {_term(cond.pattern, column + 2)} {'←' if cond.arrow else ':='}", term)
    return f"{quote_part(cond.hyp, True)} : {term}" if cond.hyp else term


def _if(entry: s.DoIf, column: int) -> str:
    parts = []
    for number, (cond, body) in enumerate(entry.branches):
        keyword = "if" if number == 0 else line(column) + "else if"
        parts.append(f"{keyword} {_condition(cond, column)} then" + items(body, column + 2))
    if entry.otherwise is not None:
        parts.append(line(column) + "else" + items(entry.otherwise, column + 2))
    return "".join(parts)


def _alternative(alt: s.DoMatchAlt, column: int) -> str:
    patterns = " ".join(["| " + ", ".join([_term(p, column + 4) for p in row]) for row in alt.patterns])
    return f"{line(column)}{patterns} =>" + items(alt.body, column + 2)


def _loop(entry: s.DoFor | s.DoWhile, column: int) -> str:
    if isinstance(entry, s.DoFor):
        iters = [
            (f"{quote_part(it.hyp, True)} : " if it.hyp else "")
            + f"{_term(it.pattern, column + 2)} in {_term(it.collection, column + 2)}"
            for it in entry.iters
        ]
        return f"for {', '.join(iters)} do" + items(entry.body, column + 2)
    if entry.cond is not None:
        return f"while {_condition(entry.cond, column)} do" + items(entry.body, column + 2)
    until = f"{line(column)}until {_term(entry.until, column + 2)}" if entry.until is not None else ""
    return "repeat" + items(entry.body, column + 2) + until


def _try(entry: s.DoTry, column: int) -> str:
    text = "try" + items(entry.body, column + 2)
    for name, type_, body in entry.catches:
        typed = f" : {_term(type_, column + 2)}" if type_ is not None else ""
        text += f"{line(column)}catch {quote_part(name, True)}{typed} =>" + items(body, column + 2)
    if entry.final is not None:
        text += line(column) + "finally" + items(entry.final, column + 2)
    return text
