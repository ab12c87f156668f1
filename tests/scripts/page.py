#!/usr/bin/env python3
"""headroom run --html: the page in a browser. Its script says nothing on the console, draws what the run counted, and is quick
where there are ten thousand kernels.

    tests/scripts/page.py HEADROOM PROGRAMS SGEMM        PROGRAMS: the folder with golden_saxpy and its like
"""
import html
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HEADROOM, PROGRAMS, SGEMM = sys.argv.pop(1), pathlib.Path(sys.argv.pop(1)), sys.argv.pop(1)
BROWSER = shutil.which("chromium-headless-shell") or shutil.which("chromium")
LONGEST_TO_OPEN = 8000  # ms, on a machine that is busy with other tests; on one that is not it takes less than 1000


class Page(unittest.TestCase):
    def setUp(self):
        self.assertTrue(BROWSER, "no browser: scripts/fetch_browser, or apt-get install chromium-headless-shell")
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def headroom(self, *arguments):
        result = subprocess.run([HEADROOM, *map(str, arguments)], capture_output=True, text=True, timeout=120, cwd=self.folder)
        self.assertNotIn(result.returncode, (125, 126, 127), result.stderr)
        return result

    def opened(self, page, place=""):
        """The page as it stands when its script has run; what it says on the console fails the test."""
        result = subprocess.run([BROWSER, "--headless=new", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--v=0",
                                 f"--user-data-dir={self.folder / 'browser'}", "--window-size=1280,900", "--dump-dom",
                                 f"file://{self.folder / page}{place}"], capture_output=True, text=True, timeout=120)
        console = [line for line in result.stderr.splitlines() if "CONSOLE" in line]
        self.assertEqual(console, [])
        self.assertIn("</html>", result.stdout, result.stderr)
        # What the page holds as data and script is not what is seen.
        return html.unescape(re.sub(r"<script.*?</script>|<style.*?</style>|<noscript>.*?</noscript>", "", result.stdout, flags=re.DOTALL))

    def drawn(self, seen, label):
        picture = re.search(rf'<svg[^>]*aria-label="{label}[^"]*".*?</svg>', seen, re.DOTALL)
        self.assertTrue(picture, f"no drawing '{label}'")
        return picture[0]

    def test_a_run(self):
        self.headroom("run", "--html", "page.html", "--", SGEMM, "--size", "256", "--rung", "naive", "--seed", "1")
        seen = self.opened("page.html", "#k0")
        self.assertRegex(seen, r'<h2 tabindex="-1">sgemm::naive_kernel\(sgemm::Problem\)</h2>')
        self.assertRegex(seen, r'data-at="0".*naive_kernel.*LSU queue')
        self.assertEqual(self.drawn(seen, "Roofline").count("<circle"), seen.count('<tr data-at=') + seen.count('<tr class="here"'))
        self.assertIn("LSU queue", self.drawn(seen, "Shares of a warp's time"))
        self.assertIn("→ L1/TEX", self.drawn(seen, "Predicted time and floors"))
        for over in ("threads a block", "registers a thread", "shared memory a block"):
            self.assertIn("<circle", self.drawn(seen, "Resident warps of an SM over " + over))
        self.assertRegex(seen, r'<td class="text"[^>]*>  for \(int k = 0; k < p.k; \+\+k\)', "the source stands with its indentation")
        self.assertRegex(seen, r'<td class="wide left"[^>]*>LSU queue</td>', "a line has what warps wait for there")
        # A column of A: each lane its own sector. 32 threads leave the row of lanes.
        access = self.drawn(seen, "32 lanes, 4 bytes each, touch 32 sectors of 32 bytes: 128 of 1024 bytes are used")
        self.assertEqual(access.count('class="thread"'), 32)

    def test_a_bank_conflict(self):
        self.headroom("run", "--html", "page.html", "--", SGEMM, "--size", "256", "--rung", "bank_conflicts_linearised", "--seed", "1")
        data = json.loads(re.search(r'id="data">(.*?)</script>', (self.folder / "page.html").read_text())[1])
        worst = next(i for i, access in data["details"][0]["source"]["accesses"].items() if access["conflicts"] == 4)
        seen = self.opened("page.html", f"#k0a{worst}")
        access = self.drawn(seen, "32 lanes, 16 bytes each, meet 32 of 32 banks; the busiest has 4 different words: "
                                  "8 passes, 4 of them for conflicts")
        self.assertEqual(access.count("<title>bank"), 128, "each bank has four words")

    def test_ten_thousand_kernels(self):
        self.headroom("run", "--json", "run.json", "--report", "report.txt", "--", PROGRAMS / "golden_saxpy", "10")
        record = json.loads((self.folder / "run.json").read_text())
        first = record["launches"][0]
        record["launches"] = [first | {"index": i, "grid": [1 + i, 1, 1]} for i in range(10000)]
        (self.folder / "run.json").write_text(json.dumps(record))
        self.headroom("explain", "run.json", "--html", "page.html", "--report", "report.txt")
        self.assertLess((self.folder / "page.html").stat().st_size, 5_000_000)
        seen = self.opened("page.html")
        self.assertIn("show all 10\u202f000", seen)
        took = int(re.search(r'data-drawn="(\d+)"', seen)[1])
        self.assertLess(took, LONGEST_TO_OPEN)
        self.assertIn("keeps the details of the", self.opened("page.html", "#k9999"))

    def test_faults_stand_first(self):
        self.headroom("run", "--html", "page.html", "--", PROGRAMS / "golden_past_the_end")
        seen = self.opened("page.html")
        self.assertRegex(seen, r'(?s)<section id="findings">.*past the end.*<section id="kernels">')
        self.headroom("check", "--html", "check.html", "--", PROGRAMS / "golden_past_the_end")
        self.assertRegex(self.opened("check.html"), "past the end")

    def test_a_program_without_launches(self):
        self.headroom("run", "--html", "page.html", "--", "/bin/sh", "-c", "true")
        self.assertIn("<h1>/bin/sh -c true</h1>", self.opened("page.html"))

    def test_one_file_is_not_two_things(self):
        result = subprocess.run([HEADROOM, "run", "--html", "a", "--json", "a", "--", "/bin/true"], capture_output=True, text=True,
                                cwd=self.folder)
        self.assertEqual(result.returncode, 125)
        self.assertIn("both would be written to one file", result.stderr)


if __name__ == "__main__":
    unittest.main()
