"""Every task of every family: references, all variants, cheats and edits, and how long it takes.

    python benchmarks/families.py [FAMILY…]

The tests look at a sample of each family; this looks at all of it, and ends with 1 where a promise is broken or less
than 99 % of the edits get the right answer.
"""

from __future__ import annotations

import sys

from minece.tasks import check, families


def main() -> int:
    names = sys.argv[1:] or [entry.name for entry in families()]
    print("family             tasks  references    variants      cheats       edits  seconds")
    right = total = 0
    broken: list[str] = []
    for name in names:
        report = check(name, everything=True)
        broken += map(str, report.problems)
        for row in report.families:
            tallies = (row.references, row.variants, row.cheats, row.mutations)
            shown = " ".join(f"{tally.right}/{tally.total}".rjust(11) for tally in tallies)
            print(f"{row.family:<18} {row.tasks:>5} {shown} {row.seconds:>8.1f}", flush=True)
            right, total = right + row.mutations.right, total + row.mutations.total
    print(f"{right} of {total} edits right; {len(broken)} promises broken")
    for line in broken[:20]:
        print(line)
    return int(bool(broken) or right < 0.99 * total)


if __name__ == "__main__":
    sys.exit(main())
