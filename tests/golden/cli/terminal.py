"""Runs a command on a terminal of its own and shows what stands on the screen when it has ended.

    python3 terminal.py [--columns N] [--interrupt WORD] COMMAND...

--columns: how wide it is. --interrupt: Ctrl-C is pressed when WORD stands on the screen. Of what programs send to a terminal it knows line
ends, carriage returns, "erase to the end of the line" and colours.
"""
import argparse
import codecs
import fcntl
import os
import pty
import re
import signal
import struct
import sys
import termios

PIECE = re.compile(r"\x1b\[[0-9;]*[A-Za-z]|[^\x1b]", re.DOTALL)


def screen(text):
    lines, column = [""], 0
    for piece in PIECE.findall(text):
        line = lines[-1]
        if piece == "\n":
            lines.append("")
        elif piece == "\r":
            column = 0
        elif piece == "\x1b[K":
            lines[-1] = line[:column]
        elif not piece.startswith("\x1b"):
            lines[-1] = line[:column].ljust(column) + piece + line[column + 1:]
            column += 1
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--columns", type=int, default=0)
    parser.add_argument("--interrupt")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    process, terminal = pty.fork()
    if process == 0:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # as in a terminal, though this was started in the background
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, options.columns, 0, 0))
        os.execvp(options.command[0], options.command)
    text, decoder = "", codecs.getincrementaldecoder("utf-8")("replace")  # a character may lie in two pieces
    while True:
        try:
            piece = os.read(terminal, 4096)
        except OSError:  # the last one has closed it
            break
        if not piece:
            break
        text += decoder.decode(piece)
        if options.interrupt and options.interrupt in screen(text):
            os.write(terminal, b"\x03")
            options.interrupt = None
    print(screen(text), end="")
    code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    sys.exit(code if code >= 0 else 128 - code)


main()
