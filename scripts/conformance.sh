#!/usr/bin/env bash
# npm run conformance: the official client suite against the built command line (`-- --help` says what it takes).
set -eu
cd "$(dirname "$0")/.."
. scripts/bootstrap.sh
bootstrap test
node scripts/build.ts --if-needed
if [ "$(uname -s)" = Linux ]; then
  exec bash test/support/with-keychain.sh node test/conformance/run.ts "$@"
fi
exec node test/conformance/run.ts "$@"
