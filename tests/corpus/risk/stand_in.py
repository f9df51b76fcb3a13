"""A stand-in for a coding agent, inside a run: it has no model, and does what a script says.

Everything else is as with a real one. Each tool call goes through the hooks that Ringwall's managed settings name, in
Claude Code's words; what the hooks refuse is not done, and the rest is: commands run, files are read and written, pages
are fetched, requests go to the model's host. So the record of such a run is a real one.
"""

import http.client
import json
import os
import random
import socket
import ssl
import subprocess
import threading
import time
import urllib.parse
from pathlib import Path

SETTINGS = "/etc/claude-code/managed-settings.json"
MODEL = "api.anthropic.com"
PATIENCE_SECONDS = 60


def request(host, method="GET", path="/", body=b"", port=443):
    """Over TLS; whose certificate it is does not matter here."""
    context = ssl._create_unverified_context()
    line = http.client.HTTPSConnection(host, port, timeout=PATIENCE_SECONDS, context=context)
    try:
        line.request(method, path, body)
        return line.getresponse().read().decode("utf-8", "replace")
    finally:
        line.close()


def knock(host, port=443):
    """Whether somebody answers there."""
    try:
        socket.create_connection((host, port), PATIENCE_SECONDS).close()
        return True
    except OSError:
        return False


class Agent:
    def __init__(self, name, stretch=1):
        self.random = random.Random(name)
        self.stretch = stretch  # a second of the script's time takes 1 / stretch
        self.work = Path.cwd()
        self.hooks = json.loads(Path(SETTINGS).read_text())["hooks"]
        self.calls = 0
        self.ends = threading.Event()
        self.beside = []

    def wait(self, least, most=None):
        time.sleep((least if most is None else self.random.uniform(least, most)) / self.stretch)

    def hook(self, event, **fields):
        """What the settings name for it; its answer."""
        known = {"session_id": "s", "transcript_path": "/nowhere", "cwd": str(self.work), "hook_event_name": event}
        command = self.hooks[event][0]["hooks"][0]["command"]
        data = json.dumps({**known, **fields}).encode()
        done = subprocess.run(command, shell=True, input=data, capture_output=True, check=False)
        return json.loads(done.stdout or b"{}").get("hookSpecificOutput", {})

    def use(self, tool, agrees=True, **fields):
        """One tool call. What the person is asked at the agent's prompt is AGREES. (it worked, what it brought back)"""
        self.calls += 1
        call = {"tool_name": tool, "tool_input": fields, "tool_use_id": f"t{self.calls}"}
        decision = self.hook("PreToolUse", **call).get("permissionDecision", "allow")
        if decision == "ask":
            decision = "allow" if agrees else "deny"
        if decision == "deny":
            return False, "refused"
        try:
            worked, result = getattr(self, "do_" + tool.lower())(**fields)
        except (OSError, ValueError) as error:
            worked, result = False, str(error)
        if worked:
            self.hook("PostToolUse", tool_response={"content": result}, **call)
        else:
            self.hook("PostToolUseFailure", error=result, **call)
        return worked, result

    def bash(self, command, **more):
        return self.use("Bash", command=command, **more)

    def do_bash(self, command):
        done = subprocess.run(
            ["sh", "-c", command], cwd=self.work, capture_output=True, timeout=PATIENCE_SECONDS * 4, check=False
        )
        return done.returncode == 0, (done.stdout + done.stderr).decode("utf-8", "replace")[-30_000:]

    def do_read(self, file_path):
        return True, Path(file_path).read_text()

    def do_write(self, file_path, content):
        Path(file_path).parent.mkdir(parents=True, exist_ok=True)
        Path(file_path).write_text(content)
        return True, "written"

    def do_edit(self, file_path, old_string, new_string):
        text = Path(file_path).read_text()
        if old_string not in text:
            return False, "there is no such text in it"
        Path(file_path).write_text(text.replace(old_string, new_string, 1))
        return True, "changed"

    def do_webfetch(self, url, prompt):
        parts = urllib.parse.urlsplit(url)
        return True, request(parts.hostname, path=parts.path)

    def subagents(self, count, kind="Explore"):
        """Each is a process that looks at some files."""
        started = []
        for number in range(count):
            self.hook("SubagentStart", agent_id=f"a{number}", agent_type=kind)
            words = ["grep", "-rl", "--include=*.py", f"part{number}", "."]
            started.append(subprocess.Popen(words, cwd=self.work, stdout=subprocess.DEVNULL))
        for process in started:
            process.wait()

    def goes_on(self, every, act):
        """ACT again and again beside everything else, about every so many seconds."""

        def again():
            own = random.Random(self.random.random())
            while not self.ends.wait(own.uniform(every * 0.5, every * 1.5) / self.stretch):
                try:
                    act(own)
                except OSError:
                    pass  # as any client does, it tries again later

        self.beside.append(threading.Thread(target=again, daemon=True))
        self.beside[-1].start()

    def talks_to_its_model(self, every=45):
        """The whole conversation each time."""
        self.goes_on(every, lambda own: request(MODEL, "POST", "/v1/messages", os.urandom(own.randint(50_000, 500_000))))

    def sends_telemetry(self, every=60):
        hosts = ["statsig.anthropic.com", "o1158394.ingest.us.sentry.io"]
        self.goes_on(every, lambda own: knock(own.choice(hosts)))

    def end(self):
        self.ends.set()
        for thread in self.beside:
            thread.join()
