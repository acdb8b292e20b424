#!/usr/bin/env bash
# Runs a command on this machine as it would be without a program, wherever it lies: in a mount namespace of its own whose folders are
# copied on write. Needs root and overlayfs. usage: without-program.sh PROGRAM COMMAND [ARGS...]
set -euo pipefail
if [ -z "${LANDSCAPER_WITHOUT_PROGRAM:-}" ]; then
  LANDSCAPER_WITHOUT_PROGRAM=1 exec unshare --mount --propagation private -- bash "$0" "$@"
fi
unset LANDSCAPER_WITHOUT_PROGRAM
program=$1
shift
layers=/mnt
mount -t tmpfs tmpfs "$layers"
IFS=: read -ra folders <<<"$PATH:/usr/sbin:/usr/local/bin:/usr/local/go/bin"
for folder in "${folders[@]}"; do
  [ -e "$folder/$program" ] || continue
  folder=$(realpath "$folder")
  [ -e "$folder/$program" ] || continue
  upper=$(mktemp -d -p "$layers")
  mkdir "$upper/changes" "$upper/work"
  mount -t overlay overlay -o "lowerdir=$folder,upperdir=$upper/changes,workdir=$upper/work" "$folder"
  rm "$folder/$program"
done
exec "$@"
