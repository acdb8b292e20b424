#!/usr/bin/env bash
# Builds programs of the Kubernetes pinned in go.mod and prints the folder that has them.
# The result is cached per go.sum under $XDG_CACHE_HOME (or ~/.cache), so a second clone starts at once; only what is missing is built.
# usage: build.sh [--cached] PROGRAM...    --cached prints the folder if all are there, else exits 3 without building
set -euo pipefail
cd "$(dirname "$0")"
version=v1.34.1
cached_only=
if [ "${1:-}" = --cached ]; then cached_only=1; shift; fi
key=$(cat go.mod go.sum | sha256sum | cut -c1-16)
out=${LANDSCAPER_E2E_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/landscaper-e2e}/kubernetes-$version-$key
packages=()
for program in "$@"; do
  [ -x "$out/$program" ] || packages+=("k8s.io/kubernetes/cmd/$program")
done
if [ ${#packages[@]} -gt 0 ]; then
  if [ -n "$cached_only" ]; then exit 3; fi
  mkdir -p "$out"
  staging=$(mktemp -d "$out.XXXXXX")
  trap 'rm -rf "$staging"' EXIT
  flags="-s -w"
  for package in k8s.io/component-base/version k8s.io/client-go/pkg/version; do
    flags="$flags -X $package.gitVersion=$version -X $package.gitMajor=1 -X $package.gitMinor=34 -X $package.gitTreeState=clean"
  done
  CGO_ENABLED=0 go build -mod=readonly -trimpath -ldflags "$flags" -o "$staging/" "${packages[@]}" >&2
  # Each appears as a whole; where another build of the same key has been faster, its result is as good.
  mv -f "$staging"/* "$out/"
fi
echo "$out"
