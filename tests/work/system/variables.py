"""sees the variables that the person lets through, and passes variables on to children"""

ENVIRONMENT = {"NO_COLOR": "1", "CI": "true", "APP_MODE": "test mode"}
OPTIONS = {"variables": ["NO_COLOR", "CI", "APP_MODE"]}
ACT = r"""echo "$APP_MODE $NO_COLOR $CI $LANG $TERM" && MADE=here sh -c 'echo $MADE' && env -i A=1 /usr/bin/env
command -v sh git && echo $((1 + 1)) && printf '%s\n' "$PATH" | tr : '\n' | grep -cx /usr/bin
"""


def works(host, done):
    lines = done.out.splitlines()
    return done.status == 0 and lines[:3] == ["test mode 1 true C.UTF-8 xterm-256color", "here", "A=1"] and lines[-2:] == ["2", "1"]
