"""Who holds a claim: a name that tells, on the same machine, whether the process still lives."""

from __future__ import annotations

import os
import socket
import uuid
from pathlib import Path
from typing import Final

_SEPARATOR: Final = "|"


def make_owner() -> str:
    """Return a name for this process and one gateway in it, unique also after its number is used again."""
    pid = os.getpid()
    return _SEPARATOR.join((_machine(), str(pid), _started(pid), uuid.uuid4().hex[:12]))


def is_dead(owner: str) -> bool:
    """Whether the process behind a name is known to have ended; False when it cannot be known (another machine)."""
    parts = owner.split(_SEPARATOR)
    if len(parts) != 4 or parts[0] != _machine() or not parts[1].isdecimal():
        return False
    pid = int(parts[1])
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    # The number may have been given to another process since; a process that was killed may wait to be fetched.
    return bool(parts[2]) and _started(pid) != parts[2]


def _machine() -> str:
    """Name the machine, and the space that process numbers belong to (containers share names)."""
    try:
        space = os.readlink("/proc/self/ns/pid")
    except OSError:
        space = ""
    return f"{socket.gethostname()}{space}"


def _started(pid: int) -> str:
    """Return when a process was started, in the system's own ticks; "ended" for one that only waits to be fetched."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ""
    return "ended" if fields[0] in "ZX" else fields[19]
