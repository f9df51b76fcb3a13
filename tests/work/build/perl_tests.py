"""runs tests by perl's prove, in parallel"""

NEEDS = {"prove": "perl"}
ACT = """mkdir t && for n in 1 2 3; do printf 'use Test::More tests => 2;\\nok(1); is(%d + 1, %d);\\n' $n $((n + 1)) > t/$n.t; done
prove -j2 t | tail -2; printf 'use Test::More tests => 1;\\nok(0);\\n' > t/4.t; prove t > out 2>&1; echo $?"""


def works(host, done):
    return "Files=3, Tests=6" in done.out and "Result: PASS" in done.out and done.out.endswith("1\n")
