"""Where the program spotsim is."""
import os
import shutil


class ProgramNotFound(Exception):
    """There is no program spotsim; the message says how to name one."""


def find_program(stated=""):
    """The path of the program: `stated`, else the environment's SPOTSIM, else the one on PATH."""
    name = stated or os.environ.get("SPOTSIM") or "spotsim"
    found = shutil.which(os.path.expanduser(name))
    if not found:
        raise ProgramNotFound(
            f'found no program "{name}", expected spotsim on PATH, in the environment variable '
            "SPOTSIM, or in pytest's setting spotsim_program")
    return found
