"""writes .gitignore and .gitattributes, and git obeys them"""

NEEDS = {"git": "git"}
ACT = """set -e
printf '*.o\\nbuild/\\n' > .gitignore && printf '*.txt text eol=lf\\n*.bin binary\\n' > .gitattributes
printf 'a\\r\\nb\\r\\n' > t.txt && printf '\\0\\1' > x.bin && touch a.o && mkdir build && touch build/x
git add . 2> /dev/null && git commit -q -m attributes && git ls-files && git show HEAD:t.txt | od -c | grep -c '\\\\r' || true
git check-ignore a.o build/x && git check-attr binary x.bin
"""


def works(host, done):
    told = ".gitattributes .gitignore README.md src/main.py t.txt x.bin 0 a.o build/x x.bin: binary: set"
    return done.status == 0 and done.out.split() == told.split()
