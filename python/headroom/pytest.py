"""A plugin of pytest: the launches of a test, to assert on what they did. `headroom run -- pytest` loads it by itself.

    def test_tile_has_no_conflicts(headroom):
        tile[8, 256](a)
        assert headroom.kernel("tile").counters["shared_load_conflicts"] == 0

Run without headroom, a test that asks for it is skipped.
"""
import pytest

from headroom.launches import Launches, is_running


class Watched:
    """What a test's launches did so far."""

    def __init__(self):
        self.launches = Launches()

    def kernels(self, name):
        """The launches of kernels whose name holds `name`."""
        return [launch for launch in self.launches if name in launch.kernel]

    def kernel(self, name):
        """The one launch of such a kernel."""
        found = self.kernels(name)
        if len(found) != 1:
            seen = ", ".join(launch.kernel for launch in self.launches) or "none"
            pytest.fail(f"{len(found)} launches of '{name}'; launches of this test: {seen}", pytrace=False)
        return found[0]


@pytest.fixture(name="headroom")
def watched():
    """The launches of this test: headroom.launches, each with its kernel, grid, block, counters and times."""
    if not is_running():
        pytest.skip("needs headroom's counters: headroom run -- pytest")
    watched = Watched()
    yield watched
    watched.launches.stop()
