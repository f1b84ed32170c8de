import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { posternCommand, runPostern } from '../support/postern-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Each in a shell of its own: the script, a line with the cursor at its end, and what the shell would offer. */
const tries = {
  bash: `. "$1"; COMP_WORDS=(postern settings --re); COMP_CWORD=2; _postern; printf '%s\\n' "\${COMPREPLY[@]}"`,
  // Where nobody types, zsh has no such functions of its own.
  zsh: `compdef() { :; }; compadd() { shift; print -l -- "$@"; }; . "$1"; words=(postern settings --re); CURRENT=3; _postern`,
  fish: `source $argv[1]; complete -C 'postern settings --re'`,
} as const;

const isThere = (shell: string): boolean => spawnSync(shell, ['-c', 'exit 0']).status === 0;

for (const [shell, script] of Object.entries(tries)) {
  it.skipIf(!isThere(shell))(`${shell} offers what its script is told`, async () => {
    const home = temporaryFolder();
    const { stdout } = await runPostern(['completion', shell], { home });
    const [completion, command] = [path.join(home, 'completion'), path.join(home, 'postern')];
    writeFileSync(completion, stdout);
    writeFileSync(command, `#!/bin/sh\nexec ${posternCommand().join(' ')} "$@"\n`);
    chmodSync(command, 0o755);
    const words = shell === 'fish' ? ['-c', script, completion] : ['-c', script, shell, completion];
    const offered = spawnSync(shell, words, {
      encoding: 'utf8',
      env: {
        ...process.env,
        HOME: home,
        POSTERN_HOME: path.join(home, 'profile'),
        PATH: `${home}:${process.env['PATH']}`,
      },
    });
    expect(offered.stdout.trim()).toBe('--restore');
  });
}
