"""runs a program in a tmux session of its own, types into it and reads its screen"""

NEEDS = {"tmux": "tmux"}
ACT = r"""set -e
t="tmux -S own.sock -f /dev/null" && $t new-session -d -x 80 -y 24 -s work 'PS1=ready: sh' && $t split-window -h -t work 'sleep 1000'
$t send-keys -t work.0 'echo six times seven is $((6 * 7))' Enter
for i in $(seq 600); do $t capture-pane -p -t work.0 | grep -q 'seven is 42' && break; sleep 0.1; done
$t capture-pane -p -t work.0 | grep -c 'seven is 42' && $t list-panes -t work | wc -l && $t kill-server && echo over
"""


def works(host, done):
    return done.status == 0 and done.out.split() == ["1", "2", "over"]
