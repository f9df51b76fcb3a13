"""sifts JSON and CSV by jq, awk and Python"""

NEEDS = {"jq": "jq"}
ACT = """set -e
printf '[{"n":1,"w":"a"},{"n":41,"w":"ü"}]' > d.json && jq '[.[].n] | add' d.json && jq -r '.[] | [.n, .w] | @csv' d.json > d.csv
awk -F, '{s += $1} END {print s}' d.csv && /usr/bin/python3 -c 'import csv; print(list(csv.reader(open("d.csv")))[1][1])' && /usr/bin/python3 -m json.tool d.json | wc -l
"""


def works(host, done):
    return done.status == 0 and done.out.split() == ["42", "42", "ü", "10"]
