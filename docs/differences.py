#!/usr/bin/python3
"""Writes docs/differences.md from tests/moto/differences.yaml.

    differences.py            writes the page
    differences.py --check    exits with 1 if the page is not current
"""
import pathlib
import sys

import yaml

DOCS = pathlib.Path(__file__).resolve().parent
HEAD = """<!-- Made by docs/differences.py from tests/moto/differences.yaml. -->
# Where AWS, moto and spotsim differ

This page lists calls whose outcome differs between AWS, [spotsim](serve.md) and the server of moto
{version}, another simulated AWS. A test makes each call against both. `ok` means that the call
succeeds. Outcomes of spotsim that are not AWS's are in bold.

Calls of services that spotsim does not have can go to moto:

    spotsim serve --fallback http://localhost:5001
"""


def text_of(found):
    return f"`{found}`" if " " not in found or found.startswith("HTTP") else found


def is_as_documented(case):
    if case["aws"].startswith("an error"):
        return case["spotsim"] != "ok"
    last = case["spotsim"].rsplit(".", 1)[-1]
    documented = case["aws"].replace("`", "")
    return case["spotsim"] in documented or last in documented


def page(table):
    lines = [HEAD.format(version=table["moto_version"])]
    for group in dict.fromkeys(case["group"] for case in table["cases"]):
        lines += [f"## {group}\n", "| call | AWS documents | spotsim | moto |", "|---|---|---|---|"]
        for case in (one for one in table["cases"] if one["group"] == group):
            own = text_of(case["spotsim"])
            own = own if is_as_documented(case) else f"**{own}**"
            lines.append(f"| {case['what']} | [{case['aws']}]({case['page']}) | {own} | "
                         f"{text_of(case['moto'])} |")
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def main():
    table = yaml.safe_load((DOCS.parent / "tests/moto/differences.yaml").read_text())
    made, file = page(table), DOCS / "differences.md"
    if sys.argv[1:] != ["--check"]:
        file.write_text(made)
    elif not file.exists() or file.read_text() != made:
        sys.exit("docs/differences.md is not current: run docs/differences.py")


main()
