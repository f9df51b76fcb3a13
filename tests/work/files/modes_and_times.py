"""sets modes, times and the umask, and finds them again"""

ACT = """set -e
umask 027 && touch made && mkdir folder && stat -c %a made folder && chmod 1751 made && chmod +t,o+w folder
touch -d @1000000000 made && stat -c '%a %Y' made && cp -a made copy && stat -c '%a %Y' copy
chmod 000 made && chmod u+rw made && stat -c %a folder && touch -r copy README.md && test copy -ot src && find . -maxdepth 1 -perm -1000 | sort
"""


def works(host, done):
    told = "640 750 1751 1000000000 1751 1000000000 1752 ./copy ./folder"
    return done.status == 0 and done.out.split() == told.split() and host.path("copy").stat().st_mtime == 1000000000
