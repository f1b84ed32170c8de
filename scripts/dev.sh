#!/usr/bin/env bash
# npm run dev: the window of the sources as they are edited, and a page with every state of it.
set -eu
cd "$(dirname "$0")/.."
. scripts/bootstrap.sh
bootstrap start
exec node scripts/dev/dev.ts "$@"
