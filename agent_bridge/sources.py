"""Program files: JavaScript in the style of MINDcraft, or a list of commands in JSON."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from minece.agent_bridge.commands import read_commands, run_commands
from minece.agent_bridge.errors import ProgramError
from minece.agent_bridge.programs import ProgramLimits, ProgramResult, run_program
from minece.agent_bridge.world import World

_LARGEST = 1 << 20
"""Bytes that a program file may have."""


@dataclass(frozen=True)
class Program:
    """A program and the form that it is written in, "javascript" or "commands"."""

    name: str
    form: str
    source: str

    @property
    def facts(self) -> dict[str, Any]:
        """Name, form and digest, for records."""
        return {"name": self.name, "form": self.form, "sha256": sha256(self.source.encode()).hexdigest()}

    def run(self, world: World, *, limits: ProgramLimits, seed: int) -> ProgramResult:
        """Let it build. Raises :class:`ProgramError` for commands that cannot be read."""
        if self.form == "commands":
            return run_commands(read_commands(self.source, where=self.name), world, limits)
        return run_program(self.source, world, limits=limits, seed=seed)


def read_program(path: Path) -> Program:
    """The program in a file. Raises :class:`ProgramError` for a file that is none."""
    try:
        with open(path, "rb") as file:
            data = file.read(_LARGEST + 1)
    except OSError as error:
        raise ProgramError(str(error.strerror), where=str(path), mend="name a program's file") from None
    if len(data) > _LARGEST:
        raise ProgramError(f"is larger than {_LARGEST // 1024} KiB", where=str(path), mend="name a program's file")
    try:
        source = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ProgramError("is no text in UTF-8", where=str(path), mend="name a program's file") from None
    if not source.strip():
        raise ProgramError("is empty", where=str(path), mend="write a program into it")
    commands = path.suffix.lower() == ".json" or (path.suffix.lower() != ".js" and source.lstrip()[0] in "[{")
    program = Program(str(path), "commands" if commands else "javascript", source)
    if commands:
        read_commands(source, where=str(path))
    return program
