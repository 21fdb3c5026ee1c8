"""tutorial_bugs.py SPOTSIM FOLDER [NAME…]: `spotsim explore` names each bug of
scenarios/tutorial-bugs: what it breaks, and a kind of fault that brings it out. Of each only the
kinds stated here are tried, with so many runs as they take; with SPOTSIM_LONG=1 all kinds, with 150
runs. In the job that has no bug the same kinds find nothing."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from support import check_schema, fail, skip

# Scenario: kinds of faults, runs, and what they break. No kind: the run without faults breaks it.
BUGS = {
    "01-crash-is-success": (["trainer-crash"], 1, "failed-is-not-done"),
    "02-counts-deleting-volumes": (["power-cut"], 2, "failed-is-not-done"),
    "03-delete-fails-unseen": (["slow"], 4, "one-source-of-truth"),
    "04-ten-seconds-to-attach": (["slow"], 3, "acknowledged-checkpoint-kept"),
    "05-waiter-gave-up": (["slow"], 7, "nothing-runs"),
    "06-delete-before-create": (["power-cut"], 2, "nothing-runs"),
    "07-any-status-is-a-notice": (["imds-v2-required"], 1, "nothing-runs"),
    "07-error-page-is-instance-id": (["imds-v2-required"], 1, "nothing-runs"),
    "08-nothing-saved-on-notice": (["interrupt"], 1, "notice-answered"),
    "09-names-compared-as-text": (["interrupt"], 1, "progress-kept"),
    "09-torn-file-loaded": (["torn-write"], 1, "progress-kept"),
    "10-optimizer-state-dropped": (["interrupt"], 1, "same-step-same-state"),
    "11-cancels-no-fleet": (["api-throttled"], 1, "nothing-runs"),
    "12-partial-upload-comes-back": (["torn-write"], 1, "progress-kept"),
    "13-empty-file-chosen": (["torn-write"], 1, "nothing-runs"),
    "14-first-boot-cannot-save": ([], 0, "job-completes"),
    "15-waits-for-ever": (["api-throttled"], 6, "nothing-runs"),
    "16-formats-at-every-boot": (["damage-volume"], 1, "progress-kept"),
    "17-clone-into-a-folder": (["power-cut"], 10, "nothing-runs"),
    "18-deleted-before-saved": (["torn-write"], 1, "progress-kept"),
    "19-starts-before-the-volume": ([], 0, "progress-kept"),
    "20-group-trains-for-ever": ([], 0, "nothing-runs"),
    "21-healthy-group-never-trains": ([], 0, "nothing-runs"),
    "22-half-written-is-synced": ([], 0, "progress-kept"),
}
# Those without a bug: the bugs that are based on each, and runs.
CORRECT = {
    "correct": (set(BUGS) - {"12-partial-upload-comes-back", "19-starts-before-the-volume"}, 11),
    "correct-with-bucket": ({"12-partial-upload-comes-back"}, 2),
}


def explored(spotsim, scenario, runs, kinds):
    """Its exit status and explore.json."""
    with tempfile.TemporaryDirectory(prefix="tutorial-bugs-") as out:
        options = ["--faults", "1", "--runs", str(runs), "--out", out, "--json"]
        if kinds:
            options += ["--kinds", ",".join(kinds)]
        done = subprocess.run([spotsim, "explore", scenario, *options], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode not in (0, 1):
            fail(f"{scenario}: exit status {done.returncode}\n{done.stderr}")
        report = json.loads(done.stdout)
        check_schema(report, "explore")
        return done.returncode, report


def found(report, kinds, invariant):
    """Whether a failure is this invariant's, by a fault of one of these kinds, or by none."""
    for failure in report["failures"]:
        by = " ".join(failure["faults"])
        by_kind = any(f"kind: {kind}" in by for kind in kinds) if kinds else not by
        if failure["invariant"] == invariant and by_kind:
            return True
    return False


def main():
    if os.geteuid() != 0:
        skip("not root: what a power cut leaves on a disk is seen at level root only")
    spotsim, folder, *names = sys.argv[1:]
    every_kind = "SPOTSIM_LONG" in os.environ
    scenarios = {path.stem for path in pathlib.Path(folder).glob("*.yaml")}
    listed = BUGS.keys() | CORRECT.keys()
    if scenarios != listed:
        fail(f"scenarios and this test's list differ: {sorted(scenarios ^ listed)}")
    for name in names or [*BUGS, *CORRECT]:
        if name in CORRECT:
            bugs, runs = CORRECT[name]
            kinds = sorted({kind for bug in bugs for kind in BUGS[bug][0]})
        else:
            kinds, runs, invariant = BUGS[name]
        scenario = f"{folder}/{name}.yaml"
        long = every_kind and name in BUGS
        status, report = explored(spotsim, scenario, 150 if every_kind else runs + 1,
                                  () if long else kinds)
        said = json.dumps(report["failures"], indent=2)
        if name in CORRECT:
            if status != 0:
                fail(f"{scenario}: found what is not there:\n{said}")
        elif not found(report, kinds, invariant):
            fail(f"{scenario}: {invariant} by {kinds or 'no fault'} was not found:\n{said}")
        print(name, "ok:", report["runs"], "runs", flush=True)


main()
