"""words.py ROOT [--pages]: the hand-written documentation is not too long.

README.md may have README words, all pages in docs/ together DOCS. Every token with a letter or a
digit counts, in prose, tables and examples. Generated text does not count, because tests keep it
current: the page docs/cli.md; text from `<!-- NAME: made … -->` to `<!-- end of NAME -->` or the
next heading; and tables below `<!-- table of NAME, from NAME.schema.json -->`.
"""
import pathlib
import re
import sys

README, DOCS = 1000, 35000
PAGE = re.compile(r"\A<!-- Made by .*\Z", re.S)
SECTION = re.compile(r"<!-- ([\w-]+): made (?:.*?<!-- end of \1 -->|.*?\n(?=## ))", re.S)
TABLE = re.compile(r"<!-- table of [\w.-]+, from \S+ -->\n(?:\|.*\n)*")
WORD = re.compile(r"\S*[^\W_]\S*")


def words(text):
    for made in (PAGE, SECTION, TABLE):
        text = made.sub("", text)
    return len(WORD.findall(text))


def main():
    root = pathlib.Path(sys.argv[1])
    pages = {page.relative_to(root): words(page.read_text()) for page in root.glob("docs/**/*.md")}
    if "--pages" in sys.argv:
        for page, count in sorted(pages.items(), key=lambda row: row[1]):
            print(f"{count:6} {page}")
    docs, readme = sum(pages.values()), words((root / "README.md").read_text())
    print(f"docs/: {docs} words in {len(pages)} pages, at most {DOCS} are expected")
    print(f"README.md: {readme} words, at most {README} are expected")
    sys.exit(docs > DOCS or readme > README)


main()
