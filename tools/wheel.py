#!/usr/bin/env python3
"""Packs build/wheel/halyard_sim-VERSION-py3-none-PLATFORM.whl: the Python package with the program, its page, worlds and extensions.

    tools/wheel.py BUILD

The same files give the same bytes. The platform's tag follows from what the files need of the C library.
"""
import base64
import glob
import hashlib
import os
import platform
import re
import subprocess
import sys
import sysconfig
import zipfile

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
NAME = "halyard_sim"
# The C library's family is on every system; everything else that a file needs goes with it.
SYSTEM = re.compile(r"lib(c|m|dl|pthread|rt)\.so|ld-linux|linux-vdso")
FILES = NAME + "/files/"


def run(*command):
    return subprocess.run(command, check=True, text=True, capture_output=True).stdout


def version():
    with open(os.path.join(ROOT, "include", "halyard", "base.h"), encoding="utf-8") as file:
        return re.search(r'#define HY_VERSION +"([0-9.]+)"', file.read()).group(1)


def stripped(path):
    out = os.path.join(BUILD, "wheel", "stripped", os.path.basename(path))
    os.makedirs(os.path.dirname(out), exist_ok=True)
    run("strip", "-o", out, path)
    return out


def needed(paths):
    """The libraries of others that these files load: name in the file system of those that the system may not have."""
    out = {}
    for path in paths:
        for line in run("ldd", path).splitlines():
            found = re.match(r"\s*(\S+) => (/\S+)", line)
            if found and not SYSTEM.match(found.group(1)):
                out[found.group(1)] = os.path.realpath(found.group(2))
    return out


def glibc(paths):
    """The newest version of the C library that any of these files asks for: (2, 34)."""
    found = {(2, 17)}
    for path in paths:
        found |= {tuple(map(int, one.split("."))) for one in re.findall(r"GLIBC_(2\.\d+)", run("readelf", "-V", path))}
    return max(found)


def tree(folder, to):
    for where, folders, names in os.walk(folder):
        folders[:] = sorted(one for one in folders if one != "__pycache__")
        for name in sorted(names):
            path = os.path.join(where, name)
            yield to + os.path.relpath(path, folder), path


def package_of(path):
    """The Debian package that brought a file, also where /lib is /usr/lib by now."""
    for name in (path, re.sub("^/usr", "", path)):
        found = subprocess.run(["dpkg", "-S", name], text=True, capture_output=True)
        if found.returncode == 0:
            return found.stdout.split(":")[0]
    sys.exit(f"wheel: no package brought {path}, so its licence is not known")


def licences(libraries):
    yield "LICENSE", os.path.join(ROOT, "LICENSE")
    for name, pattern in (("box2d", "box2d/*.dist-info/licenses/extra_licenses/LICENSE_BOX2D"), ("yyjson", "yyjson/LICENSE")):
        found = glob.glob(os.path.join(ROOT, "build", "deps", pattern))  # they are inside our files
        if not found:
            sys.exit(f"wheel: the licence of {name} is not in build/deps/{pattern}")
        yield f"{name}.txt", found[0]
    for name, path in sorted(libraries.items()):
        package = package_of(path)
        copyright = f"/usr/share/doc/{package}/copyright"
        if not os.path.exists(copyright):
            sys.exit(f"wheel: {name} is of the package {package}, whose licence is not in {copyright}")
        yield f"{package}.txt", copyright


def metadata():
    with open(os.path.join(ROOT, "python", "README.md"), encoding="utf-8") as file:
        text = file.read()
    lines = ["Metadata-Version: 2.1", f"Name: {NAME.replace('_', '-')}", f"Version: {version()}",
             "Summary: Virtual XRP robots: MicroPython programs for the XRP unchanged, worlds stepped from Python, the program halyard",
             "License: MIT", "Requires-Python: >=3.9", "Provides-Extra: arrays", "Requires-Dist: numpy; extra == 'arrays'",
             "Description-Content-Type: text/markdown", "", text]
    return "\n".join(lines).encode()


def main():
    library, program = os.path.join(BUILD, "lib", "libhalyard_python.so"), os.path.join(BUILD, "wheel", "bin", "halyard")
    extensions = [os.path.join(BUILD, "ext", f"libhalsim_{one}.so") for one in ("xrp", "teensy")]
    page = os.path.join(BUILD, "page")
    if not os.path.exists(os.path.join(page, "index.html")):
        sys.exit("wheel: the page has not been built; it needs Node.js 20.19 or newer, which 'make setup' fetches")
    libraries = needed([library, program])
    ours = [stripped(one) for one in [program, library, *extensions]]
    files = dict(tree(os.path.join(ROOT, "python", NAME), NAME + "/"))
    files[FILES + "bin/halyard"], files[FILES + "lib/libhalyard_python.so"] = ours[:2]
    for path in ours[2:]:
        files[FILES + "lib/halyard/" + os.path.basename(path)] = path
    for name, path in libraries.items():
        files[FILES + "lib/" + name] = path
    files.update(tree(page, FILES + "share/halyard/page/"))
    files.update(tree(os.path.join(ROOT, "worlds"), FILES + "share/halyard/worlds/"))
    major, minor = glibc(ours + list(libraries.values()))
    tag = f"py3-none-manylinux_{major}_{minor}_{platform.machine()}"
    info = f"{NAME}-{version()}.dist-info/"
    contents = {name: open(path, "rb").read() for name, path in files.items()}
    contents[info + "METADATA"] = metadata()
    contents[info + "WHEEL"] = f"Wheel-Version: 1.0\nGenerator: tools/wheel.py\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    contents[info + "entry_points.txt"] = b"[console_scripts]\nhalyard = halyard_sim.command:main\n"
    for name, path in licences(libraries):
        contents[info + "licenses/" + name] = open(path, "rb").read()
    out = os.path.join(BUILD, "wheel", f"{NAME}-{version()}-{tag}.whl")
    write(out, contents, info)
    print(f"{os.path.relpath(out)}: {os.path.getsize(out) / 1e6:.2f} MB")


def write(out, contents, info):
    for name in os.listdir(os.path.dirname(out)):
        if name.endswith(".whl"):
            os.remove(os.path.join(os.path.dirname(out), name))
    record = []
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(contents):
            digest = base64.urlsafe_b64encode(hashlib.sha256(contents[name]).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(contents[name])}")
            put(archive, name, contents[name])
        record.append(f"{info}RECORD,,")
        put(archive, info + "RECORD", ("\n".join(record) + "\n").encode())


def put(archive, name, content):
    entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = (0o100755 if name == FILES + "bin/halyard" else 0o100644) << 16
    archive.writestr(entry, content)


if __name__ == "__main__":
    BUILD = os.path.realpath(sys.argv[1])
    if not sysconfig.get_platform().startswith("linux"):
        sys.exit("wheel: only on Linux so far")
    main()
