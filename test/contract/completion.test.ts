import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { startDemo } from '../demo/start-demo.ts';
import { anIntegration } from '../support/an-integration.ts';
import { onTerminal } from '../support/on-terminal.ts';
import { posternCommand, runPostern, startCommand } from '../support/postern-process.ts';
import { findBashCompletion, findShell } from '../support/shells.ts';
import type { Shell } from '../support/shells.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { inputSchema, startRawServer } from '../support/raw-mcp-server.ts';
import { writeList } from '../support/write-profile.ts';

const root = path.join(import.meta.dirname, '../..');

const shells = { bash: findShell('bash'), zsh: findShell('zsh'), fish: findShell('fish') };

/** The output of the shell with the command on its path; `home` is its user's. */
function ask(shell: Shell, words: readonly string[], home: string, more: NodeJS.ProcessEnv = {}): string {
  const command = path.join(home, 'postern');
  writeFileSync(command, `#!/bin/sh\nexec ${posternCommand().join(' ')} "$@"\n`);
  chmodSync(command, 0o755);
  shell.prepare(home);
  const env = {
    ...process.env,
    HOME: home,
    POSTERN_HOME: path.join(home, 'profile'),
    PATH: `${home}:${process.env['PATH']}`,
    ...shell.env,
    ...more,
  };
  return spawnSync(shell.command, words, { encoding: 'utf8', env }).stdout.trim();
}

const bashCompletion = findBashCompletion();

/** Each below the folders of a distribution, where the shell finds it by its name. */
const places = {
  bash: {
    file: 'bash-completion/completions/postern',
    script: `. "$BASH_COMPLETION"; _completion_loader postern; COMP_LINE='postern settings --re'; COMP_POINT=21; _postern; printf '%s\\n' "\${COMPREPLY[@]}"`,
    isThere: () => bashCompletion !== undefined,
  },
  // A zsh at a terminal of its own, with the key pressed.
  zsh: {
    file: 'zsh/vendor-completions/_postern',
    script: `zmodload zsh/zpty; zpty shell $ZSH -d -i
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

for (const name of ['bash', 'zsh', 'fish'] as const) {
  const { file, script, isThere } = places[name];
  const shell = shells[name];
  it.skipIf(!shell || !isThere())(`${name} loads the file that the package installs`, async () => {
    if (!shell) return;
    const home = temporaryFolder();
    const share = path.join(home, 'share');
    mkdirSync(path.dirname(path.join(share, file)), { recursive: true });
    copyFileSync(path.join(root, 'dist/share', path.basename(file)), path.join(share, file));
    const env = {
      SHARE: share,
      ZSH: shell.command,
      BASH_COMPLETION: bashCompletion,
      BASH_COMPLETION_USER_DIR: path.join(share, 'bash-completion'),
      XDG_DATA_DIRS: share,
    };
    expect(ask(shell, ['-c', script], home, env)).toBe('--restore');
  });
}

/** How a shell of a user starts at a terminal, and what reads the script there. */
const atTerminal = {
  bash: { words: ['--norc', '--noprofile', '-i'], read: '. ./completion' },
  zsh: { words: ['-d', '-i'], read: 'autoload -Uz compinit; compinit -u -D; . ./completion' },
  fish: { words: ['--no-config', '-i'], read: 'source ./completion' },
} as const;

/** What is typed before the key is pressed, and the words that the command is then given. */
type Completed = readonly [typed: string, ...words: string[]];

/** A shell at a terminal of its own, with a list of servers and the tools of one. */
async function completeAtTerminal(
  name: 'bash' | 'zsh' | 'fish',
  shell: Shell,
  home: string,
  completed: readonly Completed[],
): Promise<void> {
  const { words, read } = atTerminal[name];
  shell.prepare(home);
  writeFileSync(path.join(home, 'completion'), (await runPostern(['completion', name], { home })).stdout);
  writeFileSync(path.join(home, 'zz-file.json'), '');
  // Requests outside a key press return what was typed.
  const command = `#!/bin/sh\n[ "$1" = completion ] && exec ${posternCommand().join(' ')} "$@"\nprintf 'RAN'; printf '<%s>' "$@"; echo\n`;
  writeFileSync(path.join(home, 'postern'), command, { mode: 0o755 });
  const PATH = `${home}:${process.env['PATH']}`;
  const env = { HOME: home, PATH, TERM: 'dumb', LC_ALL: 'C.UTF-8', ...shell.env };
  const terminal = startCommand(onTerminal(shell.command, ...words), { home, cwd: home, env });
  terminal.type(`${read}\n`);
  for (const [end, [typed, ...given]] of completed.entries()) {
    terminal.type(`postern ${typed}\t end-${end}\n`);
    const [ran = ''] = await terminal.waitFor(new RegExp(`RAN<.*end-${end}>`, 'u'));
    expect(ran).toBe(`RAN${[...given, `end-${end}`].map((word) => `<${word}>`).join('')}`);
  }
  // It may still write its history.
  terminal.type('exit\n');
  await terminal.ended;
}

for (const name of ['bash', 'zsh', 'fish'] as const) {
  const shell = shells[name];
  describe.skipIf(process.platform !== 'linux' || !shell)(name, () => {
    it('completes a file only where one is expected', async () => {
      const home = temporaryFolder();
      writeList(home, [anIntegration({ id: '1f0c2a9e-41d7', name: 'Notes', alias: 'notes' })]);
      await completeAtTerminal(name, shell as Shell, home, [
        ['import zz', 'import', 'zz-file.json'],
        ['show zz', 'show', 'zz'],
        ['connect --name zz', 'connect', '--name', 'zz'],
        ['call Notes - zz', 'call', 'Notes', '-', 'zz'],
        ['show No', 'show', 'Notes'],
        ['settings --re', 'settings', '--restore'],
        [
          'with https://x.example/mcp -- call echo --any',
          'with',
          'https://x.example/mcp',
          '--',
          'call',
          'echo',
          '--any-field',
        ],
      ]);
    });

    it('completes names of servers and tools with spaces, colons, quotes and brackets, quoted or not', async () => {
      const home = temporaryFolder();
      const server = await startOddServer();
      const named = (id: string, title: string, alias: string) =>
        anIntegration({ id, name: title, alias, url: `https://${alias}.example/mcp` });
      writeList(home, [
        named('1f0c2a9e-41d7', 'My mail', 'mail'),
        named('2f0c2a9e-41d7', 'Team: "A" (x) [1]', 'team'),
        named('3f0c2a9e-41d7', "Ann's $HOME", 'ann'),
      ]);
      expect((await runPostern(['connect', server, '--local', '--name', 'Odd'], { home })).code).toBe(0);
      expect((await runPostern(['tools', 'Odd'], { home })).code).toBe(0);
      await completeAtTerminal(name, shell as Shell, home, [
        ['show My', 'show', 'My mail'],
        [String.raw`show My\ m`, 'show', 'My mail'],
        ['show "My m', 'show', 'My mail'],
        ["show 'My m", 'show', 'My mail'],
        ['show Team', 'show', 'Team: "A" (x) [1]'],
        ['show "Team:', 'show', 'Team: "A" (x) [1]'],
        ['show Ann', 'show', "Ann's $HOME"],
        ['show "Ann', 'show', "Ann's $HOME"],
        ['show 1f0c', 'show', '1f0c'],
        ['permit Odd ns:to', 'permit', 'Odd', 'ns:tool'],
        ['permit Odd "ns:to', 'permit', 'Odd', 'ns:tool'],
        ['permit Odd two', 'permit', 'Odd', 'two words'],
        ['permit Odd br', 'permit', 'Odd', 'br[0]'],
        ['permit Odd quo', 'permit', 'Odd', 'quo"te'],
        ["permit Odd 'it", 'permit', 'Odd', "it's"],
        ['permit Odd x', 'permit', 'Odd', 'x$(y)'],
        ['permit Odd +p', 'permit', 'Odd', '+plus'],
        ['permit Odd -- -da', 'permit', 'Odd', '--', '-dash'],
        ['permit "My mail" zz', 'permit', 'My mail', 'zz'],
      ]);
    });
  });
}

/** Names that a shell would parse differently, and one that no terminal shows. */
const oddTools = [
  'ns:tool',
  'two words',
  'br[0]',
  'quo"te',
  "it's",
  'x$(y)',
  '+plus',
  '-dash',
  'esc\u001b[2J',
  'two\nlines',
];

async function startOddServer(): Promise<string> {
  const names = [...oddTools, ...Array.from({ length: 120 }, (_, at) => `many-${at}`)];
  const tools = names.map((name) => ({ name, inputSchema }));
  return (await startRawServer('stateless', tools)).url;
}

it('suggests at most a hundred names, only printable ones, and those with a dash only after --', async () => {
  const home = temporaryFolder();
  const server = await startOddServer();
  expect((await runPostern(['connect', server, '--local', '--name', 'Odd'], { home })).code).toBe(0);
  expect((await runPostern(['tools', 'Odd'], { home })).code).toBe(0);
  const suggest = async (...words: string[]) =>
    (await runPostern(['completion', 'words', '--json', '--', 'permit', 'Odd', ...words], { home })).last['words'];
  expect(await suggest('many')).toHaveLength(100);
  const some = ['ns:tool', 'two words', 'br[0]', 'quo"te', "it's", 'x$(y)', '+plus'];
  expect(((await suggest('')) as string[]).slice(0, 8)).toEqual([...some, 'many-0']);
  expect(((await suggest('--', '')) as string[]).slice(0, 8)).toEqual([...some, '-dash']);
  expect(await suggest('-da')).toEqual([]);
  expect(await suggest('esc')).toEqual([]);
});

it('suggests servers by name or alias and never by id, apps, settings and their values, each where it belongs', async () => {
  const home = temporaryFolder();
  const named = (id: string, name: string, alias: string) =>
    anIntegration({ id, name, alias, url: `https://${alias}.example/mcp` });
  writeList(home, [
    named('1f0c2a9e-41d7', 'Notes', 'notes'),
    named('2f0c2a9e-41d7', 'My mail', 'mail'),
    named('3f0c2a9e-41d7', 'Twice', 'twice'),
    named('4f0c2a9e-41d7', 'twice', 'twice-2'),
    {
      ...named('5f0c2a9e-41d7', 'Files', 'files'),
      url: 'http://127.0.0.1:1/',
      command: { command: 'node', path: '/usr/bin/node', arguments: [], variables: [] },
    },
  ]);
  const offered = async (...words: string[]): Promise<readonly string[]> =>
    (await runPostern(['completion', 'words', '--json', '--', ...words], { home })).last['words'] as readonly string[];
  expect(await offered('tools', '')).toEqual(['Notes', 'mail', 'twice', 'twice-2', 'Files']);
  expect(await offered('local', 'logs', '')).toEqual(['Files']);
  expect(await offered('tools', 'n')).toEqual(['notes']);
  expect(await offered('tools', '1f')).toEqual([]);
  expect(await offered('use', 'some', 'cursor', 'claude-c')).toEqual(['claude-code']);
  expect(await offered('settings', 'the')).toEqual(['theme']);
  expect(await offered('settings', 'theme', '')).toEqual(['system', 'light', 'dark']);
  expect(await offered('settings', 'certificateFile', '')).toEqual([]);
});

it('suggests the tools of a server for permit, as last listed, without any request', async () => {
  const demo = await startDemo({ folder: temporaryFolder(), mode: 'registration' });
  const home = temporaryFolder();
  await runPostern(['connect', demo.url, '--local', '--name', 'Demo'], { home });
  const { last } = await runPostern(['tools', 'Demo', '--json'], { home });
  const names = (last['tools'] as readonly { readonly name: string }[]).map(({ name }) => name);
  await demo.close();
  const suggested = await runPostern(['completion', 'words', '--json', '--', 'permit', 'demo', ''], { home });
  expect(suggested.last['words']).toEqual(names);
  expect(names.length).toBeGreaterThan(0);
});
