"""`make fuzz`: looks for files that break a reader, for as long as it is told; keeps what it finds in build/fuzz."""

import argparse
import hashlib
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from format_fuzzing import FORMS, Case, Tally, broken_files, check  # noqa: E402

FOUND = ROOT / "build" / "fuzz"
BATCH = 200
OPTIONS = settings(
    max_examples=BATCH,
    deadline=None,
    database=None,
    phases=[Phase.generate, Phase.shrink],
    verbosity=Verbosity.quiet,
    report_multiple_bugs=False,
    suppress_health_check=list(HealthCheck),
)


def main() -> int:
    """Search; the exit code is 1 if a file broke a reader."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=600, help="how long (600)")
    parser.add_argument("--seed", type=int, default=0, help="where to begin; another one finds other files (0)")
    parser.add_argument("--format", action="append", choices=FORMS, help="only files of this format")
    asked = parser.parse_args()
    end = time.monotonic() + asked.seconds
    seen, faults = Tally(), Faults()
    told = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for form, number in batches(asked.format or list(FORMS), asked.seed):
            left = end - time.monotonic()
            if left <= 0:
                break
            search(form, number, Path(folder), seen, faults)
            if time.monotonic() - told > 10:
                told = time.monotonic()
                print(f"{max(left, 0):4.0f} s left: {seen.read:,} read, {seen.refused:,} refused, {faults}", flush=True)
    print(f"{seen.read:,} files read, {seen.refused:,} refused, {faults} (seed {asked.seed})")
    return int(bool(faults.places))


def batches(forms: list[str], first: int) -> Iterator[tuple[str, int]]:
    """Formats in turn, each time with another seed."""
    number = first * 1_000_003
    while True:
        for form in forms:
            yield form, number
        number += 1


class Faults:
    """What was found, each fault once: the shortest file that shows it is kept."""

    def __init__(self) -> None:
        self.places: dict[str, int] = {}

    def __str__(self) -> str:
        return f"{len(self.places)} fault{'' if len(self.places) == 1 else 's'}"

    def take(self, case: Case, error: Exception) -> bool:
        """Keep the file; whether the fault is new or the file shorter than before."""
        frames = traceback.extract_tb(error.__traceback__)
        last = next((frame for frame in reversed(frames) if "/tests/" not in frame.filename), frames[-1])
        place = f"{type(error).__name__} {Path(last.filename).name}:{last.lineno} {frames[-1].lineno}"
        size = self.places.get(place)
        if size is not None and size <= len(case.data):
            return False
        self.places[place] = len(case.data)
        path = FOUND / hashlib.sha256(place.encode()).hexdigest()[:12]
        FOUND.mkdir(parents=True, exist_ok=True)
        path.with_suffix(".bin").write_bytes(case.data)
        story = "".join(traceback.format_exception(error))
        path.with_suffix(".txt").write_text(f"{case!r}\n\n{story}", errors="backslashreplace")
        if size is None:
            print(f"fault in a file of {case.sample.id}: {place}: {str(error)[:200]!r}; {path}.bin", flush=True)
        return True


def search(form: str, number: int, folder: Path, seen: Tally, faults: Faults) -> None:
    """One batch. A fault that is new is made smaller as far as hypothesis can."""
    old = set(faults.places)

    def look(case: Case) -> None:
        try:
            check(case, folder, seen)
        except Exception as error:
            faults.take(case, error)
            if set(faults.places) != old:
                raise

    run: Callable[[], None] = seed(number)(OPTIONS(given(broken_files(form))(look)))
    try:
        run()
    except Exception as error:
        if set(faults.places) == old:
            raise error


if __name__ == "__main__":
    sys.exit(main())
