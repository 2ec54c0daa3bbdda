"""Printing of commands."""

from __future__ import annotations

from . import syntax as s
from .printer import _term, alternatives, binder, binders, block, field_init, hints, join, line
from .printing import name_text, quote_part


def command_text(command: s.Command) -> str:
    """Print one command at the left margin."""
    match command:
        case s.Declaration():
            return declaration(command, 0)
        case s.Inductive():
            return _inductive(command)
        case s.Structure():
            return _structure(command)
        case s.Mutual():
            return "mutual\n\n" + "".join([command_text(c) + "\n\n" for c in command.commands]) + "end"
        case s.InCommand():
            return f"{command_text(command.outer)} in\n{command_text(command.inner)}"
        case s.Unsupported():
            return command.text
        case s.Variable():
            return f"variable {binders(command.binders, 0, bare=False)}"
        case s.HashCommand():
            return _hash(command)
        case s.Misc():
            if command.keyword == "/-!":
                return f"/-! {command.text} -/"
            return f"{command.keyword} {command.text}".rstrip()
    return _scope(command)


def _scope(command: s.Command) -> str:
    """Commands about names and options."""
    match command:
        case s.Import():
            return " ".join(["import", *command.keywords, *map(name_text, command.modules)])
        case s.Open():
            return _open(command)
        case s.Export():
            return f"export {name_text(command.namespace)} ({_names(command.names)})"
        case s.Namespace():
            return f"namespace {name_text(command.name)}"
        case s.Section():
            return " ".join([*command.keywords, "section", *([name_text(command.name)] if command.name else [])])
        case s.End():
            return f"end {name_text(command.name)}" if command.name else "end"
        case s.Universe():
            return f"universe {_names(command.names)}"
        case s.SetOption():
            return f"set_option {name_text(command.name)} {command.value}"
        case s.AttributeCmd():
            return f"attribute [{_attributes(command.attributes)}] {_names(command.names)}"
        case s.DerivingCmd():
            return f"deriving instance {', '.join(command.classes)} for {', '.join(map(name_text, command.types))}"
    raise TypeError(f"not a command: {type(command).__name__}")


def _names(names: tuple[str, ...]) -> str:
    return " ".join([name_text(name) for name in names])


def _open(command: s.Open) -> str:
    text = f"open {'scoped ' if command.scoped else ''}{_names(command.namespaces)}"
    if command.only:
        text += f" ({_names(command.only)})"
    if command.hiding:
        text += f" hiding {_names(command.hiding)}"
    if command.renaming:
        text += " renaming " + ", ".join([f"{name_text(a)} → {name_text(b)}" for a, b in command.renaming])
    return text


def _attributes(attributes: tuple[s.Attribute, ...]) -> str:
    return ", ".join([f"{a.name} {a.args}".rstrip() for a in attributes])


def modifiers(mods: s.Modifiers, column: int) -> str:
    """Doc comment, attributes and keywords, up to the keyword of the declaration."""
    text = f"/-- {mods.doc} -/{line(column)}" if mods.doc else ""
    if mods.attributes:
        text += f"@[{_attributes(mods.attributes)}]{line(column)}"
    return text + "".join([keyword + " " for keyword in mods.keywords])


def _levels(levels: tuple[str, ...]) -> str:
    return ".{" + ", ".join(levels) + "}" if levels else ""


def _signature(group: tuple[s.Binder, ...], type_: s.Term | None, column: int) -> str:
    text = " " + binders(group, column) if group else ""
    return text if type_ is None else join(f"{text} :", _term(type_, column))


def declaration(decl: s.Declaration, column: int, *, local: bool = False) -> str:
    """A declaration; `local` leaves the keyword out, as in `where`."""
    parts = [modifiers(decl.modifiers, column)]
    if not local:
        parts.append(decl.kind)
        parts.append(f" (priority := {decl.priority})" if decl.priority else "")
    if decl.name:
        parts.append(("" if local else " ") + name_text(decl.name) + _levels(decl.levels))
    parts.append(_signature(decl.binders, decl.type, column + 4))
    if decl.value is not None:
        parts.append(join(" :=", _term(decl.value, column + 2)))
    if decl.alts:
        parts.append(alternatives(decl.alts, column + 2))
    if decl.fields is not None:
        parts.append(" where")
        parts.extend([line(column + 2) + field_init(field, column + 2) for field in decl.fields])
    parts.append(hints(decl.termination_by, decl.decreasing_by, column))
    if decl.where_decls:
        parts.append(line(column) + "where")
        parts.extend([line(column + 2) + declaration(d, column + 2, local=True) for d in decl.where_decls])
    parts.append(_deriving(decl.deriving, column))
    return "".join(parts)


def _deriving(classes: tuple[str, ...], column: int) -> str:
    return f"{line(column)}deriving {', '.join(classes)}" if classes else ""


def _inductive(command: s.Inductive) -> str:
    text = modifiers(command.modifiers, 0) + ("class " if command.is_class else "") + "inductive "
    text += name_text(command.name) + _levels(command.levels) + _signature(command.binders, command.type, 4)
    if command.constructors:
        text += " where"
    for ctor in command.constructors:
        text += f"\n  | {modifiers(ctor.modifiers, 4)}{quote_part(ctor.name, False)}"
        text += _signature(ctor.binders, ctor.type, 6)
    return text + _deriving(command.deriving, 0)


def _structure(command: s.Structure) -> str:
    text = modifiers(command.modifiers, 0) + ("class " if command.is_class else "structure ")
    text += name_text(command.name) + _levels(command.levels) + _signature(command.binders, None, 4)
    if command.parents:
        text += " extends " + ", ".join(
            [(f"{name_text(name)} : " if name else "") + _term(parent, 4) for name, parent in command.parents]
        )
    if command.type is not None:
        text += join(" :", _term(command.type, 4))
    if command.constructor or command.fields:
        text += " where"
    if command.constructor:
        text += f"\n  {quote_part(command.constructor, True)} ::"
    for field in command.fields:
        text += "\n  " + binder(field, 2, bare=False)
    return text + _deriving(command.deriving, 0)


def _hash(command: s.HashCommand) -> str:
    if command.term is not None:
        return join(command.name, _term(command.term, 2))
    return f"{command.name} {command.text}".rstrip()


__all__ = ["block", "command_text", "declaration", "modifiers"]
