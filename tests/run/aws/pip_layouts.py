"""aws-cli as pip installs it in a virtual environment, of the structure of version 2 and of version
1, starts from a memory image or says why not, and answers either way.

pip_layouts.py SPOTSIM SCENARIO

Debian's aws-cli, copied, stands for both: in version 1 botocore and s3transfer
are packages beside awscli. If this Python has pip's aws-cli of version 1, it is tried, too.
"""
import importlib.util
import pathlib
import re
import shutil
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from support import Run, fail, need_lockstep, skip

INSTALLED = pathlib.Path("/usr/lib/python3/dist-packages/awscli")
# As setuptools installs a project's `scripts`: with the environment's Python in the first line.
PROGRAM = """#!/opt/aws/bin/python3
import os
import sys

if os.environ.get("LC_CTYPE", "") == "UTF-8":
    os.environ["LC_CTYPE"] = "en_US.UTF-8"
import awscli.clidriver


def main():
    return awscli.clidriver.main()


if __name__ == "__main__":
    sys.exit(main())
"""
CALLS = """#!/bin/bash
export AWS_ACCESS_KEY_ID=a AWS_SECRET_ACCESS_KEY=b
export AWS_DEFAULT_REGION=us-west-2  # version 1 does not ask the metadata
aws --version
for n in 1 2; do aws ec2 describe-instances --query 'Reservations[].Instances[].State.Name'; done
aws s3 mb s3://bucket && echo hello | aws s3 cp - s3://bucket/key && aws s3 cp s3://bucket/key -
poweroff
"""


# What pip installs with aws-cli of version 1.
REAL_PACKAGES = ("awscli", "botocore", "s3transfer", "docutils", "colorama", "rsa", "pyasn1",
                 "jmespath", "dateutil", "six", "urllib3", "yaml")


def real_version():
    """The version of pip's aws-cli that this Python has; empty if it has none of version 1."""
    found = importlib.util.find_spec("awscli")
    text = pathlib.Path(found.origin).read_text(encoding="utf-8") if found else ""
    version = re.search(r"^__version__ = '(1\.[\d.]+)'", text, re.M)
    return version[1] if version else ""


def copy_real(packages):
    for name in REAL_PACKAGES:
        found = importlib.util.find_spec(name)
        if found and found.submodule_search_locations:
            shutil.copytree(found.submodule_search_locations[0], packages / name,
                            ignore=shutil.ignore_patterns("__pycache__", "examples"))
        elif found:
            shutil.copy(found.origin, packages)


def copy_stand_in(packages, version):
    """Debian's aws-cli in the place of another version."""
    shutil.copytree(INSTALLED, packages / "awscli",
                    ignore=shutil.ignore_patterns("__pycache__", "examples"))
    (packages / "awscli/__init__.py").write_text(
        re.sub("^__version__ = .*", f"__version__ = '{version}'",
               (INSTALLED / "__init__.py").read_text(encoding="utf-8"), flags=re.M),
        encoding="utf-8")
    if version.startswith("1."):
        for name in ("botocore", "s3transfer"):
            shutil.move(packages / "awscli" / name, packages / name)
        for file in packages.rglob("*.py"):
            text = file.read_text(encoding="utf-8")
            # Version 2 finds its own copies of these packages under their old names, too.
            text = re.sub(r"awscli\.(botocore|s3transfer)", r"\1", text)
            text = re.sub(r"_PACKAGES = \[[^]]*\]", "_PACKAGES = []", text)
            file.write_text(text, encoding="utf-8")


def install(image, version):
    """The files of an image that has aws-cli in the virtual environment /opt/aws."""
    home = image / "opt/aws"
    packages = home / "lib" / ("python%d.%d" % sys.version_info[:2]) / "site-packages"
    packages.mkdir(parents=True)
    if version == real_version():
        copy_real(packages)
    else:
        copy_stand_in(packages, version)
    (home / "bin").mkdir()
    (home / "bin/python3").symlink_to("/usr/bin/python3")
    (home / "pyvenv.cfg").write_text(
        "home = /usr/bin\ninclude-system-site-packages = true\n", encoding="utf-8")
    program = home / "bin/aws"
    program.write_text(PROGRAM, encoding="utf-8")
    program.chmod(0o755)
    (image / "usr/local/bin").mkdir(parents=True)
    (image / "usr/local/bin/aws").symlink_to("/opt/aws/bin/aws")


def scenario_with(image, source):
    text = source.read_text().replace("traces/", f"{source.resolve().parent}/traces/")
    text = re.sub(r"^expect:.*\n(?: +.*\n)*", "", text, flags=re.M)
    script = "cat >calls.sh <<'END'\n" + CALLS + "END\n" + (
        "aws ec2 run-instances --image-id ami-0a63f3f0c7e4b2d15 --instance-type p3.2xlarge "
        "--user-data file://calls.sh\n")
    operator = "operator:\n  script: |\n    cd \"$(mktemp -d)\"\n" + "".join(
        f"    {line}\n" for line in script.splitlines())
    text = re.sub(r"^operator:\n(?: +.*\n)*", lambda _: operator, text, flags=re.M)
    return text + f"guest: {{images: {{default: {{root: {image}}}}}}}\nexpect: {{}}\n"


def main():
    spotsim, scenario = sys.argv[1:]
    need_lockstep()
    if not INSTALLED.is_dir():
        skip("Debian's aws-cli is not installed")
    with tempfile.TemporaryDirectory(prefix="pip-layouts-") as folder:
        for version in filter(None, ("2.99", "1.99", real_version())):
            image, out = pathlib.Path(folder, f"image-{version}"), pathlib.Path(folder, "out")
            install(image, version)
            file = pathlib.Path(folder, f"version-{version}.yaml")
            file.write_text(scenario_with(image, pathlib.Path(scenario)), encoding="utf-8")
            run = Run(spotsim, str(file), "--guest", "process", out=out)
            [console] = out.glob("console/i-*.log")
            said = console.read_text(encoding="utf-8")
            if (said.count('"running"') != 2 or "hello" not in said
                    or f"aws-cli/{version} " not in said):
                fail(f"version {version}:\n{said}\n{run.process.stderr[-2000:]}")
            notices = [line for line in run.process.stderr.splitlines()
                       if "starts as usual" in line]
            if len(notices) > 1:
                fail(f"version {version}: it says more than once that it is cold: {notices}")
            print(f"version {version}: {notices or 'from a memory image'}")
            shutil.rmtree(out)


main()
