#!/usr/bin/env python3
"""bundle.py [--esbuild PROGRAM --modules FOLDER] OUT: writes the pages as C++.

A report's page has two parts; the data goes between them. The live page is one part. Without
esbuild, all parts are empty.
"""
import argparse
import base64
import hashlib
import os
import pathlib
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
PIECE = 8000  # characters of one string literal
FORM = """// Made by report/bundle.py of page.html and src/.
#include "report/bundle.h"

namespace page {{

const std::string_view kBefore = {};
const std::string_view kAfter = {};
const std::string_view kLive = {};

}}  // namespace page
"""


def bundled(options, source, *more):
    """Returns esbuild's output for one file and everything that it imports."""
    command = [options.esbuild, str(FOLDER / "src" / source), "--bundle", "--minify",
               "--charset=ascii", "--target=es2019", "--log-level=warning", *more]
    done = subprocess.run(command, capture_output=True, text=True, check=False,
                          env={**os.environ, "NODE_PATH": options.modules})
    if done.returncode != 0:
        sys.exit(f"bundle.py: {' '.join(command)} failed:\n{done.stderr}")
    return done.stdout


def page(options):
    text = (FOLDER / "page.html").read_text()
    text = text.replace("/*STYLE*/", bundled(options, "page.css"))
    text = text.replace("/*SCRIPT*/", bundled(options, "main.ts"))
    return text.split("/*DATA*/")


def live_page(options):
    """The page permits only this script, by its digest: text of a name cannot run as code."""
    script = bundled(options, "live/main.ts")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    text = (FOLDER / "live.html").read_text()
    text = text.replace("/*STYLE*/", bundled(options, "live/page.css"))
    return text.replace("SCRIPT-DIGEST", f"sha256-{digest}").replace("/*SCRIPT*/", script)


def literal(text):
    pieces = [text[i:i + PIECE] for i in range(0, len(text), PIECE)]
    return "\n    ".join(f'R"~page~({piece})~page~"' for piece in pieces) or '""'


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--esbuild")
    parser.add_argument("--modules", help="the folder with d3's modules")
    parser.add_argument("out", type=pathlib.Path)
    options = parser.parse_args()
    before, after, live = (*page(options), live_page(options)) if options.esbuild else ("",) * 3
    options.out.write_text(FORM.format(literal(before), literal(after), literal(live)))


main()
