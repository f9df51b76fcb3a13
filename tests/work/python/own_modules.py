"""imports modules of the project, keeps their byte code, and packs them as one program"""

ACT = """set -e
mkdir -p app && echo 'from app.part import NAME' > app/__init__.py && echo 'NAME = "part"' > app/part.py
printf 'import app\\nprint(app.NAME)\\n' > app/__main__.py && env -u PYTHONDONTWRITEBYTECODE /usr/bin/python3 -m app && ls app/__pycache__ | wc -l
mkdir z && cp -r app z/ && printf 'import runpy\\nrunpy.run_module("app", run_name="__main__")\\n' > z/__main__.py && /usr/bin/python3 -m zipapp z -o one.pyz -p /usr/bin/python3 && ./one.pyz
/usr/bin/python3 -m compileall -q app && /usr/bin/python3 -m timeit -n 1 -r 1 pass > /dev/null && /usr/bin/python3 -m cProfile -o prof -m app && test -s prof
"""


def works(host, done):
    return done.status == 0 and done.out.split() == ["part", "3", "part", "part"]
