"""speaks another locale: characters are counted, letters made large, text sorted"""

NEEDS = {"locale": "libc-bin", "perl": "perl-base"}
ENVIRONMENT = {"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
OPTIONS = {"variables": ["LC_ALL"]}
ACT = """set -e
printf 'äöü😀\\n' | wc -m && printf 'straße\\n' | sed 's/./X/g' && locale charmap
/usr/bin/python3 -c "import locale, sys; print('ÄÖ'.lower(), sys.getfilesystemencoding(), locale.setlocale(locale.LC_ALL, ''))"
perl -CSDA -Mutf8 -e 'print length("äöü"), "\\n"' && LC_ALL=C ls nowhere 2>&1 | grep -c 'No such file' && date -d 2026-03-01 +%B
"""


def works(host, done):
    told = ["5", "XXXXXX", "UTF-8", "äö", "utf-8", "C.UTF-8", "3", "1", "March"]
    return done.status == 0 and done.out.split() == told
