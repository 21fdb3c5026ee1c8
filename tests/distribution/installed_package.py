"""installed_package.py CMAKE BUILD EXAMPLE: the project EXAMPLE tests with an installed spotsim."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from support import fail

cmake, build, example = sys.argv[1:]
# The tests' own build is not the one to install (installed_flags.py).
AS_BUILT = {**os.environ, "SPOTSIM_INSTALL_AS_BUILT": "1"}


def run(*command, cwd=None, env=None):
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def need(*command, env=None):
    status, said = run(*command, env=env)
    if status != 0:
        fail(f"{' '.join(map(str, command))}: exit {status}\n{said[-3000:]}")


with tempfile.TemporaryDirectory(prefix="installed-") as folder:
    prefix, project = pathlib.Path(folder, "prefix"), pathlib.Path(folder, "project")
    need(cmake, "--install", build, "--prefix", prefix, env=AS_BUILT)
    for completion in ("bash-completion/completions/spotsim", "zsh/site-functions/_spotsim"):
        if "_spotsim" not in (prefix / "share" / completion).read_text():
            fail(f"share/{completion} does not complete spotsim's words")
    shutil.copytree(example, project)
    need(cmake, "-S", project, "-B", project / "build", f"-DCMAKE_PREFIX_PATH={prefix}")
    ctest = pathlib.Path(cmake).with_name("ctest")
    need(ctest, "--output-on-failure", "--test-dir", project / "build")

    with (project / "CMakeLists.txt").open("a", encoding="utf-8") as lists:
        lists.write("spotsim_add_scenario_test(failing.yaml)\n"
                    "spotsim_add_explore_test(scenarios/nightly-job.yaml TIME 1m\n"
                    "  FINDS notice-answered OPTIONS --kinds interrupt --runs 2)\n")
    (project / "failing.yaml").write_text("sed: 7\n")
    need(cmake, "-S", project, "-B", project / "build")
    test_file = (project / "build/CTestTestfile.cmake").read_text(encoding="utf-8")
    if '"--time" "1m"' not in test_file:
        fail(f"spotsim_add_explore_test does not pass TIME on:\n{test_file}")
    status, said = run(ctest, "--output-on-failure", cwd=project / "build")
    if status == 0 or "scenario.failing (Failed)" not in said or "1 tests failed" not in said:
        fail(f"expected scenario.failing alone to fail:\n{said[-3000:]}")
    print("an installed spotsim runs scenarios as tests of another project")
