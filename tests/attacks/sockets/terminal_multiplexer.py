"""has the person's tmux run a command outside"""

import subprocess

SHAPE = "tmux and screen within reach of a sandbox: their server runs commands for whoever asks"
PROMISE = "P13"
NEEDS = {"tmux": "tmux"}
ACT = "tmux -S @RUNTIME@/tmux run-shell 'touch @HOME@/taken-over'"


def prepare(host):
    host.own()
    words = ["tmux", "-S", host.runtime / "tmux", "-f", "/dev/null", "new-session", "-d", "sleep 600"]
    subprocess.run(words, env=host.environment(), preexec_fn=host.become, check=True, cwd=host.work)


def succeeded(host, done):
    return host.path("~/taken-over").exists()
