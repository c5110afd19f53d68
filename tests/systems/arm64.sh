#!/usr/bin/env bash
# Puts a CPython for arm64, with the packages that the commands need, into a folder: tests/systems/test_arm64.py runs it
# under qemu-aarch64-static. It needs Debian 12, whose apt offers python3.11 for arm64 too, and loads 20 MB.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
root=${1:-$HOME/.cache/ddzbot/arm64}
[ -e "$root/site" ] && exit
# A state of its own: what is installed and known here does not change.
state=$(mktemp -d)
trap 'rm -rf "$state"' EXIT
chmod 755 "$state"
mkdir -p "$state/lists/partial" "$state/archives/partial"
touch "$state/status"
options=(-qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User=root
    -o Dir::State="$state" -o Dir::State::status="$state/status" -o Dir::Cache="$state")
apt-get "${options[@]}" update
apt-get "${options[@]}" install -y --no-install-recommends --download-only python3.11 > /dev/null
mkdir -p "$root"
for package in "$state"/archives/*.deb; do
    dpkg -x "$package" "$root"
done
systems=(--platform manylinux2014_aarch64 --platform manylinux_2_28_aarch64 --only-binary=:all: --python-version 3.11)
python=${PYTHON:-python3}
mapfile -t needed < <("$python" -c 'from tools.shared.install import needed; print(*needed("base"), sep="\n")')
"$python" -m pip install -q --disable-pip-version-check "${systems[@]}" -c constraints.txt --target "$root/unfinished" \
    "${needed[@]}"
mv "$root/unfinished" "$root/site"
