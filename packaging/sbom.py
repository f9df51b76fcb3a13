#!/usr/bin/env python3
"""Writes the list of what the programs are made of, as SPDX 2.3.

    packaging/sbom.py RINGWALL FILE
"""

import hashlib
import json
import pathlib
import subprocess
import sys

from components import GRAMMAR, with_versions


def package(name, version, licence, use, supplier):
    made = {
        "SPDXID": "SPDXRef-" + name.replace("+", "p").replace("_", "-"),
        "name": name,
        "versionInfo": version or "NOASSERTION",
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": "NOASSERTION",
        "licenseDeclared": licence,
        "copyrightText": "NOASSERTION",
        "supplier": supplier,
        "summary": use,
    }
    if supplier == "Organization: Debian" and version:
        made["externalRefs"] = [{
            "referenceCategory": "PACKAGE-MANAGER",
            "referenceType": "purl",
            "referenceLocator": f"pkg:deb/debian/{name.replace('+', '%2B')}@{version.replace('+', '%2B')}?arch=amd64",
        }]
    return made


def main():
    program, file = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    facts = json.loads(subprocess.run([program, "version", "--json"], capture_output=True, check=True).stdout)
    digest = hashlib.sha256(program.read_bytes()).hexdigest()
    own = package("ringwall", facts["version"], "NOASSERTION", "walls around AI coding agents", "NOASSERTION")
    own["checksums"] = [{"algorithm": "SHA256", "checksumValue": digest}]
    own["primaryPackagePurpose"] = "APPLICATION"
    parts = [package(*row, "Organization: Debian") for row in with_versions()]
    name, licence, use = GRAMMAR
    parts.append(package(name, "", licence, use, "NOASSERTION"))
    document = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"ringwall-{facts['version']}",
        "documentNamespace": f"https://ringwall.invalid/spdx/{facts['version']}/{digest}",
        "creationInfo": {
            "creators": ["Tool: ringwall-sbom"],
            # Of the sources and not of today, so that the same sources give the same bytes.
            "created": utc(facts["committed"]),
        },
        "packages": [own, *parts],
        "relationships": [
            {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": own["SPDXID"]},
            *({"spdxElementId": own["SPDXID"], "relationshipType": "STATIC_LINK", "relatedSpdxElement": part["SPDXID"]} for part in parts),
        ],
    }
    file.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


def utc(committed):
    import datetime

    if committed is None:
        return "1970-01-01T00:00:00Z"
    when = datetime.datetime.fromisoformat(committed).astimezone(datetime.timezone.utc)
    return when.strftime("%Y-%m-%dT%H:%M:%SZ")


if __name__ == "__main__":
    main()
