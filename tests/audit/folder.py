"""A folder that a test fills: files by name, settings as JSON, links and documents."""

import json
import os
import zipfile


class Folder:
    """What lies below `top`."""

    def __init__(self, top):
        self.top = top
        top.mkdir(parents=True, exist_ok=True)

    def path(self, name):
        path = self.top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def write(self, name, text, mode=0o644):
        path = self.path(name)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        path.chmod(mode)

    def json(self, name, value):
        self.write(name, json.dumps(value, indent=2, ensure_ascii=False) + "\n")

    def link(self, name, target):
        os.symlink(target, self.path(name))

    def git(self, config="", folder=".git"):
        """A git folder as `git init` leaves it, and more settings."""
        self.write(f"{folder}/HEAD", "ref: refs/heads/main\n")
        plain = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n"
        self.write(f"{folder}/config", plain + config)
        for name in ("objects/info", "objects/pack", "refs/heads", "refs/tags", "hooks", "info"):
            self.path(f"{folder}/{name}").mkdir(parents=True, exist_ok=True)
        self.write(f"{folder}/hooks/pre-commit.sample", "#!/bin/sh\nexit 0\n", 0o755)

    def document(self, name, body, extra=()):
        """A .docx with these runs."""
        head = '<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">'
        with zipfile.ZipFile(self.path(name), "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("[Content_Types].xml", "<Types/>")
            archive.writestr("word/document.xml", f"{head}<w:body><w:p>{body}</w:p></w:body></w:document>")
            for member, content in extra:
                archive.writestr(member, content)


def run_of(text, properties=""):
    """A run of a .docx."""
    return f"<w:r><w:rPr>{properties}</w:rPr><w:t>{text}</w:t></w:r>"
