"""Compiles a Go program of tests/messages/go/ with Debian's packages of AWS's SDKs."""
import os
import pathlib
import shutil
import subprocess

from support import fail, skip

LIBRARIES = pathlib.Path("/usr/share/gocode")
SDKS = ("aws-sdk-go", "aws-sdk-go-v2/service/fis")


def compiled(name, folder):
    """The program's path. Objects of the SDKs stay in the folder's cache for the next time."""
    if not shutil.which("go"):
        skip("there is no go")
    for sdk in SDKS:
        if not (LIBRARIES / "src/github.com/aws" / sdk).is_dir():
            skip(f"there is no {sdk} in {LIBRARIES}")
    folder = pathlib.Path(folder)
    made = folder / name
    done = subprocess.run(
        ["go", "build", "-o", made, "."], cwd=pathlib.Path(__file__).with_name("go") / name,
        check=False, capture_output=True, text=True,
        env=os.environ | {"GO111MODULE": "off", "GOPATH": str(LIBRARIES), "GOFLAGS": "",
                          "GOCACHE": str(folder / "cache")})
    if done.returncode != 0:
        fail(f"{name}: {done.stderr}")
    return made
