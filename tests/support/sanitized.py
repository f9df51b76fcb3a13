"""What cannot be tried in a build that the compiler's sanitizers watch (`make test-san`)."""

import os

import pytest

counts_memory = pytest.mark.skipif(
    bool(os.environ.get("RINGWALL_SANITIZE")), reason="a sanitizer's own memory would be counted"
)
