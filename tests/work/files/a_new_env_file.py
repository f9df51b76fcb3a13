"""makes a .env from the project's example, and a program reads it"""

ACT = """set -e
cp .env.example .env && echo API_URL=http://localhost:3000 >> .env && (. ./.env && echo "$MODE $API_URL") && cat .env.example
"""


def prepare(host):
    host.write(".env.example", "MODE=development\n")


def works(host, done):
    return done.status == 0 and done.out == "development http://localhost:3000\nMODE=development\n"
