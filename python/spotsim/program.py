"""Finds the program spotsim."""
import os
import shutil


class ProgramNotFound(Exception):
    """The program spotsim was not found. The message has a remedy."""


def find_program(stated=""):
    """The path of the program: `stated`, else the environment's SPOTSIM, else the one on PATH."""
    name = stated or os.environ.get("SPOTSIM") or "spotsim"
    found = shutil.which(os.path.expanduser(name))
    if not found:
        raise ProgramNotFound(
            f'found no program "{name}", expected spotsim on PATH, in the environment variable '
            "SPOTSIM, or in pytest's setting spotsim_program")
    return found
