#!/bin/sh
# Validate, plan and apply examples/support-desk on the embedded emulator, then plan again: the second plan
# must be empty. CESPLAN names the program to run (default: cesplan). Works on a copy and leaves nothing behind.
set -eu

cesplan=${CESPLAN:-cesplan}
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/cesplan-demo.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# The tree alone: an emulator's data from earlier runs stays where it is.
(cd "$here/examples/support-desk" && tar -cf - --exclude=.cesplan .) | (cd "$work" && tar -xf -)
cd "$work"
unset CES_EMULATOR_HOST

run() {
  if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then
    printf '\033[1m$ cesplan %s\033[0m\n' "$*"
  else
    printf '$ cesplan %s\n' "$*"
  fi
  "$cesplan" "$@"
  printf '\n'
}

run validate
run plan --emulator
run apply --emulator --auto-approve
run plan --emulator --detailed-exitcode   # exits with 2, and ends this script, when anything is left to do
