#!/usr/bin/env bash
# npm start: prepares the machine, builds, then shows the main job with the demo servers (`-- --approve`: unattended).
set -eu
cd "$(dirname "$0")/.."
. scripts/bootstrap.sh
bootstrap start
node scripts/build.ts --if-needed
exec node scripts/start.ts "$@"
