#!/usr/bin/env python3
"""Makes the man pages from what the program says of itself: `ringwall help` and `ringwall policy schema`.

    packaging/man_pages.py RINGWALL FOLDER        writes ringwall.1, ringwall-COMMAND.1 and ringwall.toml.5
"""

import json
import pathlib
import re
import subprocess
import sys


def ask(program, *words):
    done = subprocess.run([program, *words], capture_output=True, text=True, check=True, env={"PATH": "/usr/bin:/bin", "NO_COLOR": "1"})
    return done.stdout


def roff(text):
    """Text as it is: no request, no escape, no hyphen that breaks a flag."""
    text = text.replace("\\", r"\e").replace("-", r"\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.M)


def in_sections(help_text):
    """[(title, lines)]: what stands before the first title has the title ""."""
    sections = [("", [])]
    for line in help_text.splitlines():
        title = re.fullmatch(r"([A-Z][A-Za-z ]*):(?: (.*))?", line)
        if title:
            sections.append((title[1], [title[2]] if title[2] else []))
        else:
            sections[-1][1].append(line)
    return sections


def entries(lines):
    """[(name, words)] of the two columns in which options, arguments and commands are listed."""
    found = []
    for line in lines:
        start = re.match(r"  (\S.*?)(?:  +(\S.*))?$", line)
        if start:
            found.append([start[1], start[2] or ""])
        elif found and line.strip():
            found[-1][1] += " " + line.strip()
    return found


def verbatim(lines):
    return [".nf", *(roff(line) if line else "" for line in lines), ".fi"]


def head(name, section, version, summary):
    return [
        f'.TH {roff(name.upper())} {section} "" "Ringwall {version}" "Ringwall"',
        ".SH NAME",
        f"{roff(name)} \\- {roff(summary)}",
    ]


def page_of(name, help_text, version, summary, see):
    lines = head(name, 1, version, summary)
    description = []
    for title, body in in_sections(help_text):
        while body and not body[-1]:
            body.pop()
        if title == "Usage":
            lines += [".SH SYNOPSIS", ".nf", *(roff(line.strip()) for line in body), ".fi"]
        elif title == "":
            description = [line for line in body if line]
        elif title in ("Options", "Arguments", "Commands"):
            if description:
                lines += [".SH DESCRIPTION", *map(roff, description)]
                description = []
            lines.append(f".SH {title.upper()}")
            for item, words in entries(body):
                lines += [".TP", f"\\fB{roff(item)}\\fR", roff(words) or "\\&"]
        elif title == "Exit status":
            lines += [".SH EXIT STATUS", *map(roff, body)]
        else:
            lines += [f".SH {roff(title.upper())}", *verbatim([line[2:] if line.startswith("  ") else line for line in body])]
    if description:
        lines += [".SH DESCRIPTION", *map(roff, description)]
    lines += [".SH SEE ALSO", ",\n".join(f"\\fB{roff(page)}\\fR({number})" for page, number in see)]
    return "\n".join(lines) + "\n"


def policy_page(schema, version):
    lines = head("ringwall.toml", 5, version, "what runs behind Ringwall's walls may do")
    lines += [
        ".SH DESCRIPTION",
        roff("/etc/ringwall/policy.toml and policy.d/ are the organisation's, ~/.config/ringwall/policy.toml is yours, "
             "and .ringwall.toml is a workspace's, which can only narrow what the others give."),
        roff("The same fields are flags of ringwall run. ringwall policy check FILE finds mistakes."),
    ]
    for section, about in schema["properties"].items():
        fields = about.get("properties")
        if not fields:
            continue
        lines.append(f".SH [{roff(section)}]")
        for field, facts in fields.items():
            nested = facts.get("properties", {field: facts})
            for name, one in nested.items():
                shown = name if nested is not facts.get("properties") else f"{field}.{name}"
                lines += [".TP", f"\\fB{roff(shown)}\\fR", roff(one.get("description", "")) or "\\&"]
    lines += [".SH SEE ALSO", "\\fBringwall\\fR(1), \\fBringwall\\-policy\\fR(1), \\fBringwall\\-trust\\fR(1)"]
    return "\n".join(lines) + "\n"


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    version = ask(program, "version").split()[1]
    overview = ask(program, "help")
    commands = entries(dict(in_sections(overview))["Commands"])
    everything = [(f"ringwall-{name}", 1) for name, _ in commands if name != "help"]
    pages = {"ringwall.1": page_of("ringwall", overview, version, "walls around AI coding agents", [*everything, ("ringwall.toml", 5)])}
    for name, summary in commands:
        if name != "help":
            text = ask(program, name, "--help")
            pages[f"ringwall-{name}.1"] = page_of(f"ringwall-{name}", text, version, summary, [("ringwall", 1), ("ringwall.toml", 5)])
    pages["ringwall.toml.5"] = policy_page(json.loads(ask(program, "policy", "schema")), version)
    for name, text in pages.items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
