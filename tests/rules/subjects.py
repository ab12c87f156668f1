"""Subjects of commits say `room: what`, in at most 72 characters.

    python3 subjects.py ROOT      5f3071d: 'Mend things' is not 'room: what'

A room is a folder or another short word in small letters; two may stand with a comma between. Only commits after SINCE
count, and none in a folder that is no clone, or one without that part of its history.
"""
import re
import subprocess

import tree

SINCE = "97805886b9cd459604ed025d9696f4ca444beb24"   # the rule counts from here
SUBJECT = re.compile(r"[a-z][a-z0-9_./-]*(, [a-z][a-z0-9_./-]*)*: \S")
MOST = 72


def git(root, *words):
    return subprocess.run(["git", "-C", root, *words], capture_output=True, text=True)


def subjects(root, since=SINCE):
    if git(root, "cat-file", "-e", f"{since}^{{commit}}").returncode:
        return
    for line in git(root, "log", "--no-merges", "--format=%h %s", f"{since}..HEAD").stdout.splitlines():
        commit, subject = line.split(" ", 1)
        if not SUBJECT.match(subject):
            yield f"{commit}: '{subject}' is not 'room: what'"
        elif len(subject) > MOST:
            yield f"{commit}: '{subject}' has {len(subject)} characters, {MOST} are the most"


if __name__ == "__main__":
    tree.main(subjects)
