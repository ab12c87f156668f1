"""Something to do with a module as soon as it is imported, by whomever.

    when_imported({"triton.testing": change})      change(module), once it is loaded
"""
import importlib.util
import sys


class Finder:
    """Sees modules before they are loaded."""

    def __init__(self, tasks):
        self.left = dict(tasks)

    def find_spec(self, name, path=None, target=None):
        task = self.left.pop(name, None)
        spec = importlib.util.find_spec(name) if task else None
        if spec is None or spec.loader is None:
            return None
        load = spec.loader.exec_module

        def load_and_do(module):
            load(module)
            task(module)

        spec.loader.exec_module = load_and_do
        return spec


def when_imported(tasks):
    sys.meta_path.insert(0, Finder(tasks))
