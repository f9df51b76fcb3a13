"""a program that is told nothing shows the machine's own local time"""

ACT = "date -d @1700000000 '+%T %z'; date -d @1690000000 '+%T %z'"


def works(host, done):
    import time

    told = [time.strftime("%T %z", time.localtime(moment)) for moment in (1700000000, 1690000000)]
    return done.status == 0 and done.out.splitlines() == told
