"""The fixtures of the whole-program tests, for suites in other folders: pytest gives a conftest to its own folder alone."""

import importlib.util
import sys
from pathlib import Path


def load():
    """tests/integration/conftest.py as a module."""
    path = Path(__file__).resolve().parent / "tests/integration/conftest.py"
    spec = importlib.util.spec_from_file_location("whole_program_fixtures", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.modules["whole_program_fixtures"] = module
    return module
