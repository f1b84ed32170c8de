#!/usr/bin/env bash
# npm test: all parts except the long ones, even on a fresh machine. `npm test -- unit contract` runs only these parts;
# `npm run test:all` adds the long ones.
set -eu
cd "$(dirname "$0")/.."
. scripts/bootstrap.sh
bootstrap test
exec node scripts/test.ts "$@"
