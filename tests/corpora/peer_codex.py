"""The sandbox of OpenAI's codex as a wall."""

import json

from peer_room import GIT_SETTINGS, SECRET_FILES, Peer, as_list, first_line, npm_folder


def table(values):
    """An inline table of TOML."""
    return "{" + ", ".join(f"{json.dumps(name)} = {json.dumps(value)}" for name, value in values.items()) + "}"


class Codex(Peer):
    name = "codex"
    title = "codex sandbox"
    about = (
        "a permission profile of its own: the least of the system readable, the workspace and temporary folders writable, "
        "files that hold secrets denied by pattern; "
        "of the environment the core; hosts by its network proxy"
    )
    PACKAGE = "codex/node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex"

    def program(self):
        return str(npm_folder() / self.PACKAGE)

    def version(self):
        return first_line(self.program(), "--version").removeprefix("codex-cli ") if not self.can_run() else ""

    def can_run(self):
        return None if (npm_folder() / self.PACKAGE).exists() else "it was not installed: tools/install_peers.sh"

    def files(self, host, case):
        # Its own program has to be readable, too, where it was not installed as a part of the system.
        own = {str(npm_folder() / "codex"): "read"}
        files = {":minimal": "read", ":tmpdir": "write", ":slash_tmp": "write"} | own
        files[str(host.home / GIT_SETTINGS)] = "read"
        files |= {path: "read" for path in as_list(host, case, "read")}
        files |= {path: "write" for path in as_list(host, case, "write")}
        inside = table({".": "write"} | {pattern: "deny" for pattern in SECRET_FILES})
        return table(files)[:-1] + f', ":workspace_roots" = {inside}}}'

    def network(self, host, case):
        """Hosts by the proxy; for anything else the whole network is all it has."""
        names = [*as_list(host, case, "hosts"), *as_list(host, case, "private_hosts")]
        if case.options.get("publish") or case.options.get("reach_host"):
            return ["-c", "permissions.agent.network.enabled=true"]
        if not names:
            return ["-c", "permissions.agent.network.enabled=false"]
        allowed = table({name.rsplit(":", 1)[0]: "allow" for name in names})
        words = ["--enable", "network_proxy", "-c", "permissions.agent.network.enabled=true"]
        words += ["-c", f"permissions.agent.network.domains={allowed}"]
        if case.options.get("private_hosts"):
            words += ["-c", "permissions.agent.network.allow_local_binding=true"]
        return words

    def flags(self, host, case):
        kept = ["-c", 'shell_environment_policy.inherit="core"']
        for word in as_list(host, case, "variables"):
            name, equals, value = word.partition("=")
            value = value if equals else host.environment().get(name, "")
            kept += ["-c", f"shell_environment_policy.set.{name}={json.dumps(value)}"]
        files = ["-c", f"permissions.agent.filesystem={self.files(host, case)}"]
        return [*files, *self.network(host, case), *kept, "-P", "agent"]

    def command(self, host, case, words):
        return [self.program(), "sandbox", *self.flags(host, case), "--", *words]


class CodexDefault(Codex):
    name = "codex-default"
    title = "codex sandbox, :workspace"
    about = "its built-in profile :workspace"
    is_default = True

    def flags(self, host, case):
        return ["-P", ":workspace"]
