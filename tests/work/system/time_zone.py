"""tells the time in the person's time zone and in others"""

NEEDS = {"/usr/share/zoneinfo/Asia/Tokyo": "tzdata"}
ENVIRONMENT = {"TZ": "America/New_York"}
OPTIONS = {"variables": ["TZ"]}
ACT = """set -e
date -d @1700000000 '+%F %T %Z' && TZ=Asia/Tokyo date -d @1700000000 '+%F %T %Z' && TZ=UTC date -d @1700000000 +%T
/usr/bin/python3 -c "import datetime, zoneinfo, time; print(datetime.datetime.fromtimestamp(1700000000, zoneinfo.ZoneInfo('Europe/Berlin')), time.tzname[0])"
test $(date +%s) -gt 1700000000 && echo now
"""


def works(host, done):
    told = "2023-11-14 17:13:20 EST\n2023-11-15 07:13:20 JST\n22:13:20\n2023-11-14 23:13:20+01:00 EST\nnow\n"
    return done.status == 0 and done.out == told
