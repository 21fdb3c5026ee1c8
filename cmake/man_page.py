#!/usr/bin/env python3
"""man_page.py [--emulator COMMAND] PROGRAM [SEE_ALSO…]: a program's manual page, of its --help.

The program's subcommands become sections. SEE_ALSO are other pages of section 1. A program for
another processor runs in the emulator.
"""
import argparse
import pathlib
import re
import subprocess

STATUS = "0 for success; 1 when an expectation does not hold, or a service refuses a request; " \
    "2 for bad input."


def help_of(command, words):
    """A --help page in parts: its description, usage, lists by heading, and exit codes."""
    text = subprocess.check_output([*command, *words, "--help"], text=True)
    text, _, codes = text.partition("\nExit codes: ")
    head, *rest = re.split(r"^(\w[\w ]*):\n", text, flags=re.M)
    description, _, usage = head.partition("Usage: ")
    lists = {heading: entries(body) for heading, body in zip(rest[::2], rest[1::2])}
    return description.strip(), usage.strip(), lists, codes.strip()


def entries(text):
    """Pairs of a name with its value, and a description, which may go on below."""
    found = []
    for line in text.splitlines():
        if match := re.match(r"  (\S.*?)(?:  +(\S.*))?$", line):
            found.append([match[1], match[2] or ""])
        elif line.strip() and found:
            found[-1][1] = f"{found[-1][1]} {line.strip()}".strip()
    return found


def roff(text):
    """The text without characters that troff takes for its own."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def tagged(rows):
    return "".join(f".TP\n.B {roff(name)}\n{roff(meaning)}\n" for name, meaning in rows)


def section(command, words):
    """A command's section, and those of its own commands."""
    description, usage, lists, _ = help_of(command, words)
    text = f".SS {roff(' '.join(words))}\n{roff(description)}\n.PP\n.B {roff(usage)}\n"
    for heading, rows in lists.items():
        if heading != "Subcommands":
            text += tagged(row for row in rows if not row[0].startswith("-h,"))
    for name, _ in lists.get("Subcommands", []):
        text += section(command, [*words, name])
    return text


def page(command, see_also):
    name = pathlib.Path(command[-1]).name
    version = subprocess.check_output([*command, "--version"], text=True).split()[-1]
    description, usage, lists, codes = help_of(command, [])
    commands = lists.get("Subcommands", [])
    others = ", ".join(f".BR {roff(other)} (1)" for other in see_also).replace(", ", " ,\n")
    return (f'.TH {name.upper()} 1 "" "{name} {version}" "User Commands"\n'
            ".ad l\n"  # lines of options are often too long to be spread
            f".SH NAME\n{name} \\- {roff(description.rstrip('.'))}\n"
            f".SH SYNOPSIS\n.B {roff(usage)}\n"
            f".SH OPTIONS\n{tagged(lists.get('Options', []))}"
            ".SH COMMANDS\n" + "".join(section(command, [word]) for word, _ in commands) +
            f".SH EXIT STATUS\n{roff(codes or STATUS)}\n"
            ".SH FILES\n.TP\n.B /usr/share/spotsim\nscenarios, schemas and documentation\n"
            f".SH SEE ALSO\n{others}\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--emulator", default="")
    parser.add_argument("program")
    parser.add_argument("see_also", nargs="*")
    given = parser.parse_args()
    print(page([*given.emulator.split(), given.program], given.see_also), end="")
