#!/usr/bin/env python3
"""make_deb.py FOLDER: makes the Debian package python3-spotsim of this folder's pytest plugin.

The package has the module and its metadata in /usr/lib/python3/dist-packages, where pytest finds
the plugin by its entry point. It depends on the package spotsim, which has the program.
"""
import gzip
import pathlib
import shutil
import subprocess
import sys
import tempfile
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
MODULES = "usr/lib/python3/dist-packages"


def project():
    with (HERE / "pyproject.toml").open("rb") as file:
        return tomllib.load(file)["project"]


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def copy_module(root, name):
    folder = root / MODULES / name
    folder.mkdir(parents=True)
    for source in sorted((HERE / name).glob("*.py")):
        shutil.copyfile(source, folder / source.name)


def write_metadata(root, about):
    """As pip installs it (Python Packaging User Guide, "Recording installed projects")."""
    folder = root / MODULES / f"{about['name']}-{about['version']}.dist-info"
    write(folder / "METADATA", f"Metadata-Version: 2.1\nName: {about['name']}\n"
          f"Version: {about['version']}\nSummary: {about['description']}\n"
          + "".join(f"Requires-Dist: {needed}\n" for needed in about["dependencies"]))
    entries = about["entry-points"]["pytest11"]
    write(folder / "entry_points.txt",
          "[pytest11]\n" + "".join(f"{name} = {module}\n" for name, module in entries.items()))
    write(folder / "INSTALLER", "debian\n")


def write_control(root, about):
    documents = root / "usr/share/doc/python3-spotsim"
    documents.mkdir(parents=True)
    debian = HERE.parent / "cmake/debian"
    shutil.copyfile(debian / "copyright", documents / "copyright")
    changelog = (debian / "changelog.in").read_text(encoding="utf-8")
    for name, value in (("CPACK_PACKAGE_NAME", "python3-spotsim"),
                        ("PROJECT_VERSION", about["version"])):
        changelog = changelog.replace(f"@{name}@", value)
    with gzip.GzipFile(documents / "changelog.gz", "wb", mtime=0) as file:
        file.write(changelog.encode())
    shutil.copyfile(HERE / "README.md", documents / "README.md")
    write(root / "DEBIAN/control", f"""Package: python3-spotsim
Version: {about['version']}
Architecture: all
Section: python
Priority: optional
Maintainer: The authors of spotsim <spotsim@example.com>
Depends: python3 (>= 3.9), python3-pytest, spotsim
Recommends: python3-boto3
Description: {about['description']}
 Runs spotsim's scenarios as tests, and gives tests a simulated AWS.
""")


def main():
    about = project()
    package = pathlib.Path(sys.argv[1]) / f"python3-spotsim_{about['version']}_all.deb"
    with tempfile.TemporaryDirectory(prefix="python3-spotsim-") as folder:
        root = pathlib.Path(folder) / "root"
        root.mkdir(mode=0o755)
        copy_module(root, about["name"])
        write_metadata(root, about)
        write_control(root, about)
        for path in root.rglob("*"):
            path.chmod(0o755 if path.is_dir() else 0o644)
        subprocess.run(["dpkg-deb", "--root-owner-group", "-Zxz", "--build", root, package],
                       check=True, stdout=subprocess.DEVNULL)
    print(f"{package}: {package.stat().st_size} bytes")


if __name__ == "__main__":
    main()
