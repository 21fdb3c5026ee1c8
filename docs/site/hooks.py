"""Changes of mkdocs' behaviour for these pages (mkdocs.yml).

The pages are written for readers of the repository: they link to files outside docs/, and to
anchors as GitHub names them. The site gets a copy of each such file, below repository/. Its
navigation is docs/README.md: the headings are sections, the links are pages. So no second list has
to be kept. A link to an anchor that no page has is a warning, as a link to a missing page is.
"""
import logging
import os
import pathlib
import posixpath
import re

from mkdocs.structure.files import File

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
INDEX = DOCS / "README.md"
LINK = re.compile(r"(?<=\]\()([^)#:\s]+)(?=(?:#[^)\s]*)?\))")
FENCE = re.compile(r"^(```.*?^```)$", re.MULTILINE | re.DOTALL)
ANCHOR = re.compile(r'<a [^>]*href="([^":#]*)#([^"]+)"')
# What makes and tests the documentation.
MAKES = ("pictures/*.py", "site/*", "reference.py", "CMakeLists.txt")
log = logging.getLogger("mkdocs.hooks.spotsim")


def site_uri(path):
    """The site's place for a file of the repository. A folder has a page with its files."""
    if path.is_relative_to(DOCS):
        return path.relative_to(DOCS).as_posix()
    return f"repository/{path.relative_to(ROOT)}" + (".md" if path.is_dir() else "")


def target_of(page, link):
    """The target file of a link in a page. A folder stands for its README, as on GitHub."""
    path = pathlib.Path(os.path.normpath(page.parent / link))
    if (path / "README.md").is_file():
        return path / "README.md"
    return path if path.is_relative_to(ROOT) and path.exists() else None


def links(page):
    """The files that a page links to. Nothing in a fenced block is a link."""
    for piece in FENCE.split(page.read_text())[::2]:
        for link in LINK.findall(piece):
            if target := target_of(page, link):
                yield target


def files_in(folder):
    return sorted(path for path in folder.rglob("*")
                  if path.is_file() and "__pycache__" not in path.parts)


def outside(pages):
    """Files outside docs/ that the pages need: the place in the site, and the file or folder."""
    found, pages = {}, list(pages)
    while pages:
        for target in links(pages.pop()):
            for path in [target, *files_in(target)] if target.is_dir() else [target]:
                if path.is_relative_to(DOCS) or site_uri(path) in found:
                    continue
                found[site_uri(path)] = path
                if path.suffix == ".md":
                    pages.append(path)
    return found


# ---- mkdocs' events, in the order in which they happen


def on_config(config):
    def slug(heading, separator):
        return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", separator)

    config["mdx_configs"].setdefault("toc", {})["slugify"] = slug
    navigation = [site_uri(INDEX)]
    section, seen = navigation, set(navigation)
    for line in INDEX.read_text().splitlines():
        if line.startswith("## "):
            section = []
            navigation.append({line[3:]: section})
        for link in LINK.findall(line):
            target = target_of(INDEX, link)
            if target and target.suffix == ".md" and site_uri(target) not in seen:
                seen.add(site_uri(target))
                section.append(site_uri(target))
    config["nav"] = navigation
    return config


def on_files(files, config):
    for file in list(files):
        if any(pathlib.PurePath(file.src_uri).match(pattern) for pattern in MAKES):
            files.remove(file)
    for uri, path in sorted(outside(DOCS.rglob("*.md")).items()):
        file = File(uri, config["docs_dir"], config["site_dir"], config["use_directory_urls"])
        file.abs_src_path = str(path)
        files.append(file)
    return files


def on_page_read_source(page, config):
    path = pathlib.Path(page.file.abs_src_path)
    if path.is_dir():
        names = [file.relative_to(path) for file in files_in(path)]
        return "\n".join([f"# {path.relative_to(ROOT)}", "",
                          *(f"- [{name}]({path.name}/{name})" for name in names)])
    # mkdocs takes a page's title from its first line. Generated pages begin with a comment.
    return re.sub(r"\A<!--.*?-->\s*", "", path.read_text(), flags=re.DOTALL)


def on_page_markdown(markdown, page, config, files):
    source = pathlib.Path(page.file.abs_src_path)
    if source.is_dir():
        return markdown

    def in_site(found):
        target = target_of(source, found[0])
        if not target:
            return found[0]  # mkdocs warns of it
        return posixpath.relpath(site_uri(target), posixpath.dirname(page.file.src_uri))

    # Blocks that tests write to files have a name after the language, which mkdocs cannot read.
    pieces = FENCE.split(re.sub(r"^```(\w+) \S+$", r"```\1", markdown, flags=re.MULTILINE))
    pieces[::2] = [LINK.sub(in_site, piece) for piece in pieces[::2]]
    return "".join(pieces)


def on_post_build(config):
    site = pathlib.Path(config["site_dir"])
    texts = {path: path.read_text() for path in site.rglob("*.html")}
    for page, text in sorted(texts.items()):
        for link, anchor in ANCHOR.findall(text):
            target = pathlib.Path(os.path.normpath(page.parent / link)) if link else page
            if target in texts and f'id="{anchor}"' not in texts[target]:
                log.warning("%s: found no anchor #%s in %s", page.relative_to(site), anchor,
                            target.relative_to(site))
