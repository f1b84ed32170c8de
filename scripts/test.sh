#!/usr/bin/env bash
# npm test: everything, from a fresh machine on. `npm test -- unit contract` runs only these parts.
set -eu
cd "$(dirname "$0")/.."
. scripts/bootstrap.sh
bootstrap test
exec node scripts/test.ts "$@"
