#!/usr/bin/env bash
# with-keychain.sh FILE [ARGUMENTS…]: runs a test script with the built command line; on Linux with a private keychain.
set -eu
cd "$(dirname "$0")/.."
. scripts/bootstrap.sh
bootstrap test
node scripts/build.ts --if-needed
if [ "$(uname -s)" = Linux ]; then
  exec bash test/support/with-keychain.sh node "$@"
fi
exec node "$@"
