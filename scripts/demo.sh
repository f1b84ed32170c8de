#!/usr/bin/env bash
# npm run demo: a local authorization server and MCP server, to try Postern with.
set -eu
cd "$(dirname "$0")/.."
. scripts/bootstrap.sh
bootstrap start
node scripts/build.ts --if-needed
exec node test/demo/demo.ts "$@"
