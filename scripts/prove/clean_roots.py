#!/usr/bin/env python3
"""Installs headroom where nothing but Python is: the wheel and the archive, in fresh roots, up to the first report, timed.

    scripts/prove/clean_roots.py BUILD FOLDER [--json results/clean_roots.json]

As root, with debootstrap, after `make package wheel`. The roots are made in FOLDER (once): python3, pip and venv or not even
these, no compiler, no toolkit, no GPU. In each, a program that was built elsewhere runs

    wheel     pip install in a new virtual environment, with ptxas from PyPI; headroom run; headroom doctor, which finds nothing to mend
    archive   unpacked, and nothing else: headroom run by the program's own machine code or PTX; headroom doctor names what is missing

Exit code 1 where a step does not do that.
"""
import argparse
import datetime
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

DEBIAN, UBUNTU = "http://deb.debian.org/debian", "http://archive.ubuntu.com/ubuntu"
PYTHON = "ca-certificates,python3,python3-pip,python3-venv"
ROOTS = {"Debian 12": ("bookworm", DEBIAN, PYTHON), "Debian 13": ("trixie", DEBIAN, PYTHON),
         "Ubuntu 22.04": ("jammy", UBUNTU, "")}   # the oldest glibc, 2.35; without Python: the archive alone
PROGRAM = "golden_saxpy"   # of tests/golden/cli: PTX and machine code of sm_80
CERTIFICATES = pathlib.Path("/etc/ssl/certs/ca-certificates.crt")


def made(folder, suite, mirror, packages):
    """The root; what the host knows of names and certificates is copied, as the network may ask for it."""
    root = folder / suite
    if not (root / "var/lib/dpkg/status").exists() or (root / "debootstrap").exists():
        check = ["--no-check-gpg"] if mirror == UBUNTU else []   # whose keys Debian does not have
        wanted = [f"--include={packages}"] if packages else []
        subprocess.run(["debootstrap", "--variant=minbase", *check, *wanted, suite, root, mirror], check=True, stdout=subprocess.DEVNULL)
    shutil.copy("/etc/resolv.conf", root / "etc")
    if packages:
        shutil.copy(CERTIFICATES, root / "etc/ssl/certs")
    return root


def inside(root, command):
    """(seconds, exit code, what it printed) of a line for sh in the root, in /try."""
    words = ["unshare", "--mount", "sh", "-c", 'mount -t proc proc "$0/proc" && exec chroot "$0" env -i PATH=/usr/bin:/bin HOME=/root '
             'LC_ALL=C.UTF-8 sh -c "cd /try && $1"', str(root), command]
    begin = time.monotonic()
    end = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, stdin=subprocess.DEVNULL)
    return time.monotonic() - begin, end.returncode, end.stdout


def steps(archive):
    """(way, step, command, exit code, what it must have printed)"""
    wheel, unpacked = "env/bin/headroom", f"{archive}/bin/headroom"
    yield "wheel", "pip install", "python3 -m venv env && env/bin/pip install -q --disable-pip-version-check ./headroom-*.whl", 0, ""
    yield "wheel", "first report", f"{wheel} run --kernel saxpy -- ./{PROGRAM}", 0, r"machine code of sm_90(.|\n)*from ptxas 13\."
    yield "wheel", "report again", f"{wheel} run --kernel saxpy -- ./{PROGRAM}", 0, r"from ptxas 13\."
    yield "wheel", "doctor", f"{wheel} doctor", 0, r"ptxas +13\.\S+ \S+\s+\(Python\s+packages\)"
    yield "archive", "first report", f"HEADROOM_CACHE=/try/cache {unpacked} run -- ./{PROGRAM}", 0, "its PTX ran, not its machine code; ptxas was not"
    yield "archive", "the machine of its code", f"{unpacked} run --machine a100 -- ./{PROGRAM}", 0, r"saxpy +2 +256 × 256 +10 "
    yield "archive", "doctor", f"{unpacked} doctor", 1, r"2 parts to mend(.|\n)*pip install *\n? *nvidia-cuda-nvcc"


def prove(name, suite, mirror, packages, build, folder):
    root = made(folder, suite, mirror, packages)
    tried = root / "try"
    shutil.rmtree(tried, ignore_errors=True)
    shutil.rmtree(root / "root/.cache", ignore_errors=True)
    tried.mkdir()
    wheel, = (build / "package").glob("headroom-*.whl")
    archive, = (build / "package").glob("headroom-*.tar.zst")
    for file in (wheel, build / "tests/programs" / PROGRAM):
        shutil.copy(file, tried)
    subprocess.run(["tar", "--zstd", "-xf", archive, "-C", tried], check=True)
    glibc = inside(root, "ldd --version")[2].splitlines()[0].split()[-1]
    python = inside(root, "python3 --version")[2].split()[-1] if packages else None
    for way, step, command, wanted, text in steps(archive.name.removesuffix(".tar.zst")):
        if way == "wheel" and not packages:
            continue
        seconds, code, said = inside(root, command)
        passed = code == wanted and re.search(text, said) is not None
        print(f"{name}: {way}: {step}: {seconds:.1f} s{'' if passed else f', FAILED with {code}:'}", flush=True)
        if not passed:
            print(said)
        yield {"root": name, "glibc": glibc, "python": python, "way": way, "step": step, "seconds": round(seconds, 1), "passed": passed}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    if os.geteuid() != 0 or not shutil.which("debootstrap"):
        sys.exit("clean_roots: it needs root and debootstrap\n  hint: apt install debootstrap, and sudo")
    options.folder.mkdir(parents=True, exist_ok=True)
    rows = [row for name, (suite, mirror, packages) in ROOTS.items()
            for row in prove(name, suite, mirror, packages, options.build.resolve(), options.folder.resolve())]
    if options.json:
        sizes = {path.name: path.stat().st_size for path in (options.build / "package").glob("headroom-*") if path.is_file()}
        results = {"schema": "headroom-results/1", "study": "clean_roots", "date": datetime.date.today().isoformat(),
                   "command": "scripts/prove/clean_roots.py", "bytes": sizes, "rows": rows}
        options.json.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n")
    return 0 if all(row["passed"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
