"""Family files of strangers: read strictly, checked without their oracle, and they end in one line."""

import os
import time
import tomllib
from pathlib import Path

import pytest

from minece.blocks import LogError, MineceError
from minece.checkers import RuleError, bind
from minece.tasks import (
    FamilyError,
    TasksError,
    briefing,
    cheats,
    check,
    load_family,
    load_task,
    loader,
    mutations,
    reference,
    task_from_rules,
    variants,
)
from minece.tasks.expressions import Allowance
from minece.tasks.reading import read_toml
from minece.tasks.task import Turn
from minece.tasks.wording import rules_to_text, text_to_rules

GOOD = """
schema = 1
version = 3
canary = "a canary"
group = "elements"
type = "poles"
ground = "bottom"
id = "{{ height }}-{{ wood }}"
reasons = "To try families of strangers."
where = "= not (height == 6 and wood == 'oak')"

[params]
height = [4, 5, 6]
wood = ["oak", "birch"]

[let]
block = "= wood ~ '_log'"

[stock]
birch_log = "= height"
oak_log = 6

[limits]
plot = [16, 16]
blocks = 100

[[turns]]
text = "Put up a pole of {{ wood }} logs on the ground, {{ height }} blocks high and one block thick."
reference = [{ use = "pole" }]

  [[turns.rules]]
  rule = "only"
  says = "of {{ wood }} logs"
  args = { materials = "= block" }

  [[turns.rules]]
  rule = "extent"
  criterion = "shape"
  says = "{{ height }} blocks high and one block thick"
  args = { width = 1, depth = 1, height = "= height" }

  [[turns.rules]]
  rule = "budget"
  says = "{{ height }} birch_log and 6 oak_log"
  args = { stock = { birch_log = "= height", oak_log = 6 } }

  [[turns.rules]]
  rule = "grounded"
  says = "every block must be joined to the ground"

[[parts.pole]]
repeat = { over = "= height", as = "y", do = [{ put = { at = [2, "= y", 2], block = "= block" } }] }

[[variants]]
name = "elsewhere"
start = "empty"
do = [{ column = { at = [9, 0, 9], height = "= height", block = "= block" } }]

[[variants]]
name = "lying logs"
set = { block = "= wood ~ '_log[axis=x]'" }

[[cheats]]
name = "too high"
set = { height = "= height + 1" }
fails = ["extent"]

[[cheats]]
name = "in the air"
where = "= height > 4"
do = [{ remove = { at = [2, 0, 2], size = [1, 1, 1] } }, { put = { at = [2, "= height", 2], block = "= block" } }]
fails = ["grounded"]

[[cheats]]
name = "spruce"
set = { block = "spruce_log" }
fails = ["only", "budget"]

[[mutations]]
name = "a log out"
edit = "take"
verdict = "fail"
"""


@pytest.fixture
def family(tmp_path: Path) -> Path:
    path = tmp_path / "poles.toml"
    path.write_text(GOOD)
    return path


def _changed(path: Path, old: str, new: str) -> Path:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    return path


def test_a_family_of_a_stranger(family: Path) -> None:
    tasks = load_family(family).tasks()
    assert [task.id for task in tasks] == [
        f"elements/poles/{name}" for name in ("4-oak", "4-birch", "5-oak", "5-birch", "6-birch")
    ]
    task = tasks[1]
    assert task.suite == task.version == ""
    assert task.stock == {"birch_log": 4, "oak_log": 6}
    assert task.limits.plot == (16, 16) and task.limits.blocks == 100
    assert [rule.criterion for rule in task.turns[0].rules] == ["material", "shape", "material", "plausibility"]
    assert task.source == family


def test_its_promises_are_checked(family: Path) -> None:
    # 4-… says "4 birch_log and 6 oak_log" nowhere in the text, but the briefing lists the stock.
    report = check(str(family))
    row = report.families[0]
    assert report.ok, "\n".join(map(str, report.problems))
    assert row.weak == []
    assert (row.tasks, row.references.right, row.cheats.total, row.mutations.right) == (5, 5, 13, 5)
    assert row.variants.right == 5 * (2 + 3)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('set = { height = "= height + 1" }', "", "cheat: too high: rule extent lets it pass"),
        ('over = "= height", as', 'over = "= height - 1", as', "reference: rule extent: "),
        ('over = "= height", as', 'over = "= height + 3", as', "the stock has "),
        ('height = "= height" }\n', 'height = "= height + 1" }\n', "rule extent asks for 5, which"),
        ("on the ground, ", "on the ground, 3 blocks from the next and ", "the text says 3 ("),
        ('says = "of {{ wood }} logs"', 'says = "of fine logs"', "neither text nor briefing says 'of fine logs'"),
        ('at = [9, 0, 9], height = "= height"', "at = [9, 0, 9], height = 3", "variant: elsewhere: rule extent: "),
        ('id = "{{ height }}-{{ wood }}"', 'id = "{{ height }}"\ntasks = 5', "more than one task has this id"),
        ('id = "', 'tasks = 7\nid = "', "the parameters make 5 tasks, the file promises 7"),
        ('at = [2, "= y", 2]', 'at = [20, "= y", 2]', "limits: the reference leaves the plot"),
        ('verdict = "fail"', 'verdict = "pass"', "0 of 5 edited references got the right answer"),
        ('edit = "take"\nverdict = "fail"', 'edit = "take"', "the right answer is not known"),
        ('rule = "grounded"', 'rule = "supported_order"', "cheat: in the air: rule grounded lets it pass"),
        ('edit = "take"', 'edit = "take"\nof = "oka_log"', "mutation: a log out: no reference has a block"),
        ('edit = "take"', 'edit = "take"\nof = "#doors"', "mutation: a log out: no reference has a block"),
    ],
)
def test_broken_promises_are_found(family: Path, old: str, new: str, message: str) -> None:
    report = check(_changed(family, old, new))
    assert not report.ok
    assert any(message in str(problem) for problem in report.problems), report.problems


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('canary = "a canary"\n', "", "no canary string"),
        ('reasons = "To try families of strangers."\n', "", "reasons are missing"),
        ('[[mutations]]\nname = "a log out"\nedit = "take"\nverdict = "fail"\n', "", "no mutations"),
    ],
)
def test_weakness_is_named(family: Path, old: str, new: str, message: str) -> None:
    weak = check(_changed(family, old, new)).families[0].weak
    assert any(message in remark for remark in weak)


def test_a_rule_that_no_cheat_fails_is_named(family: Path) -> None:
    text = family.read_text()
    start = text.index('[[cheats]]\nname = "in the air"')
    family.write_text(text[:start] + text[text.index('[[cheats]]\nname = "spruce"') :])
    assert check(family).families[0].weak == ["no cheat fails by rule grounded"]


@pytest.mark.parametrize(
    ("old", "new", "place", "reason"),
    [
        ("version = 3", "version = 3\nverison = 4", "verison", "did you mean 'version'"),
        ("version = 3\n", "", "version", "is missing"),
        ("version = 3", "version = true", "version", "a truth value, not a whole number"),
        ("schema = 1", "schema = 2", "schema", "reads schema 1"),
        ('group = "elements"', 'group = "El/ements"', "group", "no plain word"),
        ('ground = "bottom"', 'ground = "middle"', "ground", "top, bottom"),
        ("height = [4, 5, 6]", "height = 4", "params.height", "no list of values"),
        ("height = [4, 5, 6]", "height = []", "params.height", "no value"),
        ("height = [4, 5, 6]", "Height = [4, 5, 6]", "params", "'Height' is no name"),
        ("height = [4, 5, 6]", "height = { permutations = [1, 2, 3, 4, 5, 6, 7, 8] }", "params.height", "at most 6"),
        ("height = [4, 5, 6]", "height = [[[[[[[[[[[[4]]]]]]]]]]]]", "params.height", "too deeply"),
        ("block = \"= wood ~ '_log'\"", "block = \"= wood ~ '_log'\"\nwood = 1", "let", "a parameter already"),
        ('rule = "grounded"', 'rule = "grounded"\nargument = 1', "turns[0].rules[3].argument", "known keys: rule"),
        ('says = "of {{ wood }} logs"\n', "", "turns[0].rules[0].says", "is missing"),
        ("put = { at", "putt = { at", "parts.pole[0].repeat.do[0]", "no command"),
        ('at = [2, "= y", 2], block', 'at = [2, "= y", 2], sort', "parts.pole[0].repeat.do[0].put", "block"),
        ('as = "y"', 'as = "7"', "parts.pole[0].repeat.as", "no name"),
        ('fails = ["extent"]', "fails = []", "cheats[0].fails", "no rule is named"),
        ('fails = ["extent"]', "", "cheats[0].fails", "is missing"),
        ('start = "empty"', 'start = "nowhere"', "variants[0].start", "one of each"),
        ('set = { block = "spruce_log" }', 'set = { blocks = "spruce_log" }', "cheats[2].set", "no value 'blocks'"),
        ('set = { block = "spruce_log" }', "turn = 2", "cheats[2].turn", "no turn 2"),
        ('edit = "take"', 'edit = "steal"', "mutations[0].edit", "paint"),
        ('edit = "take"', 'edit = "paint"', "mutations[0].block", "is missing"),
        ('edit = "take"', 'edit = "take"\nof = "#lgos"', "mutations[0].of", "unknown tag #lgos"),
        ("oak_log = 6\n", '"#lgos" = 6\n', "stock.#lgos", "unknown tag #lgos"),
        ("plot = [16, 16]", "plot = [16]", "limits.plot", "size of a plot"),
        ("blocks = 100", "blocks = -1", "limits.blocks", "take 0 to"),
        ("[[turns]]", "[[turns.x]]\n[[turns]]", "", "TOML"),
    ],
)
def test_faults_are_named_with_file_and_key(family: Path, old: str, new: str, place: str, reason: str) -> None:
    with pytest.raises(FamilyError) as caught:
        load_family(_changed(family, old, new))
    text = str(caught.value)
    assert text.startswith(f"{family}: {place}"), text
    assert reason in text, text
    assert "\n" not in text


@pytest.mark.parametrize(
    ("old", "new", "place", "reason"),
    [
        ('rule = "grounded"', 'rule = "grouded"', "turns[0].rules[3]", "grounded"),
        ('materials = "= block"', 'material = "= block"', "turns[0].rules[0]: rule only", "materials"),
        ('criterion = "shape"', 'criterion = "beauty"', "turns[0].rules[1]", "material, shape"),
        ('where = "= not (', 'where = "= 7 + (', "where", "comparison"),
        ("oak_log = 6\n", "oak_log = -6\n", "stock.oak_log", "no number of items"),
        ('id = "{{ height }}-{{ wood }}"', 'id = "../{{ height }}"', "id", "is no id"),
        ("on the ground, {{ height }}", "on the ground, {{ hight }}", "turns[0].text", "did you mean 'height'"),
        ("block = \"= wood ~ '_log'\"", 'block = "= wood.upper()"', "let.block", "call"),
    ],
)
def test_faults_in_values_are_named_with_file_and_key(
    family: Path, old: str, new: str, place: str, reason: str
) -> None:
    with pytest.raises((FamilyError, RuleError)) as caught:
        load_family(_changed(family, old, new)).tasks()
    assert str(caught.value).startswith(f"{family}: {place}"), caught.value
    assert reason in str(caught.value)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "schema: is missing"),
        (b"\xff\xfe", "no text in UTF-8"),
        (b"a = ", "no readable TOML"),
        (b"a = " + b"[" * 5000 + b"]" * 5000, "no readable TOML"),
        (b"a = " + b"9" * 5000, "no readable TOML"),
        (b"schema = 0x" + b"f" * 5000, "a whole number beyond"),
        (b"schema = 1\nversion = 1\n[limits]\nplot = [1, 0x" + b"f" * 5000 + b"]", "a whole number beyond"),
        (b"a." * 100_000 + b"a = 1", "line 1: a key of more than 16 parts"),
        (b"x = 1\n[" + b"a." * 100_000 + b"a]", "line 2: a key of more than 16 parts"),
        (b"x = 1\n[[" + b"'a' . " * 50_000 + b"a]]", "line 2: a key of more than 16 parts"),
        (b"x = {" + b'""\t.\t' * 50_000 + b"a = 1}", "line 1: a key of more than 16 parts"),
        (b"x = " + b"{a = " * 40 + b"1" + b"}" * 40, "nested too deeply"),
        (b"x" * 900_000 + b" = 1", "a key of more than 200 letters"),
        (b'x = """' + b'\\"""' * 200_000, "no readable TOML"),
        (b"#" * 1_000_001, "larger than"),
        (b"schema = 1\nparams = 3\nversion = 1", "params: a whole number, not a table"),
    ],
    ids=range(16),
)
def test_files_that_are_none(tmp_path: Path, content: bytes, reason: str) -> None:
    path = tmp_path / "strange.toml"
    path.write_bytes(content)
    with pytest.raises(FamilyError, match=reason) as caught:
        load_family(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert len(str(caught.value)) < 1000


def test_dots_in_texts_and_comments_are_no_keys() -> None:
    dots = "a." * 40 + "a"
    text = (
        f"# {dots} ''' \"\"\"\n"
        f'\'one.{dots}\'.two = "a\\"{dots}"\n'
        f'three = """{dots}\n"{dots}""""\n'
        f"four = ''''{dots}\n{dots}'''\n"
        "five = [1.5, 2.5]  # '\n"
        f"{'.'.join('abcdefghijklmnop')} = 1\n"
    )
    assert read_toml(text.replace("'one." + dots, "'one.two"), "f.toml") == tomllib.loads(
        text.replace("'one." + dots, "'one.two")
    )
    assert read_toml(text, "f.toml") == tomllib.loads(text)


def test_a_byte_order_mark_is_no_text(family: Path) -> None:
    family.write_bytes(b"\xef\xbb\xbf" + family.read_bytes())
    assert len(load_family(family).tasks()) == 5


def test_what_is_no_file_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("inner").mkdir()
    os.mkfifo("inner/pipe.toml")
    with pytest.raises(FamilyError, match=r"^inner/pipe\.toml: is no ordinary file"):
        check("inner/pipe.toml")


def test_a_file_is_named_as_it_was_given(family: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(family.parent.parent)
    name = Path(family.parent.name, family.name)
    _changed(family, 'group = "elements"', 'group = "El"')
    with pytest.raises(FamilyError, match=f"^{name}: group: "):
        check(str(name))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("on the ground, ", "on the ground, " + "9" * 5000, "turns[0].text: holds a number of more than 18 digits"),
        ('says = "of {{ wood }}', 'says = "' + "9" * 19 + " {{ wood }}", "rules[0].says: holds a number of more than"),
        ('"= block" }\n', '"upper(' + "9" * 5000 + ')" }\n', "turns[0].rules[0]"),
    ],
)
def test_numbers_of_many_digits_are_refused(family: Path, old: str, new: str, message: str) -> None:
    try:
        report = check(_changed(family, old, new))
    except MineceError as error:
        assert str(error).startswith(f"{family}: ") and message in str(error)
    else:
        assert not report.ok
        assert all(len(str(problem)) < 1500 for problem in report.problems)


@pytest.mark.parametrize("text", ["1" * 20_000, "1.a" * 7_000, "-1 " * 7_000, "1" * 20_000 + "x"], ids=range(4))
def test_numbers_are_looked_for_in_one_pass(text: str) -> None:
    turn = Turn(text, (bind("grounded", {}),), (text,))
    start = time.thread_time()
    assert len(text_to_rules(turn)) in (0, 7_000)
    assert [link.place for link in rules_to_text(turn, "")] == ["text"]
    assert time.thread_time() - start < 2


def test_tasks_hold_few_letters_in_all(family: Path) -> None:
    _changed(family, "[let]\n", "[let]\nlong = \"= '" + "x" * 3_900 + "'\"\n")
    _changed(family, "thick.", "thick. " + "{{ long }} " * 5)
    rules = '  [[turns.rules]]\n  rule = "grounded"\n  says = "' + "{{ long }} " * 5 + '"\n'
    _changed(family, "[[parts.pole]]", rules * 5 + "[[parts.pole]]")
    found = load_family(family)
    case = next(found.cases())
    assert len(found.task(case).turns[0].says[-1]) > 19_000
    with pytest.raises(FamilyError, match=r"turns\[0\].*says: takes too many steps or too long"):
        found.task(case, allowance=Allowance(steps=1_000))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('start = "empty"', 'start = "empty"\nwhere = "= height > 6"', "elsewhere: its where holds for no task"),
        ('where = "= height > 4"', 'where = "= height > 40"', "cheat: in the air: its where holds for no task"),
    ],
)
def test_builds_that_concern_no_task_are_named(family: Path, old: str, new: str, message: str) -> None:
    report = check(_changed(family, old, new))
    assert [str(problem) for problem in report.problems if message in str(problem)]


def test_a_build_that_concerns_one_task_outside_the_sample_is_none(family: Path) -> None:
    _changed(family, "height = [4, 5, 6]", "height = " + str(list(range(4, 24))))
    _changed(family, "plot = [16, 16]", "plot = [16, 16]\nheight = 30")
    for height in range(4, 24):
        _changed(family, "[[mutations]]", VARIANT.format(height=height) + "[[mutations]]")
    report = check(family)
    assert report.families[0].sampled == 6
    assert not [str(problem) for problem in report.problems if "where holds" in str(problem)]


VARIANT = """
[[variants]]
name = "for {height}"
where = "= height == {height} and wood == 'birch'"
"""


def test_refusals_of_logs_name_the_file(family: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise LogError("no")

    monkeypatch.setattr(loader, "control", refuse)
    monkeypatch.setattr(loader, "_next", refuse)
    found = load_family(_changed(family, 'name = "spruce"\n', 'name = "spruce"\nstart = "fill everything"\n'))
    case = next(found.cases())
    with pytest.raises(MineceError, match="poles.toml: turns: no$"):
        found.reference(case)
    with pytest.raises(MineceError, match=r"poles.toml: cheats\[2\]: no$"):
        found.build(found.spec.cheats[2], case)


def test_missing_files(tmp_path: Path) -> None:
    with pytest.raises(FamilyError, match="No such file"):
        check(tmp_path / "nothing.toml")
    with pytest.raises(TasksError, match="is no ordinary file"):
        load_family(tmp_path)


def test_too_many_tasks(family: Path) -> None:
    many = ", ".join(map(str, range(200)))
    with pytest.raises(FamilyError, match="80000 tasks"):
        load_family(_changed(family, "height = [4, 5, 6]", f"height = [{many}]\nagain = [{many}]"))


def test_nested_repetitions_end(family: Path) -> None:
    inside = "repeat = { over = 1, as = 'y', do = [{ " * 400 + "use = 'x'" + " }] }" * 400
    with pytest.raises(FamilyError, match="nested too deeply|no readable TOML"):
        load_family(_changed(family, "[[variants]]", f"[[parts.deep]]\n{inside}\n[[variants]]"))


def test_too_many_entries(family: Path) -> None:
    many = "".join(f"name{i} = 1\n" for i in range(201))
    with pytest.raises(FamilyError, match="let: 202 entries; write at most 200"):
        load_family(_changed(family, "[let]\n", f"[let]\n{many}"))


def test_a_strangers_family_gets_no_oracle(tmp_path: Path) -> None:
    path = tmp_path / "shallow.toml"
    path.write_text(GOOD.replace('verdict = "fail"', ""))
    family = load_family(path)
    assert load_family("shallow").ours and not family.ours
    with pytest.raises(FamilyError, match="right answer is not known"):
        mutations(family.tasks()[0])


def test_mutations_edit_what_ids_and_tags_name(family: Path) -> None:
    for of, edits in (("#logs", 5), ("minecraft:birch_log, oak_log", 5), ("birch_log", 3)):
        text = GOOD.replace('edit = "take"', f'edit = "take"\nof = "{of}"')
        family.write_text(text)
        report = check(family)
        assert report.ok, report.problems
        assert report.families[0].mutations.total == edits


def test_mutations_repeat_with_their_seed() -> None:
    task = load_task("elements/roofs/5x7-4columns-3high-build")
    ids = [[mutation.turns[-1].id for mutation in mutations(task, seed=seed, each=2)] for seed in (1, 1, 2)]
    assert ids[0] == ids[1] != ids[2]
    assert len(ids[0]) == 18


def test_ad_hoc_rules_make_a_task() -> None:
    rules = [bind("grounded", {}), bind("count", {"bound": 3}, criterion="size")]
    task = task_from_rules([rules, rules[:1]], id="mine")
    assert [[rule.name for rule in turn.rules] for turn in task.turns] == [["grounded", "count"], ["grounded"]]
    assert task.id == "mine" and task.suite == task.family == ""
    assert task.digest != task_from_rules([rules]).digest
    for of_a_family in (mutations, reference):
        with pytest.raises(TasksError, match="no family"):
            of_a_family(task)


def test_a_rule_may_hold_for_some_tasks_only(family: Path) -> None:
    _changed(family, 'criterion = "shape"', 'criterion = "shape"\n  where = "= height == 5"')
    rules = {
        task.parameters["height"]: [rule.name for rule in task.turns[0].rules] for task in load_family(family).tasks()
    }
    assert "extent" in rules[5] and len(rules[5]) == 4
    assert "extent" not in rules[4] and len(rules[4]) == 3
    _changed(family, '"= height == 5"', '"= height"')
    with pytest.raises(FamilyError, match=r"turns\[0\].rules\[1\].where: gives 4; write a comparison"):
        load_family(family).tasks()


def test_the_example_of_the_reference_page_keeps_its_promises(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "reference" / "families.md").read_text(encoding="utf-8")
    path = tmp_path / "poles.toml"
    path.write_text(page.split("```toml family\n")[1].split("```")[0])
    report = check(path)
    assert report.ok, report.problems
    assert report.families[0].tasks == 4


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('edit = "take"', 'edit = "shift"\nby = [[1, 2]]', "mutations[0].by: [1, 2] are not three numbers"),
        ('edit = "take"', 'edit = "shift"\nby = []', "mutations[0].by: None are not three numbers"),
        ('edit = "take"', 'edit = "add"\nblock = "a b["', "a b["),
        ('height = "= height", block', 'height = "= height * 90000", block', "within ±100000"),
        ('at = [2, "= y", 2], block = "= block"', 'at = [2, "= y", 2], block = "a b["', "put.block: "),
        ('name = "spruce"\n', 'name = "spruce"\nstart = "fill everything"\n', "too large for the control build"),
    ],
)
def test_faults_in_builds_are_problems_not_crashes(family: Path, old: str, new: str, message: str) -> None:
    _changed(family, old, new)
    if "control" in message:
        _changed(
            family,
            'reference = [{ use = "pole" }]',
            'reference = [{ put = { at = [90000, 0, 90000], block = "stone" } }, { use = "pole" }]',
        )
    report = check(family)
    assert any(message in str(problem) for problem in report.problems), report.problems


def test_a_file_of_ours_given_by_its_path_keeps_its_oracle() -> None:
    path = load_family("walls").spec.path
    assert check(str(path)).ok


TWO_TURNS = """
schema = 1
version = 1
canary = "a canary"
group = "management"
type = "growth"
ground = "bottom"
id = "{{ wood }}"
reasons = "To try families of several turns."
[params]
wood = ["oak", "birch"]
[let]
block = "= wood ~ '_log'"

[[turns]]
text = "Set a single {{ wood }} log upon the ground."
reference = [{ put = { at = [2, 0, 2], block = "= block" } }]
rules = [{ rule = "count", says = "a single {{ wood }} log", args = { bound = 1, materials = "= block" } }]

[[turns]]
text = "Now let there be 3 {{ wood }} logs."
reference = [{ line = { from = [3, 0, 2], to = [4, 0, 2], block = "= block" } }]
rules = [{ rule = "count", says = "3 {{ wood }} logs", args = { bound = 3, materials = "= block" } }]

[[variants]]
name = "upright"
start = "previous turn"
do = [{ column = { at = [2, 1, 2], height = 2, block = "= block" } }]
[[variants]]
name = "the first log elsewhere"
turn = 1
start = "empty"
do = [{ put = { at = [7, 0, 7], block = "= block" } }]

[[cheats]]
name = "last turn's build unchanged"
start = "previous turn"
fails = ["count"]
[[cheats]]
name = "all at once"
turn = 1
do = [{ line = { from = [3, 0, 2], to = [4, 0, 2], block = "= block" } }]
fails = ["count"]

[[mutations]]
name = "a log out"
edit = "take"
verdict = "fail"
"""


def test_a_family_of_two_turns(tmp_path: Path) -> None:
    path = tmp_path / "growth.toml"
    path.write_text(TWO_TURNS)
    task = load_family(path).tasks()[1]
    assert [turn.text for turn in task.turns] == [
        "Set a single birch log upon the ground.",
        "Now let there be 3 birch logs.",
    ]
    assert [len(build.blocks) for build in reference(task)] == [1, 3]
    assert "There are 2 instructions" in briefing(task)
    report = check(path)
    assert report.ok and not report.families[0].weak, (report.problems, report.families[0].weak)
    assert [(cheat.name, [len(build.blocks) for build in cheat.turns]) for cheat in cheats(task)] == [
        ("last turn's build unchanged", [1, 1]),
        ("all at once", [3, 3]),
    ]


GROWING = (
    """
schema = 1
version = 1
canary = "a canary"
group = "management"
type = "growth"
ground = "bottom"
id = "{{ heights | join('-') }}"
reasons = "To try turns that come from a list."
[params]
heights = [[2, 3], [3, 2], [2, 4, 3]]
[let]
block = "oak_log"

[[turns]]
text = "Set one log of spruce in the grass."
reference = [{ put = { at = [5, 0, 2], block = "spruce_log" } }]
rules = [{ rule = "count", says = "one log of spruce", args = { bound = 1, materials = "spruce_log" } }]

[[turns]]
each = "= heights"
as = "n"
text = """
    + '"""'
    + """
{% if turn == 2 %}Put up a pole of {{ n }} oak logs.{% else %}Make the pole {{ 'taller' if n > before else 'shorter' }}:
{{ n }} oak logs.{% endif %}"""
    + '"""'
    + """
reference = [
  { remove = { at = [2, "= n", 2], size = [1, "= max(before - n, 0)", 1] } },
  { use = "more" },
]

  [[turns.rules]]
  rule = "count"
  says = "{{ n }} oak logs"
  args = { bound = "= n", materials = "oak_log" }

  [[turns.rules]]
  rule = "grounded"
  says = "every block must be joined to the ground"

[parts]
more = [{ column = { at = [2, "= before", 2], height = "= max(n - before, 0)", block = "= block" } }]

[[variants]]
name = "logs that lie down"
turn = "every"
set = { block = "oak_log[axis=x]" }
[[variants]]
name = "built anew elsewhere"
start = "empty"
do = [
  { column = { at = [7, 0, 7], height = "= n", block = "= block" } },
  { put = { at = [9, 0, 9], block = "spruce_log" } },
]

[[cheats]]
name = "one too many from the first"
turn = "every"
set = { n = "= n + 1", before = "= before + 1 if before else 0" }
fails = ["count"]
[[cheats]]
name = "last turn's build unchanged"
start = "previous turn"
fails = ["count"]
[[cheats]]
name = "nothing"
start = "empty"
fails = ["count", "grounded"]
[[cheats]]
name = "nothing but the corners"
start = "opposite corners"
fails = ["grounded"]
[[cheats]]
name = "a log in the air"
turn = 2
do = [{ put = { at = [2, 9, 2], block = "= block" } }]
fails = ["grounded"]

[[mutations]]
name = "a log out"
edit = "take"
of = "oak_log"
verdict = "fail"
"""
)


@pytest.fixture
def growing(tmp_path: Path) -> Path:
    path = tmp_path / "growing.toml"
    path.write_text(GROWING)
    return path


def test_a_turn_for_each_value_of_a_list(growing: Path) -> None:
    family = load_family(growing)
    tasks = family.tasks()
    assert [len(task.turns) for task in tasks] == [3, 3, 4]
    assert [turn.text for turn in tasks[2].turns] == [
        "Set one log of spruce in the grass.",
        "Put up a pole of 2 oak logs.",
        "Make the pole taller: 4 oak logs.",
        "Make the pole shorter: 3 oak logs.",
    ]
    assert [turn.rules[0].args["bound"] for turn in tasks[2].turns] == [1, 2, 4, 3]
    assert [len(build.blocks) for build in reference(tasks[2])] == [1, 3, 5, 4]
    assert "There are 4 instructions" in briefing(tasks[2])
    assert len({task.digest for task in tasks}) == 3
    report = check(growing, everything=True)
    assert report.ok, list(map(str, report.problems))
    assert not report.families[0].weak


def test_builds_of_a_family_of_many_turns(growing: Path) -> None:
    task = load_family(growing).tasks()[2]
    found = {one.name: [len(build.blocks) for build in one.turns] for one in (*variants(task), *cheats(task))}
    assert found["built anew elsewhere"] == [1, 3, 5, 4]
    assert found["one too many from the first"] == [1, 4, 6, 5]
    assert found["last turn's build unchanged"] == [1, 3, 5, 5]
    assert found["nothing"] == [1, 3, 5, 0]
    assert found["nothing but the corners"] == [1, 3, 5, 2]
    assert found["a log in the air"] == [1, 4, 6, 5]
    lying = next(one for one in variants(task) if one.name == "logs that lie down")
    assert [set(build.blocks.palette) for build in lying.turns[1:]] == [{"oak_log[axis=x]", "spruce_log[axis=y]"}] * 3
    anew = next(one for one in variants(task) if one.name == "built anew elsewhere").turns
    assert not len(anew[-1].blocks & anew[-2].blocks)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('each = "= heights"', 'each = "= 3"', "turns[1].each: no list of values"),
        ('each = "= heights"', "each = []", "turns[1].each: no list of values"),
        ('each = "= heights"', 'each = "= range(20)"', "turns[1].each: 21 turns; write at most 20"),
        ('as = "n"\n', "", "turns[1].as: is missing"),
        ('as = "n"', 'as = "block"', "let: 'block' is known in turns already"),
        ('as = "n"', 'as = "turn"', "turns[1].as: 'turn'"),
        ("[let]\n", "[let]\nbefore = 3\n", "let: 'before' is known in turns already"),
        ("heights = [", "turn = [1]\nheights = [", "params: 'turn' is known in turns already"),
        ("[let]\n", '[let]\ntwice = "= n * 2"\n', "let.twice: "),
        ("set = { n =", "set = { m =", "no value 'm' to set"),
        ("turn = 2", "turn = 0", "cheats[4].turn: there is no turn 0"),
        ("turn = 2", "turn = true", "cheats[4].turn: there is no turn True"),
        ("turn = 2", 'turn = "all"', 'take 1 to 20, "last" or "every"'),
        ("turn = 2", "turn = 4", "cheats[4].turn: there is no turn 4; take 1 to 3"),
        ("turn = 2", 'turn = 1\nstart = "previous turn"', "cheats[4].start: there is no turn before the first"),
    ],
)
def test_faults_in_turns_are_named(growing: Path, old: str, new: str, message: str) -> None:
    try:
        found = list(map(str, check(_changed(growing, old, new)).problems))
    except FamilyError as error:
        found = [str(error)]
    assert any(message in problem for problem in found), found
    assert all(str(growing) in problem for problem in found)
