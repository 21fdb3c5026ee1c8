"""The mark `spotsim`: a scenario as a test."""
import os
import pathlib
import textwrap

SCENARIO = pathlib.Path(os.environ["SPOTSIM_SCENARIOS"], "on-demand.yaml")
MARK = f'@pytest.mark.spotsim("{SCENARIO}", guest="fiber"'


def run(pytester, text):
    pytester.makepyfile("import pytest\n" + textwrap.dedent(text))
    return pytester.runpytest_subprocess("-q")


def test_a_scenario_as_expected_passes_and_its_result_can_be_read(pytester):
    result = run(pytester, f"""
        {MARK})
        def test_it(spotsim_run):
            assert spotsim_run.result["outcome"] == "completed"
            assert spotsim_run.events[0].kind == "run.start"
            assert spotsim_run.events.of("attempt.end") or spotsim_run.events.of("instance.state")
        """)
    result.assert_outcomes(passed=1)


def test_a_failure_shows_expectation_and_replay_command_and_nothing_of_the_plugin(pytester):
    result = run(pytester, f"""
        {MARK}, expect={{"steps_total": 7, "savings": {{"min": 0.9}}}}, seed=3)
        def test_it():
            assert False, "its code does not run"
        """)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([
        "*on-demand.yaml: completed, not as expected", "  FAILS  steps_total: 7, found 1664",
        "  FAILS  savings: {min: 0.9}, found *", "replay: spotsim run * --seed 3 --guest fiber *"])
    result.stdout.no_fnmatch_line("*its code does not run*")
    result.stdout.no_fnmatch_line("*Traceback*")


def test_the_replay_command_of_a_failure_repeats_the_run(pytester):
    result = run(pytester, f"""
        {MARK}, expect={{"steps_total": 7}})
        def test_it():
            pass
        """)
    command = next(line for line in result.outlines if line.startswith("replay: "))
    program = os.environ["SPOTSIM"]
    replayed = pytester.run("sh", "-c", command.removeprefix("replay: ").replace(
        "spotsim run", f"{program} run", 1))
    replayed.stderr.no_fnmatch_line("*differ*")
    assert replayed.ret == 1  # the expectation still fails


def test_the_cause_of_a_failed_job_is_shown(pytester):
    result = run(pytester, f"""
        @pytest.mark.spotsim("{SCENARIO}", set={{"operator.script": "exit 3"}},
                             options=["--level", "plain"])
        def test_it():
            pass
        """)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["cause: *", "console: */console/operator.log*"])


def test_a_broken_scenario_shows_the_readers_message(pytester):
    pytester.path.joinpath("bad.yaml").write_text("name: bad\nbogus: 1\n")
    result = run(pytester, """
        @pytest.mark.spotsim("bad.yaml")
        def test_it():
            pass
        """)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*bad.yaml was not run: spotsim ended with status 2",
                                 '*bad.yaml:2:1: key: found unknown key "bogus"*'])


def test_without_the_program_the_message_says_how_to_name_it(pytester, monkeypatch):
    monkeypatch.setenv("SPOTSIM", "/nowhere/spotsim")
    result = run(pytester, f"""
        {MARK})
        def test_it():
            pass
        """)
    result.stdout.fnmatch_lines(['*found no program "/nowhere/spotsim", expected spotsim on PATH*'])


def test_the_marks_are_registered(pytester):
    result = pytester.runpytest_subprocess("--markers", "--strict-markers")
    result.stdout.fnmatch_lines(["@pytest.mark.spotsim(scenario*", "@pytest.mark.aws(scenario*"])
