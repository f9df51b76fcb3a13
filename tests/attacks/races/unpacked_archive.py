"""unpacks an archive whose members lead out of the folder"""

SHAPE = "tar and zip members with .. and links: CVE-2025-53110's older kin"
PROMISE = "P12"
WALLS = "private-home,read-only,landlock"
PYTHON = """
import io, tarfile
with tarfile.open("a.tar", "w") as made:
    for name in ("../.zshenv", "link/.zshenv"):
        if name.startswith("link"):
            link = tarfile.TarInfo("link"); link.type = tarfile.SYMTYPE; link.linkname = "@HOME@"
            made.addfile(link)
        member = tarfile.TarInfo(name); member.size = 4
        made.addfile(member, io.BytesIO(b"evil"))
import warnings; warnings.simplefilter("ignore")
for member in tarfile.open("a.tar"):
    try:
        tarfile.open("a.tar").extract(member)
    except OSError:
        pass
"""


def succeeded(host, done):
    return bool(host.read("~/.zshenv"))
