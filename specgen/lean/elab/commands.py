"""Commands of a file, one after the other; one faulty declaration never stops the rest."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from specgen.lean import syntax
from specgen.lean.elab.context import ElabError
from specgen.lean.elab.declarations import DeclarationElab
from specgen.lean.elab.deriving import derive
from specgen.lean.elab.header import elaborate_header
from specgen.lean.elab.inductive import declare_inductives
from specgen.lean.elab.scope import Scope, ScopeError
from specgen.lean.elab.session import Session
from specgen.lean.elab.structure import declare_structure
from specgen.lean.elab.surface import dotted_names_in
from specgen.lean.environment import Environment, LeanEnv
from specgen.lean.library.loader import environment
from specgen.lean.source import Diagnostic, DiagnosticKind, Source

if TYPE_CHECKING:
    from specgen.lean.library.loader import Chunk

_COMMENT: Final = re.compile(r"--[^\n]*|/-(?s:.*?)-/")
_DECLARED: Final = re.compile(
    r"\b(def|theorem|lemma|abbrev|structure|class|inductive|coinductive|instance|axiom|opaque)\b[ \n]*([\w.'!?«»]*)"
)
_NAME: Final = re.compile(r"[\w.'!?]+")
_COUNTED: Final = (syntax.Declaration, syntax.Inductive, syntax.Structure)


STRICT = bool(os.environ.get("SPECGEN_STRICT"))
"""Let internal errors of the elaborator surface (the project's tests do), instead of reporting them as unsupported."""


@dataclass(frozen=True, slots=True)
class ElabResult:
    """A file after elaboration.

    Attributes:
        environment: the constants of the file on top of the library.
        diagnostics: in order of the text.
        total: number of declarations in the file.
        elaborated: how many of them have no error.
        names: declared names in order, lifted functions and generated constants included.
    """

    environment: Environment
    diagnostics: tuple[Diagnostic, ...]
    total: int
    elaborated: int
    names: tuple[str, ...]


def elaborate_file(file: syntax.File, source: Source, env: LeanEnv) -> ElabResult:
    """Elaborate a parsed file in a Lean version with its imports; never raises for what the text says."""
    return FileElab(source, environment(env.importing(imported(file)))).run(file)


def imported(file: syntax.File) -> list[str]:
    """Return the modules that a text imports."""
    return [m for c in file.commands if isinstance(c, syntax.Import) for m in c.modules]


def elaborate_more(file: syntax.File, source: Source, env: Environment) -> ElabResult:
    """Elaborate a further text in an environment that exists (its constants are added)."""
    return FileElab(source, env).run(file)


@dataclass(slots=True)
class FileElab:
    """The elaboration of one file."""

    source: Source
    env: Environment
    diagnostics: list[tuple[syntax.Span, Diagnostic]] = field(default_factory=list)
    total: int = 0
    elaborated: int = 0
    session: Session = field(init=False)
    _errors: int = 0
    _quiet: bool = False
    _captured: bool = False
    _lacks_instances: bool = False
    _lost: set[str] = field(default_factory=set)
    """Names declared by commands that the parser could not read."""

    def __post_init__(self) -> None:
        self.session = Session(self.env, Scope(self.env), self.report)

    def report(self, error: ElabError) -> None:
        """Add a diagnostic; inside a declaration that uses a failed one errors count but are not shown."""
        kind = error.kind
        if error.severity == "error":
            self._errors += 1
            if self._quiet:
                return
            if self._doubtful(error):
                kind = "unsupported"
        diagnostic = self.source.diagnostic(kind, error.message, error.span, error.severity)
        if not any(d == diagnostic for _, d in self.diagnostics):
            self.diagnostics.append((error.span, diagnostic))

    def _skip(self, text: str) -> None:
        """Take note of what a text declares that lies between the commands: the parser could not read it."""
        if not text or text.isspace():
            return
        text = _COMMENT.sub("", text)
        for kind, name in _DECLARED.findall(text):
            self._lost.add(name)
            self._lacks_instances |= kind in ("instance", "class")
        self._lacks_instances |= "deriving" in text

    def _doubtful(self, error: ElabError) -> bool:
        """Tell whether an error may come from what failed before, or is caught by the command around it."""
        if self._captured or self.session.scope.top.doubtful:
            return True
        if self._lacks_instances and error.kind in ("instance", "type"):
            return True
        failed = (self.session.failed | self._lost) - {""}
        return bool(failed) and any(
            n in failed or n.split(".")[0] in failed or n.rpartition(".")[0] in failed
            for n in _NAME.findall(error.message)
        )

    def run(self, file: syntax.File) -> ElabResult:
        """Elaborate all commands."""
        end = 0
        for command in file.commands:
            self._skip(self.source.text[end : command.span[0]])
            end = command.span[1]
            self.command(command)
            if isinstance(command, syntax.Unsupported):
                self._skip(command.text)
        for name, span in self.session.terminations:
            self.report(ElabError("termination", f"termination of '{name}' is not checked", span, "information"))
        self.diagnostics.sort(key=lambda item: item[0])
        return ElabResult(
            self.env,
            tuple([d for _, d in self.diagnostics]),
            self.total,
            self.elaborated,
            tuple(self.session.order),
        )

    # ---- commands

    def command(self, command: syntax.Command) -> None:
        """Elaborate one command."""
        if isinstance(command, _COUNTED):
            self._counted([command])
        elif isinstance(command, syntax.Mutual):
            self._mutual(command)
        else:
            before = self._errors
            try:
                self._other(command)
            except ScopeError as error:
                kind: DiagnosticKind = "scope" if error.supported else "unsupported"
                self.report(ElabError(kind, error.message, command.span))
            except ElabError as error:
                self.report(error)
            if self._errors > before:
                if isinstance(command, syntax.Variable):
                    self.session.scope.top.doubtful = True
                self._lacks_instances |= isinstance(command, syntax.DerivingCmd)

    def _mutual(self, command: syntax.Mutual) -> None:
        declarations = [c for c in command.commands if isinstance(c, _COUNTED)]
        for other in command.commands:
            if not isinstance(other, _COUNTED):
                self.command(other)
        if declarations:
            self._counted(declarations)

    def _counted(self, commands: Sequence[syntax.Declaration | syntax.Inductive | syntax.Structure]) -> None:
        self.total += len(commands)
        before = self._errors
        outer, self._quiet = self._quiet, self._quiet or self._uses_failed(commands)
        try:
            self._declare(commands)
        except ElabError as error:
            self.report(error)
        except RecursionError:
            self.report(ElabError("unsupported", "nested too deeply", commands[0].span))
        except (AssertionError, AttributeError, IndexError, KeyError, TypeError, ValueError) as fault:
            # A fault of ours must not end the judging of a file, and it is no verdict on the text.
            if STRICT:
                raise
            detail = f"{type(fault).__name__}: {fault}"
            self.report(ElabError("unsupported", f"internal error of the elaborator ({detail})", commands[0].span))
        finally:
            self._quiet = outer
        if self._errors == before:
            self.elaborated += len(commands)
        else:
            self._mark_failed(commands)
            self._lacks_instances |= any(_gives_instances(c) for c in commands)

    def _declare(self, commands: Sequence[syntax.Declaration | syntax.Inductive | syntax.Structure]) -> None:
        first = commands[0]
        if isinstance(first, syntax.Inductive):
            declare_inductives(self.session, [c for c in commands if isinstance(c, syntax.Inductive)])
        elif isinstance(first, syntax.Structure):
            for command in commands:
                if isinstance(command, syntax.Structure):
                    declare_structure(self.session, command)
        else:
            elab = DeclarationElab(self.session)
            elab.declare_group([c for c in commands if isinstance(c, syntax.Declaration)])
            for command in commands:
                if isinstance(command, syntax.Declaration) and command.deriving:
                    name = self.session.scope.qualify(command.name)
                    derive(self.session, self.session.scope, name, command.deriving, command.span)

    def _uses_failed(self, commands: Sequence[syntax.Command]) -> bool:
        failed = self.session.failed
        if not failed:
            return False
        used = dotted_names_in(tuple(commands))
        return any(n in failed or n.split(".")[0] in failed or n.rpartition(".")[2] in failed for n in used)

    def _mark_failed(self, commands: Sequence[syntax.Declaration | syntax.Inductive | syntax.Structure]) -> None:
        """A declaration that is not known now, although it stands in the text, must not cause further errors."""
        for command in commands:
            name = self.session.scope.qualify(command.name) if command.name else ""
            info = None if isinstance(command, syntax.Declaration) else self.env.inductives.get(name)
            known = self.env.constants.get(name) is not None and (info is None or bool(info.constructors))
            if name and not known:
                self.session.failed.update((command.name, name))
            else:
                self.session.failed.discard(command.name)

    def _other(self, command: syntax.Command) -> None:
        scope = self.session.scope
        match command:
            case syntax.Namespace():
                scope.push_namespace(command.name)
            case syntax.Section():
                scope.push_section(command.name, "noncomputable" in command.keywords)
            case syntax.End():
                scope.pop(command.name)
            case syntax.Open():
                scope.open(command)
            case syntax.Export():
                scope.export(command)
            case syntax.SetOption():
                scope.top.options[command.name] = command.value
            case syntax.Variable():
                self._variable(command)
            case syntax.AttributeCmd():
                self._attribute(command)
            case syntax.InCommand():
                self._in(command)
            case syntax.DerivingCmd():
                self._deriving(command)
            case syntax.HashCommand():
                self._hash(command)
            case syntax.Misc():
                self._misc(command)
            case _:
                # What is unsupported as a command has its diagnostic from the parser.
                pass

    def _misc(self, command: syntax.Misc) -> None:
        if command.keyword in ("include", "omit"):
            names = frozenset(command.text.split()[1:])
            top = self.session.scope.top
            top.included = top.included | names if command.keyword == "include" else top.included - names

    def _variable(self, command: syntax.Variable) -> None:
        scope = self.session.scope
        binders = list(scope.variables)
        new: list[syntax.Binder] = []
        for binder in command.binders:
            if binder.type is None and binder.names and self._update(binders, binder):
                continue
            new.append(binder)
        header = elaborate_header(self.session, scope, binders, new, None)
        auto = header.variables[: len(header.variables) - sum(max(1, len(b.names)) for b in binders)]
        for fvar in auto:
            name = header.te.decls[fvar.id].name
            binders.append(syntax.Binder(command.span, (name,), None, "implicit"))
        scope.top.variables = (*binders, *new)

    @staticmethod
    def _update(binders: list[syntax.Binder], change: syntax.Binder) -> bool:
        """`variable {α}`: change how known variables are bound."""
        declared = {name for b in binders for name in b.names}
        if not declared.issuperset(change.names):
            return False
        for i in range(len(binders) - 1, -1, -1):
            binder = binders[i]
            if not set(binder.names) & set(change.names):
                continue
            single = [
                replace(binder, names=(n,), kind=change.kind if n in change.names else binder.kind)
                for n in binder.names
            ]
            binders[i : i + 1] = single
        return True

    def _attribute(self, command: syntax.AttributeCmd) -> None:
        kinds = {a.name.split()[-1] for a in command.attributes}
        for name in command.names:
            found = self.session.scope.resolve_name(name)
            if not found:
                continue
            constant = self.env.get(found[0])
            if constant is None:
                continue
            if "reducible" in kinds:
                self.env.add(replace(constant, reducible=True))
            if "instance" in kinds:
                target = self.session.elaborator().class_of(constant.type)
                if target is not None:
                    self.env.add(replace(constant, instance_of=target.name))
                elif constant.name.startswith("Classical.propDecidable"):
                    self.session.scope.top.active |= {"Classical"}
            if kinds & {"local instance"} and name.endswith("propDecidable"):
                self.session.scope.top.active |= {"Classical"}

    def _in(self, command: syntax.InCommand) -> None:
        scope = self.session.scope
        depth = len(scope.frames)
        scope.push_section("")
        outer = command.outer
        captured = self._captured
        # What is wrong inside is what the command expects, or at least may be.
        self._captured |= isinstance(outer, syntax.HashCommand) and outer.name in ("#guard_msgs", "#check_failure")
        try:
            self.command(outer)
            self.command(command.inner)
        finally:
            self._captured = captured
            del scope.frames[depth:]

    def _deriving(self, command: syntax.DerivingCmd) -> None:
        for written in command.types:
            names = self.session.scope.resolve_name(written)
            if not names:
                raise ElabError("name", f"unknown identifier '{written}'", command.span)
            derive(self.session, self.session.scope, names[0], command.classes, command.span)

    def _hash(self, command: syntax.HashCommand) -> None:
        if command.term is None or command.name in ("#print", "#synth", "#guard_msgs", "#check_failure"):
            return
        te = self.session.elaborator()
        if command.name == "#check":
            if not isinstance(command.term, syntax.Ident) or not self.session.scope.resolve_name(command.term.name):
                te.elab_term(command.term, None)
                te.synthesize(False)
            return
        te.elab_term(command.term, None)
        te.synthesize(True)


def _gives_instances(command: syntax.Declaration | syntax.Inductive | syntax.Structure) -> bool:
    if command.deriving or any("instance" in a.name for a in command.modifiers.attributes):
        return True
    return isinstance(command, syntax.Declaration) and command.kind == "instance"


def elaborate_chunk(env: Environment, chunk: Chunk) -> list[str]:
    """Elaborate one chunk of the library table into the library's environment; returns its faults."""
    from specgen.lean.parser import parse_file

    result = parse_file(chunk.text)
    faults = [d.message for d in result.diagnostics]
    scope = Scope(env)

    def report(error: ElabError) -> None:
        if error.severity == "error":
            faults.append(error.message)
            _library_fault(env, chunk.name, error.message)

    session = Session(env, scope, report, lazy=True, table=True)
    for command in result.file.commands:
        try:
            match command:
                case syntax.Declaration():
                    DeclarationElab(session).declare(command)
                case syntax.Inductive():
                    declare_inductives(session, [command])
                case syntax.Structure():
                    declare_structure(session, command)
                case _:
                    faults.append("not a declaration")
        except ElabError as error:
            faults.append(error.message)
    if not result.file.commands:
        faults.append("no declaration")
    return faults


def _library_fault(env: Environment, name: str, message: str) -> None:
    """Record a fault found later, when a value is elaborated."""
    errors = getattr(env.library, "errors", None)
    if isinstance(errors, list) and (name, message) not in errors:
        errors.append((name, message))
