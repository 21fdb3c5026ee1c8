"""every_scenario.py SCENARIOS NAME…: the names are those of all scenarios that call aws-cli.

Such a scenario must run with warm and cold aws-cli (both_ways.py). Its scripts are the operator's
script, the files beside it that this script names, and the files that these name.
"""
import pathlib
import re
import sys

CALL = re.compile(r"""(?:^|[\s;&|(`"'$=])aws (?:--\S+ )*[a-z][a-z0-9-]+ |["']aws["'], """,
                  re.MULTILINE)
DESCRIPTION = re.compile(r"^description:.*\n(?:  .*\n)*", re.MULTILINE)
COMMENT = re.compile(r"^\s*#.*$", re.MULTILINE)
BASED_ON = re.compile(r"^based_on: *(\S+)", re.MULTILINE)
FILES = re.compile(r"^  files: *(\S+)", re.MULTILINE)


def code_of(path):
    return COMMENT.sub("", DESCRIPTION.sub("", path.read_text(errors="replace")))


def scripts_of(scenario):
    """The texts of a scenario and of all files that its scripts name."""
    texts = [code_of(scenario)]
    based_on = BASED_ON.search(texts[0])
    if based_on and not re.search("^operator:", texts[0], re.MULTILINE):
        return texts + scripts_of(scenario.parent / based_on[1])
    folder = FILES.search(texts[0])
    # The folder is beside the scenario or beside its base.
    bases = [scenario.parent, *([(scenario.parent / based_on[1]).parent] if based_on else [])]
    files = {path.name: path for base in bases if folder
             for path in (base / folder[1]).rglob("*") if path.is_file()}
    for text in texts:  # grows
        for name in [name for name in files if re.search(rf"\b{re.escape(name)}\b", text)]:
            texts.append(code_of(files.pop(name)))
    return texts


def main():
    root, *listed = sys.argv[1:]
    root = pathlib.Path(root)
    scenarios = [path for pattern in ("*.yaml", "foreign/*.yaml", "regressions/*.yaml",
                                      "tutorial-bugs/*.yaml") for path in root.glob(pattern)]
    callers = {str(path.relative_to(root).with_suffix("")) for path in scenarios
               if any(CALL.search(text) for text in scripts_of(path))}
    wrong = [f"{name}: calls aws-cli, but no test runs it with warm and cold aws-cli"
             for name in sorted(callers - set(listed))]
    wrong += [f"{name}: does not call aws-cli" for name in sorted(set(listed) - callers)]
    print("\n".join(wrong or [f"{len(callers)} scenarios call aws-cli"]))
    sys.exit(1 if wrong or not callers else 0)


main()
