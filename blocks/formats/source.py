"""The bytes of one file and what they turn out to be, worked out once and only when asked."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from minece.blocks.build import Build
from minece.blocks.errors import FormatError
from minece.blocks.formats import jsontext, nbt
from minece.blocks.formats.cut import Cut
from minece.blocks.formats.ground import GroundWish
from minece.blocks.formats.limits import LIMITS, Deadline, Limits

_BOMS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


@dataclass(frozen=True, slots=True)
class Run:
    """One build as it grew over the turns of a task.

    ``turns`` holds one build per turn, each the whole of what stands then. ``prompt`` and ``checks`` (one entry per
    turn; checks as ``{"fn": …, "args": …}``) come only from the paper's records.
    """

    name: str
    turns: list[Build]
    prompt: list[str] | None = None
    checks: list[list[dict[str, Any]]] | None = None

    @property
    def build(self) -> Build:
        """The build after the last turn."""
        return self.turns[-1]


@dataclass(frozen=True, slots=True)
class Document:
    """What a file holds: its format and one run, several in the paper's records and in files of several blueprints."""

    format: str
    runs: list[Run]

    @property
    def build(self) -> Build:
        """The last build of the only run. Raises :class:`FormatError` where there are several runs."""
        if len(self.runs) != 1:
            raise FormatError(f"holds {len(self.runs)} runs, not one build", mend="take one of them")
        return self.runs[0].build


def held(build: Build) -> int:
    """Blocks, dug cells and log events that a build keeps."""
    return len(build.blocks) + len(build.dug) + (0 if build.log is None else len(build.log))


@dataclass(frozen=True)
class Source:
    """A file's bytes under the limits of one read.

    ``axes`` is the order of a grid's axes as the user names it, "" where he does not; ``cut`` is the part that he asks
    for, which only readers of worlds need to look at.
    """

    data: bytes
    name: str = ""
    wish: GroundWish = field(default_factory=GroundWish)
    limits: Limits = LIMITS
    deadline: Deadline = field(default_factory=lambda: Deadline(LIMITS.seconds))
    axes: str = ""
    cut: Cut = field(default_factory=Cut)

    @property
    def is_nbt(self) -> bool:
        """Whether the bytes are NBT by their beginning: gzip, zlib or a bare compound."""
        return nbt.is_packed(self.data) or (self.data[:1] == b"\n" and not self.is_text)

    @cached_property
    def unpacked(self) -> bytes:
        """The bytes after gzip or zlib."""
        return nbt.unpack(self.data, self.limits, self.deadline)

    @cached_property
    def root(self) -> nbt.Compound:
        """The root compound of an NBT file; the wrapper of the third Sponge version is opened."""
        _, root = nbt.read(self.unpacked, self.limits, self.deadline, bulk=("blocks",))
        inner = root.get("Schematic")
        return inner if len(root) == 1 and isinstance(inner, dict) else root

    @cached_property
    def is_text(self) -> bool:
        """Whether the bytes are text by their beginning."""
        if self.data.startswith(tuple(mark for mark, _ in _BOMS)):
            return True
        return not nbt.is_packed(self.data) and b"\0" not in self.data[:4096]

    @cached_property
    def text(self) -> str:
        """The text of a UTF-8 file, or UTF-16 with its mark, without the mark and with bare line feeds."""
        size = len(self.data)
        self.limits.most("bytes of text", size, self.limits.text_bytes)
        encoding = next((name for mark, name in _BOMS if self.data.startswith(mark)), "utf-8")
        try:
            text = self.data.decode(encoding)
        except UnicodeError as error:
            place = f" at byte {error.start}" if isinstance(error, UnicodeDecodeError) else ""
            raise FormatError(f"is no UTF-8 text{place}", mend="save it as UTF-8") from None
        return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text

    @cached_property
    def first(self) -> str:
        """The first character of the text that is no white space, "" where there is none."""
        head = self.text[:65536].lstrip()
        return head[:1]

    @cached_property
    def json(self) -> Any:
        """The value of a JSON file."""
        return jsontext.parse(self.text, self.limits)
