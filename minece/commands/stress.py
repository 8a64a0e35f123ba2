"""`minece stress`: does a build stand, and what governs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from minece import report, results
from minece.blocks import Build, MineceError, formats
from minece.blocks.formats import Cut
from minece.checkers.wording import count
from minece.commands.score import find_files, page_names
from minece.fem import Profile, StressResult, analyse, read_profile
from minece.picture import Marks, Pictures, draw, png
from minece.progress import shown
from minece.standing import Standing, cell, place, quantity, ratio
from minece.viewer import Pages, Turn, page, stress_fields

SCHEMA = "minece-stress/1"
CAUTION = (
    "utilisation is stress over strength under the build's own weight; it compares builds and is no design check: "
    "no factors of safety, no wind, no people, nothing that cracks or buckles"
)
_DETAILED = 5  # up to so many builds each gets a table of its own
_STYLES = {
    "stands": "green",
    "stands if it is strong enough": "green",
    "does not stand": "bold red",
    "is not solved": "bold magenta",
}
_MADE_OF = {
    "masonry": "stone as laid in blocks with mortar",
    "intact": "stone as one flawless piece",
}


def run(
    paths: Sequence[Path],
    *,
    material: str,
    refine: int,
    ground: int | None,
    cut: Cut,
    axes: str | None,
    png_path: Path | None,
    html: Path | None,
    as_json: bool,
) -> int:
    """Tell of each build whether it stands, draw it where asked, and give back the exit code."""
    profile = read_profile(material)
    files, bad, _ = find_files(paths)
    pictures = None if png_path is None else Pictures(png_path, files=len(files))
    pages = None if html is None else Pages(html, files=len(files))
    told = Told(alone=len(files) == 1)
    with shown() as step:
        for number, file in enumerate(files):

            def tell(share: float, name: str = file.name, number: int = number) -> None:
                step(f"stress of {name}, {100 * share:.0f} %", number, len(files))

            tell(0.0)
            for found in _analysed(file, profile, refine, ground, cut, axes, tell):
                if isinstance(found, MineceError):
                    bad.append(str(found))
                    continue
                told.add(found, as_json)
                try:
                    if pictures is not None:
                        pictures.write(png(found.picture()), name=found.file_name)
                    if pages is not None:
                        pages.write(found.page(), name=found.file_name)
                except MineceError as error:
                    bad.append(str(error) if error.where else str(error.at(found.name)))
    if not as_json:
        told.show()
        for made, what, where in ((pictures, "picture", png_path), (pages, "page", html)):
            if made is not None and made.written:
                print(f"{count(made.written, what)} in {where}")
    for line in bad:
        print(line, file=sys.stderr)
    return 2 if bad else int(told.fallen > 0)


@dataclass(frozen=True, eq=False)
class Analysed:
    """The last turn of a run, its stress and what that comes to.

    ``title`` heads a page or picture of it, ``file_name`` is what that may be called.
    """

    name: str
    title: str
    file_name: str
    build: Build
    turns: int
    profile: Profile
    result: StressResult
    standing: Standing

    def to_dict(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        return {
            "schema": SCHEMA,
            "name": self.name,
            "build": self.build.id,
            "ground": self.build.provenance.ground,
            "ground_y": self.build.ground_y,
            "turns": self.turns,
            "material": self.profile.name,
            "answer": self.standing.answer,
            "says": self.standing.line,
            "caution": CAUTION,
            **self.result.to_dict(),
        }

    def picture(self) -> Any:
        """The build, painted by utilisation (where there is one) and stress."""
        result = self.result
        fields = [field for field in stress_fields(self.build, result) if field.title != "Displacement"]
        worst = result.strength or result.not_structural
        left_out = result.moving if len(result.moving) else result.floating
        text = f"{count(len(left_out), 'block')} that {'can move freely' if len(result.moving) else 'float'}"
        at = worst.cell if worst is not None else result.sigma_rms_at
        label = f"governs: {place(worst)}" if worst is not None else f"largest stress, at {cell(at)}" if at else ""
        marks = Marks(left_out, text if len(left_out) else "", at, label)
        return draw(self.build, fields, title=self.title, text=[_capital(self.standing.line)], marks=marks)

    def page(self) -> str:
        """The HTML text of a page that shows the build to be painted by utilisation, stress and displacement."""
        fields = stress_fields(self.build, self.result)
        return page([Turn(self.build, fields=fields)], name=self.title, summary=_capital(self.standing.line))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _analysed(
    file: Path,
    profile: Profile,
    refine: int,
    ground: int | None,
    cut: Cut,
    axes: str | None,
    tell: Callable[[float], None],
) -> Iterator[Analysed | MineceError]:
    """What each run that the file holds was found to be, or what is wrong with it."""
    try:
        runs = formats.read(file, ground=ground, axes=axes, box=cut.box, drop=cut.drop).runs
    except MineceError as error:
        yield error
        return
    for entry in runs:
        alone = len(runs) == 1
        name = str(file) if alone else f"{file}: {entry.name}"
        build = entry.turns[-1]
        try:
            result = analyse(build, materials=profile.name, refine=refine, paper=True, tell=tell)
        except MineceError as error:
            yield error.at(name)
            continue
        titles = page_names(file, "" if alone else entry.name)
        yield Analysed(name, *titles, build, len(entry.turns), profile, result, Standing.of(result))


class Told:
    """What is shown of the builds: each at once, and of several a table at the end."""

    def __init__(self, alone: bool) -> None:
        self.alone = alone
        self.fallen = 0
        self._console = report.console()
        self._rows: list[tuple[str, ...]] = []
        self._waiting: list[Analysed] = []

    def add(self, found: Analysed, as_json: bool) -> None:
        """Take a build; as JSON it is printed at once."""
        self.fallen += not found.standing.stands
        if as_json:
            print(results.to_line(found.to_dict()), flush=True)
            return
        governs = _governs(found.result)
        self._rows.append((found.name, str(len(found.build.blocks)), found.standing.answer, *governs))
        if len(self._rows) <= _DETAILED:
            self._waiting.append(found)

    def show(self) -> None:
        """Print all there is to say."""
        out = self._console
        many = len(self._rows) > 1 or not self.alone
        if len(self._rows) <= _DETAILED:
            for found in self._waiting:
                _print(out, found, named=many)
        if len(self._rows) > 1:
            names = [name for name, *_ in self._rows]
            folder = report.common_folder(names)
            if folder:
                out.print(f"builds in {folder}", soft_wrap=True)
            shown = report.table("build", "blocks", "answer", "utilisation", "governs")
            shown.columns[1].justify = shown.columns[3].justify = "right"
            for name, blocks, answer, used, governs in self._rows:
                shown.add_row(
                    report.printable(name.removeprefix(folder)),
                    blocks,
                    Text(answer, style=_STYLES[answer]),
                    used,
                    governs,
                )
            out.print(shown)
            out.print()
            stand = len(self._rows) - self.fallen
            out.print(f"{stand} of {len(self._rows)} builds {'stands' if stand == 1 else 'stand'}", soft_wrap=True)
        if self._rows:
            out.print(Text(f"note: {CAUTION}", style="yellow"))


def _governs(result: StressResult) -> tuple[str, str]:
    """Highest utilisation and where, or what else decides."""
    worst = result.strength or result.not_structural
    if result.status == "mechanism":
        return "–", f"{count(len(result.moving), 'block')} can move freely"
    if result.status == "floating":
        return "–", f"{count(len(result.floating), 'block')} in the air"
    if worst is None:
        return "–", "" if result.status in ("ok", "point_contact") else result.status.replace("_", " ")
    return ratio(worst.utilisation), place(worst)


def _print(out: Console, found: Analysed, *, named: bool) -> None:
    """The answer in words, then the table."""
    build, standing = found.build, found.standing
    first = Text(f"{found.name} " if named else "", style="bold")
    first.append(f"{standing.answer}:", style=_STYLES[standing.answer]).append(f" {standing.why}")
    out.print(first, soft_wrap=True)
    if not named:
        out.print(found.name, soft_wrap=True)
    size = "×".join(map(str, build.blocks.size))
    turn = f", the last of {found.turns} turns" if found.turns > 1 else ""
    out.print(f"{count(len(build.blocks), 'block')}, {size}{turn}; ground: {build.provenance.ground}", soft_wrap=True)
    if ground := build.ground_y:
        report.print_ground(out, ground)
    for warning in build.provenance.warnings:
        out.print(Text(f"note: {warning}", style="yellow"))
    out.print()
    shown = report.table("", "value", "")
    for what, value, note in _rows(found):
        shown.add_row(what, value, note)
    out.print(shown)
    out.print()


def _rows(found: Analysed) -> Iterator[tuple[str, str, str]]:
    """Rows of the table: what, how much, and where or how it is meant."""
    result = found.result
    solver = result.solver
    if worst := result.strength:
        yield "utilisation", ratio(worst.utilisation), f"{place(worst)}; above 1 it fails"
    if soft := result.not_structural:
        yield "soft blocks", ratio(soft.utilisation), f"{place(soft)}; no structure, so it does not count"
    if result.sigma_rms_pa is not None and result.sigma_rms_at is not None:
        text = f"{cell(result.sigma_rms_at)}; von Mises, root mean square over a block"
        yield "stress", quantity(result.sigma_rms_pa, "Pa"), text
    if result.sigma_lin_pa is not None and result.sigma_lin_at is not None:
        text = f"{cell(result.sigma_lin_at)}; von Mises, linear within a block"
        yield "stress at faces", quantity(result.sigma_lin_pa, "Pa"), text
    if result.max_displacement_m is not None:
        yield "displacement", quantity(result.max_displacement_m, "m"), ""
    if result.weight_n is not None:
        floating = f", without {count(len(result.floating), 'block')} that float" if len(result.floating) else ""
        text = f"{count(solver['blocks'], 'block')} that carry load, and what hangs on them{floating}"
        yield "weight", quantity(result.weight_n, "N"), text
    if result.reaction_n is not None:
        yield "reaction", quantity(result.reaction_n, "N"), "of the ground"
    if (one := found.profile.uniform) is None:
        yield "materials", found.profile.name, _MADE_OF[found.profile.name]
    else:
        yield "materials", "uniform", f"E {quantity(one.young, 'Pa')}, ν {one.poisson:g}, {one.density:g} kg/m³"
    if "unknowns" in solver:
        n = solver["refine"]
        cubes = "a cube for each block" if n == 1 else f"{n}×{n}×{n} cubes for each block"
        yield "solver", f"{solver['unknowns']} unknowns", f"{cubes}, {solver['element']}, Cholesky"
    if result.sigma_paper_pa is not None:
        text = "apart: to compare with published figures only"
        yield "benchmark's stress", quantity(result.sigma_paper_pa, "Pa"), text
    if result.status == "point_contact":
        yield "uncertain", count(len(result.point_contacts), "block"), "touch others along edges or corners only"
    for note in result.notes:
        yield "assumed", "", note
