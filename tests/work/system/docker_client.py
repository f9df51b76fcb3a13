"""asks Docker, which is not there: the client says so in words and ends"""

NEEDS = {"docker": "docker.io"}
ACT = "docker ps > out 2> err; echo $?; cat out err"


def works(host, done):
    lines = done.out.splitlines()
    said = " ".join(lines[1:]).lower()
    return lines[0] == "1" and "docker daemon" in said and ("cannot connect" in said or "permission denied" in said)
