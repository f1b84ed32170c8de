#!/usr/bin/env bash
# npm run demo: an authorization server and an MCP server on this computer, to try Postern on.
set -eu
cd "$(dirname "$0")/.."
. scripts/bootstrap.sh
bootstrap start
node scripts/build.ts --if-needed
exec node test/demo/demo.ts "$@"
