"""python_package.py SPOTSIM ROOT: the Debian package python3-spotsim has the pytest plugin, and
pytest finds the plugin in it."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from support import fail, skip

spotsim, root = (pathlib.Path(one).resolve() for one in sys.argv[1:])
MODULES = "usr/lib/python3/dist-packages"


def output(*words, **options):
    """What a command prints, which must succeed."""
    ran = subprocess.run(list(map(str, words)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         text=True, check=False, **options)
    if ran.returncode:
        fail(f"{' '.join(map(str, words))}\n{ran.stdout}")
    return ran.stdout


def check_contents(package):
    listed = {line.split()[-1].removeprefix("./"): line.split()
              for line in output("dpkg-deb", "--contents", package).splitlines()}
    for source in (root / "python/spotsim").glob("*.py"):
        name = f"{MODULES}/spotsim/{source.name}"
        if name not in listed or listed[name][:2] != ["-rw-r--r--", "root/root"]:
            fail(f"the package has no {name} of root: {listed.get(name)}")
    if not any(name.endswith(".dist-info/entry_points.txt") for name in listed):
        fail(f"the package has no entry point: {sorted(listed)}")
    depends = output("dpkg-deb", "--field", package, "Depends")
    for name in ("python3-pytest", "spotsim"):
        if name not in depends:
            fail(f"the package does not depend on {name}: {depends}")


def use_plugin(package, folder):
    output("dpkg-deb", "--extract", package, folder / "unpacked")
    (folder / "test_it.py").write_text(
        "import spotsim\n\n\ndef test_it(aws):\n    assert aws.instances == []\n"
        f"    assert spotsim.__file__.startswith({str(folder)!r})\n", encoding="utf-8")
    print(output(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider",
                 folder / "test_it.py", cwd=folder,
                 env=dict(os.environ, SPOTSIM=str(spotsim), PYTHONDONTWRITEBYTECODE="1",
                          PYTHONPATH=str(folder / "unpacked" / MODULES))))


if not shutil.which("dpkg-deb"):
    skip("dpkg-deb is not installed")
if sys.version_info < (3, 11):
    skip("this Python has no tomllib")
if subprocess.run([sys.executable, "-c", "import pytest"], stderr=subprocess.DEVNULL,
                  check=False).returncode:
    skip("this Python has no pytest (Debian: python3-pytest)")
with tempfile.TemporaryDirectory(prefix="python-package-") as name:
    print(output(sys.executable, root / "python/make_deb.py", name))
    [made] = pathlib.Path(name).glob("python3-spotsim_*_all.deb")
    check_contents(made)
    use_plugin(made, pathlib.Path(name))
