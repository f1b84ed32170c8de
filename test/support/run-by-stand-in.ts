import { readFileSync, writeFileSync } from 'node:fs';
import { standInLauncher } from './window-runtime.ts';

/** As a package's fuses require. */
const ignoreVariables = 'unset NODE_OPTIONS ELECTRON_RUN_AS_NODE';

/**
 * Replaces the executable of a package made without Electron with the stand-in; its fuses stay readable. `habit`: shell
 * script lines to run first, with `$folder` as the package.
 */
export function runByStandIn(executable: string, preamble = ignoreVariables): void {
  const script = `#!/bin/sh
folder=$(dirname "$0")
${preamble}
exec '${process.execPath}' '${standInLauncher}' "$folder" "$@"
exit 0
`;
  const before = readFileSync(executable, 'latin1');
  const fuses = before.slice(before.indexOf('exit 0\n') + 'exit 0\n'.length);
  writeFileSync(executable, `${script}${fuses}`, 'latin1');
}
