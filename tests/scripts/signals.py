#!/usr/bin/env python3
"""headroom as a process that is sent signals: to its number alone, to its group, and SIGKILL.

    tests/scripts/signals.py HEADROOM

The program is a script that says how it ends; it needs no CUDA.
"""
import os
import pathlib
import pty
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HEADROOM = sys.argv.pop(1)
PROGRAM = """#!/bin/bash
echo $$ > "$PLACE/process"
for signal in INT QUIT TERM HUP; do
  trap "echo $signal >> $PLACE/got; $HANDLED" $signal
done
echo > "$PLACE/ready"
for ((i = 0; i < 600; ++i)); do sleep 0.05; done
"""


def alive(process):
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().split(")")[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def soon(condition, seconds=10):
    until = time.monotonic() + seconds
    while not condition() and time.monotonic() < until:
        time.sleep(0.02)
    return condition()


class Signals(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.place = pathlib.Path(folder.name)
        self.temporary = self.place / "tmp"
        self.temporary.mkdir()
        self.program = self.place / "program"
        self.program.write_text(PROGRAM)
        self.program.chmod(0o755)

    def start(self, handled="exit 5"):
        environment = dict(os.environ, PLACE=str(self.place), HANDLED=handled, TMPDIR=str(self.temporary))
        self.headroom = subprocess.Popen([HEADROOM, "run", "--", str(self.program)], env=environment, stdout=subprocess.PIPE,
                                         stderr=subprocess.STDOUT, text=True, start_new_session=True)
        self.addCleanup(self.end)
        self.assertTrue(soon((self.place / "ready").exists))
        self.process = int((self.place / "process").read_text())

    def end(self):
        for process in (self.headroom.pid, getattr(self, "process", 0)):
            if process and alive(process):
                os.kill(process, signal.SIGKILL)
        self.headroom.wait()
        self.headroom.stdout.close()

    def got(self):
        path = self.place / "got"
        return path.read_text().split() if path.exists() else []

    def test_a_signal_to_headroom_alone_goes_on_to_the_program(self):
        for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number.name):
                for name in ("ready", "got"):
                    (self.place / name).unlink(missing_ok=True)
                self.start()
                self.headroom.send_signal(number)
                self.headroom.wait(timeout=20)
                self.assertEqual(self.got(), [number.name.removeprefix("SIG")])
                self.assertEqual(self.headroom.returncode, 5)
                self.assertEqual(list(self.temporary.iterdir()), [])
                self.headroom.stdout.close()

    def test_a_program_that_handles_the_signal_goes_on_and_headroom_with_it(self):
        self.start(handled=":")
        self.headroom.send_signal(signal.SIGINT)
        self.assertTrue(soon(lambda: self.got() == ["INT"]))
        self.assertIsNone(self.headroom.poll())

    def test_the_second_of_two_that_comes_when_the_program_has_ended_loses_no_report(self):
        late = "(while kill -0 $$ 2>/dev/null; do :; done; kill -TERM $PPID) & exit 5"
        for attempt in range(5):
            (self.place / "ready").unlink(missing_ok=True)
            self.start(handled=late)
            self.headroom.terminate()
            self.headroom.wait(timeout=20)
            self.assertEqual(self.headroom.returncode, 5)
            self.headroom.stdout.close()

    def test_the_terminals_signal_reaches_the_program_once(self):
        process, terminal = pty.fork()
        if process == 0:
            os.environ.update(PLACE=str(self.place), HANDLED="exit 5", TMPDIR=str(self.temporary))
            os.execv(HEADROOM, [HEADROOM, "run", "--", str(self.program)])
        self.assertTrue(soon((self.place / "ready").exists))
        os.write(terminal, b"\x03")
        with open(terminal, "rb", buffering=0) as output:
            try:
                while output.read(4096):
                    pass
            except OSError:  # how Linux says that nobody is left
                pass
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), 5)
        self.assertEqual(self.got(), ["INT"])

    def test_killed_it_takes_the_program_and_its_files_with_it(self):
        self.start()
        self.assertNotEqual(list(self.temporary.iterdir()), [])
        self.headroom.kill()
        self.headroom.wait(timeout=20)
        self.assertTrue(soon(lambda: not alive(self.process)), "the program runs on")
        self.assertTrue(soon(lambda: not list(self.temporary.iterdir())), "files remain")

    def test_killed_with_its_group_its_files_go(self):
        self.start()
        os.killpg(self.headroom.pid, signal.SIGKILL)
        self.headroom.wait(timeout=20)
        self.assertTrue(soon(lambda: not list(self.temporary.iterdir())), "files remain")

    def test_whoever_reads_its_output_waits_for_nobody_else(self):
        self.start()
        self.headroom.kill()
        began = time.monotonic()
        self.headroom.communicate(timeout=20)  # ends when the last writer has closed
        self.assertLess(time.monotonic() - began, 10)


if __name__ == "__main__":
    unittest.main()
