"""links.py ROOT: all relative links of the Markdown files lead to files, all anchors to headings.

links.py --self          shows that it finds links that lead nowhere
"""
import pathlib
import re
import subprocess
import sys
import tempfile

FENCED = re.compile(r"^```.*?^```$", re.M | re.S)
CODE = re.compile(r"`[^`\n]*`")
HEADING = re.compile(r"^#+ +(.*?) *$", re.M)
LINK = re.compile(r"\]\(\s*([^)\s]+)[^)]*\)")
OUTSIDE = re.compile(r"^[a-z]+:")


def anchors(text):
    """The anchors that GitHub gives the headings: dashes for spaces, numbers for repetitions."""
    found = set(re.findall(r"<a (?:id|name)=\"([^\"]+)\"", text))
    for heading in HEADING.findall(FENCED.sub("", text)):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        slug = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        number, unique = 0, slug
        while unique in found:
            number += 1
            unique = f"{slug}-{number}"
        found.add(unique)
    return found


def without_code(text):
    """The same lines with code left out."""
    blank = FENCED.sub(lambda match: "\n" * match[0].count("\n"), text)
    return CODE.sub("", blank)


def broken(root, pages):
    """A line for each link that leads nowhere."""
    for page in pages:
        for number, line in enumerate(without_code(page.read_text()).split("\n"), 1):
            for link in LINK.findall(line):
                if OUTSIDE.match(link):
                    continue
                name, _, anchor = link.partition("#")
                target = page.parent / name if name else page
                where = f"{page.relative_to(root)}:{number}"
                if not target.exists():
                    yield f"{where}: there is no file {name}"
                elif anchor and target.suffix == ".md" and \
                        anchor not in anchors(target.read_text()):
                    yield f"{where}: {target.name} has no heading #{anchor}"


def self_check():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        page = root / "a.md"
        page.write_text("# A `b`: c\n# Twice\n# Twice\n"
                        "[1](a.md#a-b-c) [2](#twice-1) [3](https://x.y/#z) `[4](no.md)`\n")
        if found := list(broken(root, [page])):
            sys.exit(f"good links are broken: {found}")
        page.write_text("[1](no.md)\n[2](#no)\n")
        if len(list(broken(root, [page]))) != 2:
            sys.exit("broken links are not found")
    print("links that lead nowhere are found")


def main():
    if sys.argv[1:] == ["--self"]:
        return self_check()
    root = pathlib.Path(sys.argv[1]).resolve()
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "*.md"], cwd=root,
                            capture_output=True, text=True, check=False).stdout.split("\n")
    # Without git, as in an archive: the folders that have pages.
    pages = [root / name for name in listed if name] or \
        [*root.glob("*.md"), *root.glob("docs/**/*.md"), *root.glob("scenarios/**/*.md")]
    found = list(broken(root, [page for page in pages if page.exists()]))
    print("\n".join(found) or f"the links of {len(pages)} pages lead somewhere")
    sys.exit(1 if found else 0)


main()
