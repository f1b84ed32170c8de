#!/usr/bin/env bash
# npm start: makes the machine ready, builds, then shows the main job on the demo servers (`-- --approve`: by itself).
set -eu
cd "$(dirname "$0")/.."
. scripts/bootstrap.sh
bootstrap start
node scripts/build.ts --if-needed
exec node scripts/start.ts "$@"
