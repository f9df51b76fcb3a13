"""Prepared repositories whose lock files take packages from elsewhere, and lock files that do not."""

import json

from repositories import shape

EVIL = "https://cdn.example.net/"
NPM = "https://registry.npmjs.org/"
PYPI = "https://files.pythonhosted.org/packages/ab/cd/"


def lock(name, file, text, number="RW262", severity="high"):
    def fill(folder):
        folder.write(file, text if isinstance(text, str) else json.dumps(text, indent=2))

    fill.__name__ = name
    shape(number, severity)(fill)


def npm3(entry, **root):
    return {"lockfileVersion": 3, "packages": {"": {"name": "x", **root}, "node_modules/lodash": entry}}


lock("npm1_address_as_version", "package-lock.json", {"lockfileVersion": 1, "dependencies": {"lodash": {"version": EVIL + "l.tgz"}}})
lock("npm1_address_of_another", "package-lock.json",
     {"lockfileVersion": 1, "dependencies": {"a": {"version": "1", "dependencies": {"lodash": {"version": "4", "resolved": NPM + "other/-/other-4.tgz"}}}}})
lock("npm2_address_of_another", "package-lock.json",
     {"lockfileVersion": 2, "packages": {"": {}, "node_modules/a/node_modules/@c/d": {"resolved": NPM + "d/-/d-1.0.0.tgz"}}, "dependencies": {}})
lock("npm_odd_port", "package-lock.json", npm3({"resolved": "https://registry.npmjs.org:8443/lodash/-/lodash-4.tgz"}))
lock("npm_steps_up", "package-lock.json", npm3({"resolved": NPM + "lodash/../other/-/lodash-4.tgz"}))
lock("npm_git_that_nobody_asked_for", "package-lock.json",
     npm3({"resolved": "git+ssh://git@github.com/other/lodash.git#abc"}, dependencies={"lodash": "^4"}))
lock("npm_name_that_nobody_asked_for", "package-lock.json",
     npm3({"name": "other", "resolved": NPM + "other/-/other-4.tgz"}, dependencies={"lodash": "^4"}))
lock("npm_key_in_escapes", "package-lock.json", '{"packages": {"node_modules/a": {"r\\u0065solved" : "' + EVIL + 'a.tgz"}}}')
lock("npm_lock_that_is_cut", "package-lock.json", '{"packages": {"node_modules/a": {', "RW269", "low")

lock("yarn1_code_of_another", "yarn.lock",
     '# yarn lockfile v1\n\nlodash@^4:\n  version "4.17.21"\n  resolved "https://codeload.github.com/other/lodash/tar.gz/abc"\n')
lock("yarn1_key_in_quotes", "yarn.lock",
     '# yarn lockfile v1\n\nlodash@^4:\n  version "4"\n  "resolved" "https://registry.yarnpkg.com/other/-/other-4.tgz"\n')
BERRY = '__metadata:\n  version: 8\n\n'
lock("berry_address", "yarn.lock", BERRY + '"lodash@npm:^4":\n  version: 4.17.21\n  resolution: "lodash@https://cdn.example.net/l.tgz"\n')
lock("berry_other_name", "yarn.lock", BERRY + '"lodash@npm:^4, lodash@npm:^4.1":\n  version: 4\n  resolution: "other@npm:4.17.21"\n')
lock("berry_archive", "yarn.lock",
     BERRY + '"lodash@npm:^4":\n  version: 4\n  resolution: "lodash@npm:4.17.21::__archiveUrl=https%3A%2F%2Fcdn.example.net%2Fl.tgz"\n')
lock("berry_in_json", "yarn.lock", '{"lodash@npm:^4": {"version": "4", "resolution": "lodash@https://cdn.example.net/l.tgz"}}')

PNPM = "lockfileVersion: '9.0'\npackages:\n"
lock("pnpm_address_of_another", "pnpm-lock.yaml", PNPM + f"  lodash@4.17.21:\n    resolution: {{integrity: sha512-x, tarball: {NPM}other/-/other-4.tgz}}\n")
lock("pnpm_code_of_another", "pnpm-lock.yaml", PNPM + "  lodash@4.17.21:\n    resolution: {tarball: https://codeload.github.com/other/lodash/tar.gz/abc}\n")
lock("pnpm_elsewhere", "pnpm-lock.yaml", PNPM + f"  '@a/b@1.0.0':\n    resolution:\n      tarball: {EVIL}b.tgz\n")
lock("pnpm_repository", "pnpm-lock.yaml", PNPM + "  /lodash/4.17.21:\n    resolution: {type: git, repo: https://github.com/other/lodash, commit: abc}\n")


def bun(entry, **wishes):
    return {"lockfileVersion": 1, "workspaces": {"": {"dependencies": wishes}}, "packages": {"lodash": entry}}


lock("bun_address", "bun.lock", bun(["lodash@" + EVIL + "l.tgz", {}], lodash="^4"))
lock("bun_other_name", "bun.lock", bun(["other@4.17.21", "", {}, "sha512-x"], lodash="^4"))
lock("bun_registry", "bun.lock", bun(["lodash@4.17.21", EVIL, {}, "sha512-x"], lodash="^4"))

lock("poetry_index", "poetry.lock", f'[[package]]\nname = "requests"\nversion = "2"\n\n[package.source]\ntype = "legacy"\nurl = "{EVIL}simple"\nreference = "x"\n')
lock("poetry_file_of_another", "poetry.lock", f'[[package]]\nname = "requests"\nversion = "2"\n\n[package.source]\ntype = "url"\nurl = "{PYPI}other-2.0-py3-none-any.whl"\n')
lock("uv_index", "uv.lock", f'version = 1\n[[package]]\nname = "requests"\nsource = {{ registry = "{EVIL}simple" }}\n')
lock("uv_wheel_of_another", "uv.lock", 'version = 1\n[[package]]\nname = "requests"\nversion = "2.0"\nsource = { registry = "https://pypi.org/simple" }\n'
     f'wheels = [\n  {{ url = "{PYPI}requests_other-2.0-py3-none-any.whl", hash = "sha256:x" }},\n]\n')
lock("uv_source_of_another", "uv.lock", f'version = 1\n[[package]]\nname = "requests"\nsdist = {{ url = "{PYPI}requests-other-2.0.tar.gz" }}\n')
lock("pdm_file", "pdm.lock", f'[[package]]\nname = "requests"\nversion = "2"\nfiles = [{{url = "{EVIL}requests-2.whl", hash = "sha256:x"}}]\n')
lock("pipenv_file", "Pipfile.lock", {"_meta": {"sources": []}, "default": {"requests": {"file": EVIL + "r.whl"}}})
lock("cargo_registry", "Cargo.lock", 'version = 4\n[[package]]\nname = "serde"\nversion = "1.0.0"\nsource = "registry+https://index.example.net/"\n')
lock("cargo_index_of_others", "Cargo.lock", 'version = 4\n[[package]]\nname = "serde"\nsource = "registry+https://github.com/other/index"\n')
lock("flake_of_another", "flake.lock", {"nodes": {"nixpkgs": {"original": {"owner": "NixOS", "repo": "nixpkgs", "type": "github"},
                                                               "locked": {"owner": "other", "repo": "nixpkgs", "type": "github", "rev": "a"}}}})

lock("requirement_at_an_address", "requirements.txt", f"numpy==2\nrequests @ {EVIL}requests-2.whl\n", "RW265", "medium")
lock("requirement_in_a_folder", "requirements/dev.txt", f"-e git+{EVIL}r.git#egg=r\n", "RW265", "medium")
lock("requirement_unencrypted", "requirements.txt", "requests @ http://cdn.example.net/requests-2.whl\n")
lock("wish_at_an_address", "package.json", {"dependencies": {"lodash": EVIL + "l.tgz"}}, "RW265", "medium")
lock("override_at_an_address", "package.json", {"overrides": {"a": {"lodash": EVIL + "l.tgz"}}}, "RW265", "medium")
lock("wish_for_another", "package.json", {"dependencies": {"lodash": NPM + "other/-/other-1.tgz"}})
lock("package_manager_at_an_address", "package.json", {"packageManager": "yarn@" + EVIL + "y.js"}, "RW263", "high")
lock("go_module_of_others", "go.mod", "module x.example/a\n\nreplace golang.org/x/crypto => cdn.example.net/crypto v1.0.0\n", "RW265", "medium")
lock("company_registry", "package-lock.json", {"lockfileVersion": 3, "packages": {
    f"node_modules/p{number}": {"resolved": f"https://npm.example.net/p{number}/-/p{number}-1.tgz"} for number in range(9)}}, "RW265", "medium")


CLEAN_FILES = {
    "npm": {"package-lock.json": {"lockfileVersion": 3, "packages": {
        "": {"dependencies": {"lodash": "^4", "a": "npm:lodash@^4", "fork": "github:me/fork", "t": "https://codeload.github.com/me/t/tar.gz/a"}},
        "node_modules/lodash": {"version": "4", "resolved": NPM + "lodash/-/lodash-4.tgz"},
        "node_modules/a": {"name": "lodash", "resolved": NPM + "lodash/-/lodash-4.tgz"},
        "node_modules/fork": {"resolved": "git+ssh://git@github.com/me/fork.git#abc"},
        "node_modules/t": {"resolved": "https://codeload.github.com/me/t/tar.gz/a"},
        "node_modules/w": {"resolved": "packages/w", "link": True},
        "node_modules/o": {"resolved": "git+ssh://git@github.com/me/o.git#abc"}}},
        "package.json": {"overrides": {"o": "github:me/o"}, "packageManager": "pnpm@9.1.0+sha512.abc"}},
    "npm1": {"package-lock.json": {"lockfileVersion": 1, "dependencies": {
        "a": {"version": "npm:lodash@4.17.21", "resolved": NPM + "lodash/-/lodash-4.17.21.tgz"},
        "f": {"version": "github:me/f#abc", "from": "github:me/f"}, "l": {"version": "file:l"}}}},
    "yarn1": {"yarn.lock": '# yarn lockfile v1\n\n"fork@me/fork", fork@^1:\n  version "1"\n  resolved "https://codeload.github.com/me/fork/tar.gz/a"\n\n'
              'lodash@^4:\n  version "4"\n  resolved "https://registry.yarnpkg.com/lodash/-/lodash-4.tgz#a"\n  dependencies:\n    x "^1"\n'},
    "berry": {"yarn.lock": BERRY + '"a@npm:lodash@^4":\n  version: 4\n  resolution: "lodash@npm:4.17.21"\n\n"fork@https://github.com/me/fork.git":\n'
              '  version: 1\n  resolution: "fork@https://github.com/me/fork.git#commit=abc"\n\n"x@workspace:.":\n  version: 0\n  resolution: "x@workspace:."\n'
              '  languageName: unknown\n\n? "y@npm:^1, y@npm:^1.1"\n:\n  version: 1\n  resolution: "y@npm:1.1"\n'},
    "pnpm": {"pnpm-lock.yaml": PNPM + "  '@a/b@1.0.0(react@18.0.0)':\n    resolution: {integrity: sha512-x==}\n    engines: {node: '>=6'}\n"
             "    deprecated: |-\n      a: b\n  f@https://codeload.github.com/me/f/tar.gz/abc:\n    resolution: {tarball: https://codeload.github.com/me/f/tar.gz/abc}\n"},
    "bun": {"bun.lock": '{\n  "lockfileVersion": 1,\n  "workspaces": {"": {"name": "x", "dependencies": {"a": "npm:lodash@^4", "g": "github:me/g",},},},\n'
            '  "packages": {"a": ["lodash@4.17.21", "", {}, "sha512-x"], "b/@c/d": ["@c/d@1.0.0", "", {}, "sha512-y"],\n'
            '    "g": ["g@github:me/g#abc", {}, "me-g-abc"], "w": ["w@workspace:packages/w"],},\n}\n'},
    "python": {"poetry.lock": '[[package]]\nname = "ruamel-yaml"\nversion = "0.18"\nfiles = [\n  {file = "ruamel.yaml-0.18.tar.gz", hash = "sha256:x"},\n]\n',
               "uv.lock": 'version = 1\n[[package]]\nname = "ruamel-yaml"\nversion = "0.18"\nsource = { registry = "https://pypi.org/simple" }\n'
               f'sdist = {{ url = "{PYPI}ruamel.yaml-0.18.tar.gz" }}\nwheels = [{{ url = "{PYPI}ruamel_yaml-0.18-py3-none-any.whl" }}]\n[[package]]\nname = "x"\nsource = {{ editable = "." }}\n',
               "requirements.txt": "--find-links ./wheels\nx @ git+https://github.com/me/x@v1\n"},
    "cargo": {"Cargo.lock": 'version = 4\n[[package]]\nname = "a"\nsource = "sparse+https://index.crates.io/"\n[[package]]\nname = "b"\nsource = "git+https://github.com/me/b?rev=1#1"\n[[package]]\nname = "c"\n'},
    "go": {"go.mod": "module x.example/a\n\nreplace (\n\tgithub.com/a/b => github.com/me/b v1.0.0 // a fork\n\tx.example/c => ./c\n\tx.example/d => x.example/e v1.0.0\n)\n"},
    "flake": {"flake.lock": {"nodes": {"root": {"inputs": {}}, "nixpkgs": {"original": {"id": "nixpkgs", "type": "indirect"}, "locked": {"owner": "NixOS", "repo": "nixpkgs", "type": "github"}},
                                       "u": {"original": {"owner": "n", "repo": "u", "type": "github", "ref": "x"}, "locked": {"owner": "n", "repo": "u", "type": "github", "rev": "a"}}}}},
}
