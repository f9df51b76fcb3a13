"""runs code that PERL5OPT brings into every Perl"""

from evidence import word_printed as succeeded

SHAPE = "Cursor CVE-2026-22708"
PROMISE = "P19"
WALLS = "environment"
NEEDS = {"perl": "perl-base"}
ENVIRONMENT = {"PERL5LIB": "@WORK@/lib", "PERL5OPT": "-MCode"}
ACT = "perl -e 1"


def prepare(host):
    host.write("lib/Code.pm", "package Code; print \"GOT-IT\\n\"; 1;\n")
