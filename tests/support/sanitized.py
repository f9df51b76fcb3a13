"""What cannot be tried in a build that the compiler's sanitizers watch (`make test-san`)."""

import os

import pytest


def skipped_if_sanitized(reason):
    return pytest.mark.skipif(bool(os.environ.get("RINGWALL_SANITIZE")), reason=reason)


counts_memory = skipped_if_sanitized("a sanitizer's own memory would be counted")
