#!/usr/bin/env bash
# npm run dev: the window with hot reload, and a page that shows its every state.
set -eu
cd "$(dirname "$0")/.."
. scripts/bootstrap.sh
bootstrap start
exec node scripts/dev/dev.ts "$@"
