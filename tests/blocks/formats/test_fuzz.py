"""Files that are nearly right, found by chance: the seeded part; `make fuzz` searches on."""

from __future__ import annotations

import pytest
from format_fuzzing import FORMS, MUST_BE_SEEN, Tally, broken_files, check
from hypothesis import HealthCheck, given, settings

MOST = 60
QUIET = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large]


@pytest.mark.parametrize("form", FORMS)
def test_files_that_are_nearly_right(form, tmp_path):
    seen = Tally()

    @settings(derandomize=True, max_examples=MOST, database=None, suppress_health_check=QUIET)
    @given(broken_files(form))
    def search(case):
        check(case, tmp_path, seen)

    search()
    # Chance decides how many are still whole: most of a strict format's are not.
    assert seen.refused and seen.read + seen.refused >= MOST * MUST_BE_SEEN
