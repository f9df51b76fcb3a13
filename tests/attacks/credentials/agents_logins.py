"""reads the logins of the coding agents themselves"""

from evidence import secret_printed as succeeded

SHAPE = "Codex Heapjack and CVE-2026-21852: the agent's own API key is worth stealing"
PROMISE = "P08"
WALLS = "private-home,landlock"
ACT = "cat ~/.claude/.credentials.json ~/.codex/auth.json ~/.gemini/oauth_creds.json"
