#!/bin/bash
# with-keychain.sh [--no-dbus] [--home DIR] command…
# Runs a command with a private HOME, XDG folders, session bus and unlocked keyring, all gone afterwards.
set -euo pipefail
mode=normal
keep=
while :; do
  case "${1:-}" in
    --no-dbus) mode=no-dbus; shift ;;
    --home) keep=$2; shift 2 ;;
    *) break ;;
  esac
done
root=$(mktemp -d -t kc.XXXXXX)
trap 'rm -rf "$root"' EXIT
export HOME=${keep:-$root/home} XDG_RUNTIME_DIR=$root/run
export XDG_DATA_HOME=$HOME/.local/share XDG_CONFIG_HOME=$HOME/.config XDG_CACHE_HOME=$HOME/.cache
mkdir -p -m 700 "$HOME" "$XDG_RUNTIME_DIR" "$XDG_DATA_HOME"
unset DBUS_SESSION_BUS_ADDRESS GNOME_KEYRING_CONTROL DISPLAY WAYLAND_DISPLAY
# Electron has no windows without a display: one that was started for the tests is named so.
if [ -n "${POSTERN_TEST_DISPLAY:-}" ]; then export DISPLAY=$POSTERN_TEST_DISPLAY; fi
if [ $mode = no-dbus ]; then
  DBUS_SESSION_BUS_ADDRESS=unix:path=$root/none "$@"
  exit
fi
# The wait for the name matters: without it the next call would start a second, locked daemon.
dbus-run-session -- bash -c '
  printf %s test | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1
  owner="dbus-send --session --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.NameHasOwner string:org.freedesktop.secrets"
  for i in $(seq 100); do $owner 2>/dev/null | grep -q "boolean true" && break; sleep 0.02; done
  "$@"' _ "$@"
