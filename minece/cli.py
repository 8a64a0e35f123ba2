"""The command line. Options are declared here; what a command does is in `minece.commands`, imported when it runs.

Exit codes: 0 done; 1 the build, a family or the installation falls short of what was asked; 2 bad input; 130
interrupted.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import minece

if TYPE_CHECKING:
    from minece.blocks.formats import Cut

app = typer.Typer(
    name="minece",
    help="Scores Minecraft builds: is it what was asked for, would it stand, was it built sensibly?",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
tasks_app = typer.Typer(
    help="The tasks: what there is, what one asks for, and whether the families hold what they promise.",
    rich_markup_mode=None,
    no_args_is_help=True,
)
app.add_typer(tasks_app, name="tasks")


def _path(text: str) -> Path:
    if not text:  # Path("") is the current folder, which nobody meant
        raise typer.BadParameter("an empty name")
    return Path(text)


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is no whole number") from None


Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]
Ground = Annotated[
    int | None,
    typer.Option(
        "--ground", parser=_whole, metavar="Y", help="Height of the ground plane in the file's own coordinates."
    ),
]

Box = Annotated[
    tuple[int, int, int, int, int, int] | None,
    typer.Option(
        "--box",
        metavar="X0 Y0 Z0 X1 Y1 Z1",
        help="Only what lies between two corners, in the file's own coordinates; both corners belong to it.",
    ),
]
Drop = Annotated[
    list[str] | None,
    typer.Option(
        "--drop", metavar="IDS", help="Ids and #tags to leave out, such as stone,#dirt; of a world's terrain: #terrain."
    ),
]
Axes = Annotated[
    str | None,
    typer.Option("--axes", metavar="ORDER", help="Order of the axes of a NumPy grid: xyz, yzx, zyx …"),
]
Out = Annotated[
    Path | None,
    typer.Option("--out", parser=_path, metavar="FOLDER", help="Keep the episode, its builds and results in a folder."),
]
Save = Annotated[
    Path | None,
    typer.Option("--save", parser=_path, metavar="FILE", help="Write the build, in the format of the name's ending."),
]
Png = Annotated[
    Path | None, typer.Option("--png", parser=_path, metavar="FILE", help="Draw the build: a file ending in .png.")
]
Html = Annotated[
    Path | None,
    typer.Option(
        "--html",
        parser=_path,
        metavar="FILE",
        help="Write a page that shows the build and its verdicts: an .html file.",
    ),
]
FailUnder = Annotated[
    float | None,
    typer.Option(
        "--fail-under", metavar="SHARE", min=0.0, max=1.0, help="Exit with 1 unless the build passes overall."
    ),
]


def _cut(box: tuple[int, int, int, int, int, int] | None, drop: list[str] | None) -> Cut:
    from minece.blocks.formats import Cut

    return Cut.of(box, ",".join(drop or ()))


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"minece {minece.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


@app.command()
def score(
    builds: Annotated[
        list[Path],
        typer.Argument(parser=_path, metavar="BUILD", help="Files that hold builds, worlds, or folders of such files."),
    ],
    task: Annotated[
        str | None, typer.Option("--task", metavar="ID", help="The task to judge by; see `minece tasks list`.")
    ] = None,
    rules: Annotated[
        Path | None,
        typer.Option(
            "--rules", parser=_path, metavar="FILE", help="Rules of your own, as JSON or TOML, instead of a task."
        ),
    ] = None,
    agent_code: Annotated[
        bool,
        typer.Option(
            "--agent-code", help="The files are programs (.js) in the style of MINDcraft: each builds in memory first."
        ),
    ] = False,
    ground: Ground = None,
    box: Box = None,
    drop: Drop = None,
    axes: Axes = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            parser=_path,
            metavar="PATH",
            help="Keep the results: in a file ending in .jsonl, .csv or .parquet, or else in a run folder.",
        ),
    ] = None,
    fail_under: Annotated[
        float | None,
        typer.Option(
            "--fail-under",
            metavar="SHARE",
            min=0.0,
            max=1.0,
            help="Exit with 1 unless at least this share of the builds (0 to 1) passes overall.",
        ),
    ] = None,
    as_ascii: Annotated[
        bool,
        typer.Option(
            "--ascii", help="Draw each build in letters, layer by layer: rooms numbered, cells at fault marked."
        ),
    ] = False,
    html: Annotated[
        Path | None,
        typer.Option(
            "--html",
            parser=_path,
            metavar="PATH",
            help="Write a page per build that shows it and its verdicts: a file ending in .html, or a folder.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Score builds by a task or by rules, offline.

    Result records of the published benchmark hold their own checks and need neither --task nor --rules.
    """
    from minece.commands.score import run

    raise typer.Exit(
        run(
            builds,
            task=task,
            rules=rules,
            agent_code=agent_code,
            ground=ground,
            cut=_cut(box, drop),
            axes=axes,
            out=out,
            fail_under=fail_under,
            as_ascii=as_ascii,
            html=html,
            as_json=as_json,
        )
    )


@app.command()
def info(
    builds: Annotated[
        list[Path], typer.Argument(parser=_path, metavar="BUILD", help="Files that hold builds, or worlds.")
    ],
    ground: Ground = None,
    box: Box = None,
    drop: Drop = None,
    axes: Axes = None,
    as_json: Json = False,
) -> None:
    """Look at a build: size, blocks, materials, parts, floating parts, where its ground is."""
    from minece.commands.info import run

    raise typer.Exit(run(builds, ground=ground, cut=_cut(box, drop), axes=axes, as_json=as_json))


@app.command()
def convert(
    source: Annotated[Path, typer.Argument(parser=_path, metavar="IN", help="The file or the world to read.")],
    target: Annotated[Path, typer.Argument(parser=_path, metavar="OUT", help="The file to write.")],
    format: Annotated[
        str | None,
        typer.Option("--format", metavar="NAME", help="The format to write, where OUT's ending does not tell."),
    ] = None,
    ground: Ground = None,
    box: Box = None,
    drop: Drop = None,
    axes: Axes = None,
    force: Annotated[bool, typer.Option("--force", help="Write over OUT where it exists.")] = False,
    as_json: Json = False,
) -> None:
    """Write a build in another format. The file OUT appears whole or not at all."""
    from minece.commands.convert import run

    cut = _cut(box, drop)
    raise typer.Exit(
        run(source, target, format=format, ground=ground, cut=cut, axes=axes, force=force, as_json=as_json)
    )


@app.command()
def view(
    builds: Annotated[
        list[Path],
        typer.Argument(parser=_path, metavar="BUILD", help="Files that hold builds, worlds, or folders of such files."),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            parser=_path,
            metavar="PATH",
            help="The page, a file ending in .html, or the folder for pages; without it they go to this folder.",
        ),
    ] = None,
    task: Annotated[
        str | None,
        typer.Option("--task", metavar="ID", help="Where a file has no ground level, take it as this task hints."),
    ] = None,
    ground: Ground = None,
    box: Box = None,
    drop: Drop = None,
    axes: Axes = None,
    show: Annotated[bool, typer.Option("--open", help="Open each page in the browser.")] = False,
    as_json: Json = False,
) -> None:
    """Show builds in three dimensions: one page per build, which opens in any browser, from disk and offline."""
    from minece.commands.view import run

    cut = _cut(box, drop)
    raise typer.Exit(run(builds, out=out, task=task, ground=ground, cut=cut, axes=axes, show=show, as_json=as_json))


@app.command()
def stress(
    builds: Annotated[
        list[Path],
        typer.Argument(parser=_path, metavar="BUILD", help="Files that hold builds, worlds, or folders of such files."),
    ],
    material: Annotated[
        str,
        typer.Option(
            "--material",
            metavar="PROFILE",
            help="What blocks are made of: masonry (stone laid in blocks), intact (stone in one piece), or one "
            "material for all, such as uniform:E=30e9,nu=0.2,rho=2400.",
        ),
    ] = "masonry",
    refine: Annotated[
        int,
        typer.Option("--refine", metavar="N", min=1, max=8, help="Cut each block into N×N×N cubes; 2 shows slabs."),
    ] = 1,
    ground: Ground = None,
    box: Box = None,
    drop: Drop = None,
    axes: Axes = None,
    png: Annotated[
        Path | None,
        typer.Option(
            "--png",
            parser=_path,
            metavar="PATH",
            help="Draw each build painted by its stress: a file ending in .png, or a folder.",
        ),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(
            "--html",
            parser=_path,
            metavar="PATH",
            help="Write a page per build to turn and to paint by stress: a file ending in .html, or a folder.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Say whether builds stand under their own weight, how far they are from failing, and what governs.

    Exits with 1 if one does not stand.
    """
    from minece.commands.stress import run

    raise typer.Exit(
        run(
            builds,
            material=material,
            refine=refine,
            ground=ground,
            cut=_cut(box, drop),
            axes=axes,
            png_path=png,
            html=html,
            as_json=as_json,
        )
    )


@app.command()
def build(
    programs: Annotated[
        list[Path],
        typer.Argument(
            parser=_path,
            metavar="PROGRAM",
            help="JavaScript in the style of MINDcraft, or a list of commands in JSON; one file for each instruction.",
        ),
    ],
    task: Annotated[str, typer.Option("--task", metavar="ID", help="The task to build; see `minece tasks list`.")],
    world: Annotated[
        str, typer.Option("--world", metavar="WORLD", help="offline (in memory) or minecraft (a bot in the game).")
    ] = "offline",
    mode: Annotated[
        str,
        typer.Option(
            "--mode",
            metavar="MODE",
            help="In the game: embodied (the bot places by hand) or exact (set over a control channel, much quicker).",
        ),
    ] = "embodied",
    game: Annotated[
        str | None, typer.Option("--game", metavar="VERSION", help="The game's version, such as 1.21.4.")
    ] = None,
    server: Annotated[
        str | None,
        typer.Option("--server", metavar="HOST:PORT", help="Build on this server, not on one that is started for it."),
    ] = None,
    at: Annotated[
        tuple[int, int, int] | None,
        typer.Option(
            "--at", metavar="X Y Z", help="With --server: the plot's north-west corner, its first cell above ground."
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Seed of the program's random numbers.")] = 0,
    seconds: Annotated[
        float, typer.Option("--seconds", metavar="S", min=0.1, max=3600.0, help="How long a program may run.")
    ] = 60.0,
    out: Out = None,
    save: Save = None,
    png: Png = None,
    html: Html = None,
    fail_under: FailUnder = None,
    as_json: Json = False,
) -> None:
    """Let programs build, in memory or in the game, and score what stands in the end.

    A program that fails is scored by what it had built until then.
    """
    from minece.commands.build import run
    from minece.commands.building import Outputs

    raise typer.Exit(
        run(
            programs,
            task=task,
            world=world,
            mode=mode,
            game=game,
            server=server,
            at=at,
            seed=seed,
            seconds=seconds,
            outputs=Outputs(out, save, png, html),
            fail_under=fail_under,
            as_json=as_json,
        )
    )


@app.command()
def play(
    task: Annotated[str, typer.Option("--task", metavar="ID", help="The task to build; see `minece tasks list`.")],
    name: Annotated[
        str | None,
        typer.Option("--name", metavar="PLAYER", help="The player who may join; without it a name made for this once."),
    ] = None,
    game: Annotated[
        str | None, typer.Option("--game", metavar="VERSION", help="The game's version, such as 1.21.4.")
    ] = None,
    host: Annotated[
        str, typer.Option("--host", metavar="ADDRESS", help="Where to listen; 0.0.0.0 lets other machines join.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", metavar="PORT", min=0, max=65535, help="0 takes a free one.")] = 25565,
    wait: Annotated[
        float, typer.Option("--wait", metavar="S", min=1.0, help="Seconds that there are to join.")
    ] = 900.0,
    minutes: Annotated[
        float, typer.Option("--minutes", metavar="M", min=0.01, help="How long the person may build.")
    ] = 120.0,
    out: Out = None,
    save: Save = None,
    png: Png = None,
    html: Html = None,
    fail_under: FailUnder = None,
    as_json: Json = False,
) -> None:
    """Let a person build in the game, and score what stands when the person is done or leaves."""
    from minece.commands.building import Outputs
    from minece.commands.play import run

    raise typer.Exit(
        run(
            task,
            name=name,
            game=game,
            host=host,
            port=port,
            wait=wait,
            minutes=minutes,
            outputs=Outputs(out, save, png, html),
            fail_under=fail_under,
            as_json=as_json,
        )
    )


@app.command()
def doctor(
    fix: Annotated[
        bool, typer.Option("--fix", help="Install the packages for builds in a real Minecraft world first.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Say what is installed, what is missing and how to mend it."""
    from minece.commands.doctor import run

    raise typer.Exit(run(fix=fix, as_json=as_json))


@tasks_app.command("list")
def tasks_list(
    family: Annotated[str | None, typer.Argument(metavar="FAMILY", help="List the tasks of this family.")] = None,
    suite: Annotated[
        str,
        typer.Option("--suite", metavar="SUITE", help="The suite: core (all tasks) or lite (one of each family)."),
    ] = "core",
    as_json: Json = False,
) -> None:
    """List the families, or the tasks of one."""
    from minece.commands.tasks import list_tasks

    raise typer.Exit(list_tasks(family, suite=suite, as_json=as_json))


@tasks_app.command("show")
def tasks_show(
    task: Annotated[str, typer.Argument(metavar="ID", help="The id of a task.")],
    as_json: Json = False,
) -> None:
    """Show what a task asks for and by which rules it is judged."""
    from minece.commands.tasks import show_task

    raise typer.Exit(show_task(task, as_json=as_json))


@tasks_app.command("check")
def tasks_check(
    family: Annotated[
        str | None, typer.Argument(metavar="FAMILY", help="Check this family only, or a family file.")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Build variants, cheats and edits for every task, not for a sample.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Check that references and variants pass and that every cheat fails by the rule it names."""
    from minece.commands.tasks import check_tasks

    raise typer.Exit(check_tasks(family, everything=everything, as_json=as_json))


def main() -> None:
    """Run the command line; whatever a user can cause ends in one line on standard error, never in a traceback."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the caller
            setattr(sys, name, open(os.devnull, "w"))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal without UTF-8 shows "?" where it lacks a sign
            stream.reconfigure(errors="replace")
    try:
        try:
            app(prog_name="minece")
        finally:
            sys.stdout.flush()  # here, so that a full disk is told like any other error
    except Exception as error:
        line = _one_line(error)
        if line is None:
            raise
        with suppress(OSError):  # nobody reads standard error
            typer.echo(line, err=True)
        _drop_output()
        sys.exit(2)


def _drop_output() -> None:
    """What waits for a standard output that takes no more would end in a message of Python's own at its exit."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _one_line(error: Exception) -> str | None:
    """What to tell the user of an error that is no fault of the program; None for one that is."""
    if isinstance(error, ImportError):
        if (error.name or "minece").partition(".")[0] == "minece":
            return minece._torn_apart(error)
        if isinstance(error, ModuleNotFoundError):
            return f"{error.name} is not installed; run: minece doctor"
    from minece.blocks.errors import MineceError

    if isinstance(error, MineceError):
        return str(error)
    if isinstance(error, OSError):
        reason = error.strerror or str(error)
        if error.errno == errno.ENOSPC and error.filename is None:  # files are told by those who write them
            return f"standard output: {reason}"
        if isinstance(error, PermissionError):
            reason += "; change its permissions"
        return reason if error.filename is None else f"{error.filename}: {reason}"
    if isinstance(error, MemoryError):
        return "not enough memory; give fewer or smaller builds"
    return None
