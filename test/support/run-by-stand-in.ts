import { readFileSync, writeFileSync } from 'node:fs';
import { standInLauncher } from './window-runtime.ts';

/** As the fuses of a package say. */
const heedsNothing = 'unset NODE_OPTIONS ELECTRON_RUN_AS_NODE';

/**
 * Puts the stand-in in the place of what runs a package made without Electron; the fuses in that file stay readable.
 * `habit`: lines of a shell script before it starts, with `$folder` for the package.
 */
export function runByStandIn(executable: string, habit = heedsNothing): void {
  const script = `#!/bin/sh
folder=$(dirname "$0")
${habit}
exec '${process.execPath}' '${standInLauncher}' "$folder" "$@"
exit 0
`;
  const before = readFileSync(executable, 'latin1');
  const fuses = before.slice(before.indexOf('exit 0\n') + 'exit 0\n'.length);
  writeFileSync(executable, `${script}${fuses}`, 'latin1');
}
