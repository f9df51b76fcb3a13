"""runs PHP with the parts that the host has for it, and its own server"""

import subprocess

import work_tools

NEEDS = {"php": "php-cli", "curl": "curl"}
ACT = r"""php -m | grep . | sort > modules; cat modules; echo 'server runs'
printf '<?php echo strtoupper($_GET["w"] ?? "none"), PHP_EOL;' > index.php && php -l index.php > /dev/null && php index.php
php -S 127.0.0.1:@SERVE@ > log 2>&1 & for i in $(seq 600); do curl -sf 'http://127.0.0.1:@SERVE@/?w=page' && break; sleep 0.1; done; kill $!"""


def prepare(host):
    host.facts["SERVE"] = work_tools.free_port()


def works(host, done):
    modules = subprocess.run(["php", "-m"], capture_output=True, text=True).stdout.split("\n")
    seen, _, rest = done.out.partition("server runs\n")
    return sorted(filter(None, modules)) == sorted(seen.splitlines()) and rest == "NONE\nPAGE\n"
