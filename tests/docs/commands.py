"""commands.py PROGRAMS ROOT: the commands on the pages exist, with their options and files.

Indented lines that begin with spotsim, spotrun or spottrain are commands. Each option must be in
the command's --help, and each file below scenarios/ or examples/ must be there. Commands after a
`$` are run by tests/run/walk.py.
"""
import functools
import pathlib
import re
import subprocess
import sys

COMMAND = re.compile(r"^    (?:\$ )?((?:spotsim|spotrun|spottrain) [^\n]*(?:\\\n[^\n]*)*)", re.M)
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
FILE = re.compile(r"(?<![\w/.])(?:scenarios|examples)/[\w./-]+\.(?:yaml|json)")
GROUPS = {"ctl", "import", "trace"}  # commands with commands below


@functools.cache
def help_of(*command):
    done = subprocess.run([*command, "--help"], capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else ""


def wrong(programs, root, text):
    """What of a command's line is not there."""
    line = re.split(r"  +#|  \S*…|\s&&|;|\s\|", text.replace("\\\n", " "))[0]
    words = line.split()
    command = [words[1], words[2]] if words[1] in GROUPS and len(words) > 2 else [words[1]]
    if not re.fullmatch(r"[a-z-]+", "".join(command)):
        return
    usage = help_of(str(programs / words[0]), *command)
    if not usage:
        yield f"{words[0]} {' '.join(command)} is no command"
    offered = set(OPTION.findall(usage)) | {"--help"}
    yield from (f"{' '.join(command)} has no {option}" for option in OPTION.findall(line)
                if usage and option not in offered)
    yield from (f"there is no {file}" for file in FILE.findall(line) if not (root / file).exists())


def main():
    programs, root = map(pathlib.Path, sys.argv[1:])
    commands, found = 0, []
    for page in [root / "README.md", *sorted(root.glob("docs/**/*.md"))]:
        text = page.read_text()
        for match in COMMAND.finditer(text):
            commands += 1
            place = f"{page.relative_to(root)}:{text.count(chr(10), 0, match.start()) + 1}"
            found += [f"{place}: {what}" for what in wrong(programs, root, match[1])]
    print("\n".join(found) or f"{commands} commands have their options and files")
    sys.exit(1 if found or commands < 50 else 0)


main()
