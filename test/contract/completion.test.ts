import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { findBashCompletion } from '../support/bash-completion.ts';
import { onTerminal } from '../support/on-terminal.ts';
import { posternCommand, runPostern, startCommand } from '../support/postern-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startDemo } from '../demo/start-demo.ts';
import { anIntegration } from '../support/an-integration.ts';
import { writeList } from '../support/write-profile.ts';

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

/** How a shell of a user starts at a terminal, and what reads the script there. */
const atTerminal = {
  bash: { words: ['bash', '--norc', '--noprofile', '-i'], read: '. ./completion' },
  zsh: { words: ['zsh', '-f', '-i'], read: 'autoload -Uz compinit; compinit -u -d ./dump; . ./completion' },
  fish: { words: ['fish', '--no-config', '-i'], read: 'source ./completion' },
} as const;

for (const [shell, { words, read }] of Object.entries(atTerminal)) {
  it.skipIf(process.platform !== 'linux' || !isThere(shell))(
    `${shell} completes a file only where one is meant`,
    async () => {
      const home = temporaryFolder();
      writeList(home, [anIntegration({ id: '1f0c2a9e-41d7', name: 'Notes', alias: 'notes' })]);
      writeFileSync(path.join(home, 'completion'), (await runPostern(['completion', shell], { home })).stdout);
      writeFileSync(path.join(home, 'zz-file.json'), '');
      // Whatever is not asked for at the press of the key is said as it was typed.
      const command = `#!/bin/sh\n[ "$1" = completion ] && exec ${posternCommand().join(' ')} "$@"\nprintf 'RAN'; printf '<%s>' "$@"; echo\n`;
      writeFileSync(path.join(home, 'postern'), command, { mode: 0o755 });
      const PATH = `${home}:${process.env['PATH']}`;
      const terminal = startCommand(onTerminal(...words), { home, cwd: home, env: { HOME: home, PATH, TERM: 'dumb' } });
      terminal.type(`${read}\n`);
      for (const [end, [typed, completed]] of Object.entries([
        ['import zz', '<import><zz-file.json>'],
        ['show zz', '<show><zz>'],
        ['connect --name zz', '<connect><--name><zz>'],
        ['show No', '<show><Notes>'],
      ] as const)) {
        terminal.type(`postern ${typed}\t end-${end}\n`);
        const [ran = ''] = await terminal.waitFor(new RegExp(`RAN<.*end-${end}>`, 'u'));
        expect(ran).toBe(`RAN${completed}<end-${end}>`);
      }
    },
  );
}

it('offers servers by name or alias and never by id, programs, settings and their values, each where it belongs', async () => {
  const home = temporaryFolder();
  const named = (id: string, name: string, alias: string) =>
    anIntegration({ id, name, alias, url: `https://${alias}.example/mcp` });
  writeList(home, [
    named('1f0c2a9e-41d7', 'Notes', 'notes'),
    named('2f0c2a9e-41d7', 'My mail', 'mail'),
    named('3f0c2a9e-41d7', 'Twice', 'twice'),
    named('4f0c2a9e-41d7', 'twice', 'twice-2'),
  ]);
  const offered = async (...words: string[]): Promise<readonly string[]> =>
    (await runPostern(['completion', 'words', '--json', '--', ...words], { home })).last['words'] as readonly string[];
  expect(await offered('tools', '')).toEqual(['Notes', 'mail', 'twice', 'twice-2']);
  expect(await offered('tools', 'n')).toEqual(['notes']);
  expect(await offered('tools', '1f')).toEqual([]);
  expect(await offered('use', 'some', 'cursor', 'claude-c')).toEqual(['claude-code']);
  expect(await offered('settings', 'the')).toEqual(['theme']);
  expect(await offered('settings', 'theme', '')).toEqual(['system', 'light', 'dark']);
  expect(await offered('settings', 'certificateFile', '')).toEqual([]);
});

it('offers the tools of a server for permit, as they were last listed, and asks nobody', async () => {
  const demo = await startDemo({ folder: temporaryFolder(), mode: 'registration' });
  const home = temporaryFolder();
  await runPostern(['connect', demo.url, '--local', '--name', 'Demo'], { home });
  const { last } = await runPostern(['tools', 'Demo', '--json'], { home });
  const names = (last['tools'] as readonly { readonly name: string }[]).map(({ name }) => name);
  await demo.close();
  const offered = await runPostern(['completion', 'words', '--json', '--', 'permit', 'demo', ''], { home });
  expect(offered.last['words']).toEqual(names);
  expect(names.length).toBeGreaterThan(0);
});
