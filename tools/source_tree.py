"""Makes build/tree, a folder of links that shows the source folders as one package `minece`.

Static tools (mypy, import-linter, doctests, reference pages) run there: they find packages by folder, and in the
repository the parts of the package stand side by side. Run it again after adding or removing a file; it takes 0.1 s.
"""

import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("blocks", "fem", "checkers", "tasks", "results", "agent_bridge", "human_study")


def make_tree(root: Path = ROOT) -> Path:
    """Make the tree anew and give back its folder (the one that holds `minece/`)."""
    tree = root / "build" / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    package = tree / "minece"
    package.mkdir(parents=True)
    for source in sorted((root / "minece").iterdir()):
        if source.name != "__pycache__":
            (package / source.name).symlink_to(source)
    for folder in FOLDERS:
        (package / folder).symlink_to(root / folder, target_is_directory=True)
    return tree


if __name__ == "__main__":
    make_tree()
