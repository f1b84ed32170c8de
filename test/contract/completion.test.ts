import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { findBashCompletion } from '../support/bash-completion.ts';
import { posternCommand, runPostern } from '../support/postern-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { writeProfile } from '../support/write-profile.ts';

const root = path.join(import.meta.dirname, '../..');

/** Each in a shell of its own: the script, a line with the cursor at its end, and what the shell would offer. */
const tries = {
  bash: `. "$1"; COMP_WORDS=(postern settings --re); COMP_CWORD=2; _postern; printf '%s\\n' "\${COMPREPLY[@]}"`,
  // Where nobody types, zsh has no such functions of its own.
  zsh: `compdef() { :; }; compadd() { shift; print -l -- "$@"; }; . "$1"; words=(postern settings --re); CURRENT=3; _postern`,
  fish: `source $argv[1]; complete -C 'postern settings --re'`,
} as const;

const isThere = (shell: string): boolean => spawnSync(shell, ['-c', 'exit 0']).status === 0;

/** What the shell says with the command on its path; `home` is its person's. */
function ask(shell: string, words: readonly string[], home: string, more: NodeJS.ProcessEnv = {}): string {
  const command = path.join(home, 'postern');
  writeFileSync(command, `#!/bin/sh\nexec ${posternCommand().join(' ')} "$@"\n`);
  chmodSync(command, 0o755);
  const env = {
    ...process.env,
    HOME: home,
    POSTERN_HOME: path.join(home, 'profile'),
    PATH: `${home}:${process.env['PATH']}`,
    ...more,
  };
  return spawnSync(shell, words, { encoding: 'utf8', env }).stdout.trim();
}

for (const [shell, script] of Object.entries(tries)) {
  it.skipIf(!isThere(shell))(`${shell} offers what its script is told`, async () => {
    const home = temporaryFolder();
    const { stdout } = await runPostern(['completion', shell], { home });
    const completion = path.join(home, 'completion');
    writeFileSync(completion, stdout);
    const words = shell === 'fish' ? ['-c', script, completion] : ['-c', script, shell, completion];
    expect(ask(shell, words, home)).toBe('--restore');
  });
}

const bashCompletion = findBashCompletion();

/** Each in its place below the folders of a distribution, where the shell itself looks for it by its name. */
const places = {
  bash: {
    file: 'bash-completion/completions/postern',
    script: `. "$BASH_COMPLETION"; _completion_loader postern; COMP_WORDS=(postern settings --re); COMP_CWORD=2; _postern; printf '%s\\n' "\${COMPREPLY[@]}"`,
    isThere: () => bashCompletion !== undefined,
  },
  // A zsh at a terminal of its own, with the key pressed.
  zsh: {
    file: 'zsh/vendor-completions/_postern',
    script: `zmodload zsh/zpty; zpty shell zsh -f -i
      zpty -w shell "PS1=; fpath=($SHARE/zsh/vendor-completions $fpath); autoload -Uz compinit; compinit -u -d $HOME/dump; echo rea''dy"
      zpty -r shell line '*ready*'
      zpty -w -n shell $'postern settings --re\\t'
      zpty -r shell line '*--restore*' && echo --restore`,
    isThere: () => true,
  },
  fish: {
    file: 'fish/vendor_completions.d/postern.fish',
    script: `complete -C 'postern settings --re'`,
    isThere: () => true,
  },
} as const;

for (const [shell, { file, script, isThere: has }] of Object.entries(places)) {
  it.skipIf(!isThere(shell) || !has())(`${shell} finds the file that the package installs`, async () => {
    const home = temporaryFolder();
    const share = path.join(home, 'share');
    mkdirSync(path.dirname(path.join(share, file)), { recursive: true });
    copyFileSync(path.join(root, 'dist/share', path.basename(file)), path.join(share, file));
    const env = {
      SHARE: share,
      BASH_COMPLETION: bashCompletion,
      BASH_COMPLETION_USER_DIR: path.join(share, 'bash-completion'),
      XDG_DATA_DIRS: share,
    };
    expect(ask(shell, ['-c', script], home, env)).toBe('--restore');
  });
}

it('offers servers by name where that needs no quotes, programs, settings and their values, each where it belongs', async () => {
  const home = temporaryFolder();
  writeProfile(home, 2);
  const offered = async (...words: string[]): Promise<string[]> =>
    (await runPostern(['completion', 'words', '--', ...words], { home })).stdout.trim().split('\n');
  expect(await offered('tools', '')).toEqual(['server-1', 'server-2']);
  await runPostern(['rename', 'server-1', 'Notes'], { home });
  expect(await offered('tools', '')).toEqual(['Notes', 'server-2']);
  expect(await offered('use', 'some', 'cursor', 'claude-c')).toEqual(['claude-code']);
  expect(await offered('settings', 'the')).toEqual(['theme']);
  expect(await offered('settings', 'theme', '')).toEqual(['system', 'light', 'dark']);
  expect(await offered('settings', 'certificateFile', '')).toEqual(['']);
});
