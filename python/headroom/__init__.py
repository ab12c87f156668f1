"""What headroom says of the launches of this process, which `headroom run -- python …` started.

    with headroom.launches() as seen:
        kernel[grid](…)
    assert seen[0].counters["shared_load_conflicts"] == 0
"""
from headroom.launches import Launch, is_running, launches

__all__ = ["Launch", "is_running", "launches"]
