"""Writes minece/viewer/three.min.js: the parts of three.js that the viewer uses, in one minified script.

Needs npm and a network, once; the checksum of the package is compared with the one below. Run it after changing
VERSION or NAMES, and bring NOTICE up to date: a test compares its checksum of the script.
"""

import base64
import hashlib
import json
import subprocess
import tempfile
from pathlib import Path

VERSION = "0.187.0"
INTEGRITY = "sha512-Qiu7R+Cmh8CstZsY1uJOSWnVlfo7ZtNLV7mF8Jltk3LB3AtDu9cRZlcnRKkAk8Y4z6KKw35z7Y7Urd7jWY8etA=="
ESBUILD = "0.28.2"
NAMES = (
    "BufferAttribute BufferGeometry CanvasTexture ColorManagement LineBasicMaterial LineSegments Mesh "
    "MeshBasicMaterial PerspectiveCamera PlaneGeometry Scene ShaderMaterial Vector3 WebGLRenderer"
).split()
TARGET = Path(__file__).resolve().parents[1] / "minece" / "viewer" / "three.min.js"


def main() -> None:
    """Fetch the package, check it, and write the script with its licence at the head."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)

        def run(*words: str) -> str:
            return subprocess.run(words, cwd=folder, check=True, stdout=subprocess.PIPE, text=True).stdout

        (packed,) = json.loads(run("npm", "pack", "--json", f"three@{VERSION}"))
        digest = hashlib.sha512((folder / packed["filename"]).read_bytes()).digest()
        if (found := f"sha512-{base64.b64encode(digest).decode()}") != INTEGRITY:
            raise SystemExit(f"three {VERSION} has the checksum {found}, not {INTEGRITY}")
        (folder / "package.json").write_text('{"private": true}')
        run("npm", "install", "--silent", packed["filename"], f"esbuild@{ESBUILD}")
        (folder / "entry.js").write_text(
            f"export {{ {', '.join(NAMES)} }} from 'three'\n"
            "export { OrbitControls } from 'three/addons/controls/OrbitControls.js'\n"
        )
        options = "--bundle --minify --format=iife --global-name=THREE --legal-comments=none --target=es2020".split()
        script = run("node_modules/.bin/esbuild", "entry.js", "--log-level=error", *options)
        licence = (folder / "node_modules" / "three" / "LICENSE").read_text(encoding="utf-8").strip().splitlines()
    head = [f"three.js {VERSION} with its OrbitControls, by tools/make_three.py", "", *licence]
    comment = "".join(f" * {line}".rstrip() + "\n" for line in head)
    TARGET.write_text(f"/*!\n{comment} */\n{script}", encoding="utf-8")
    print(f"{TARGET.name}: {TARGET.stat().st_size} bytes, SHA-256 {hashlib.sha256(TARGET.read_bytes()).hexdigest()}")


if __name__ == "__main__":
    main()
