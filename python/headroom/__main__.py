"""The command `headroom` of the wheel: hands over to the program that lies beside this file, bin/headroom.

    python3 -m headroom run -- ./app
"""
import os
import pathlib
import sys


def main():
    program = pathlib.Path(__file__).resolve().parent / "bin" / "headroom"
    try:
        os.execv(program, ["headroom", *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"headroom: {program}: {error.strerror}\n  hint: install the wheel again; it is for x86-64 Linux")


if __name__ == "__main__":
    main()
