import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TestContext } from 'vitest';
import { findCommand, searchPath } from '../../../../main/local/local-environment.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** A folder with executables of these names. */
function executables(...names: readonly string[]): string {
  const folder = temporaryFolder();
  for (const name of names) {
    writeFileSync(path.join(folder, name), '');
    chmodSync(path.join(folder, name), 0o755);
  }
  return folder;
}

const onPosix = { extensions: [], platform: 'linux' } as const;
const onWindows = { extensions: ['.COM', '.EXE', '.BAT', '.CMD'], platform: 'win32' } as const;
const notFound = expect.objectContaining({ code: 'LOCAL_NOT_FOUND' });

describe('a command by its name', () => {
  it('is not searched for in a relative folder, which depends on the current folder', async () => {
    const folder = executables('tool');
    const relative = path.relative(process.cwd(), folder);
    const find = (searched: string) => findCommand('tool', folder, { ...onPosix, pathValue: searched });
    for (const searched of [relative, '.', '', `.${path.delimiter}${relative}`])
      expect(() => find(searched)).toThrow(notFound);
    expect(find([relative, folder].join(path.delimiter))).toBe(path.join(folder, 'tool'));
    const PATH = ['.', relative, '', folder].join(path.delimiter);
    expect(await searchPath({ PATH })).toEqual({ value: folder });
  });

  it('is an executable file', () => {
    const folder = executables('tool');
    chmodSync(path.join(folder, 'tool'), 0o644);
    expect(() => findCommand('tool', undefined, { ...onPosix, pathValue: folder })).toThrow(notFound);
  });
});

/** The path of a shell; skips the test if it is not installed. */
function requireShell(name: string, { skip }: TestContext): string {
  const file = ['/bin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin']
    .map((place) => `${place}/${name}`)
    .find(existsSync);
  return file ?? skip(`${name} is not installed`);
}
/** Start-up files that each shell reads in a terminal. */
const files: Readonly<Record<string, readonly string[]>> = {
  bash: ['.profile', '.bash_profile', '.bashrc'],
  zsh: ['.zprofile', '.zshrc', '.zshenv'],
  fish: ['.config/fish/config.fish', '.config/fish/conf.d/tool.fish'],
  sh: ['.profile'],
};
const inShells = Object.entries(files).flatMap(([name, read]) => read.map((file) => [name, file] as const));
const system = '/usr/bin:/bin';

/** Tools such as mise set PATH only at each prompt. */
const hooks: Readonly<Record<string, readonly [file: string, text: (folder: string) => string]>> = {
  bash: [
    '.bashrc',
    (folder) =>
      `_hook() { echo Welcome; eval "$(echo "export PATH='${folder}':\\$PATH")"; }\nPROMPT_COMMAND="_hook\${PROMPT_COMMAND:+;$PROMPT_COMMAND}"\n`,
  ],
  zsh: [
    '.zshrc',
    (folder) =>
      `_hook() { echo Welcome; export PATH="${folder}:$PATH" }\ntypeset -ag precmd_functions\nprecmd_functions+=(_hook)\n`,
  ],
  fish: [
    '.config/fish/config.fish',
    (folder) => `function _hook --on-event fish_prompt\necho Welcome\nset -gx PATH "${folder}" $PATH\nend\n`,
  ],
};

function shellHome(texts: Readonly<Record<string, string>>): string {
  const home = temporaryFolder();
  for (const [file, text] of Object.entries(texts)) {
    mkdirSync(path.dirname(path.join(home, file)), { recursive: true });
    writeFileSync(path.join(home, file), text);
  }
  return home;
}

/** A line that prepends a folder to PATH in this shell. */
function addTo(name: string, folder: string): string {
  return name === 'fish' ? `set -gx PATH "${folder}" $PATH\n` : `export PATH="${folder}:$PATH"\n`;
}

/** Start-up files of each shell: one that hangs or exits, and one that still adds the folder. */
const halves: Readonly<Record<string, readonly (readonly [stops: string, has: string])[]>> = {
  bash: [
    ['.bashrc', '.profile'],

    ['.profile', '.bashrc'],
  ],
  zsh: [
    ['.zshrc', '.zprofile'],
    ['.zshrc', '.zshenv'],
    ['.zprofile', '.zshrc'],
    ['.zlogin', '.zshrc'],
  ],
};
const stops = ['sleep 60', 'exit 0', 'exec cat'];
const inHalves = Object.entries(halves).flatMap(([name, pairs]) =>
  pairs.flatMap((pair) => stops.map((line) => [name, line, ...pair] as const)),
);

describe('the PATH of a terminal', () => {
  it.for(inShells)('is found if %s sets it in %s', async ([name, file], context) => {
    const SHELL = requireShell(name, context);
    const folder = executables('tool');
    const text = `echo 'Welcome! PATH=/nowhere'\n${addTo(name, folder)}`;
    const { value, warning } = await searchPath({ PATH: system, SHELL, HOME: shellHome({ [file]: text }) });
    expect(warning).toBeUndefined();
    // Folders found there precede those of the system.
    expect(value.split(path.delimiter)[0]).toBe(folder);
    expect(value.split(path.delimiter)).toEqual(expect.arrayContaining(['/usr/bin', '/bin']));
  });

  it.for(Object.entries(hooks))('is read at the first prompt of %s', async ([name, [file, write]], context) => {
    const SHELL = requireShell(name, context);
    const folder = executables('tool');
    const HOME = shellHome({ [file]: write(folder) });
    const { value, warning } = await searchPath({ PATH: system, SHELL, HOME });
    expect({ first: value.split(path.delimiter)[0], warning }).toEqual({ first: folder, warning: undefined });
  });

  it.for(inHalves)('of %s is found even if `%s` in %s blocks %s', async ([name, line, file, has], context) => {
    const SHELL = requireShell(name, context);
    const folder = executables('tool');
    const HOME = shellHome({ [file]: `echo Welcome\n${line}\n`, [has]: addTo(name, folder) });
    const { value, warning } = await searchPath({ PATH: system, SHELL, HOME });
    expect(value.split(path.delimiter)[0]).toBe(folder);
    expect(value.split(path.delimiter)).toEqual(expect.arrayContaining(['/usr/bin', '/bin']));
    expect(warning).toContain(SHELL);
  });

  it('of fish is found even if its file hangs only in a terminal', async (context) => {
    const SHELL = requireShell('fish', context);
    const folder = executables('tool');
    const text = `${addTo('fish', folder)}if status is-interactive\nsleep 60\nend\n`;
    const HOME = shellHome({ '.config/fish/config.fish': text });
    const { value, warning } = await searchPath({ PATH: system, SHELL, HOME });
    expect({ first: value.split(path.delimiter)[0], warning }).toEqual({
      first: folder,
      warning: expect.stringContaining(SHELL),
    });
  });

  it('of .profile is found even if it reads a .bashrc that hangs', async () => {
    const folder = executables('tool');
    const text = `if [ -n "$BASH_VERSION" ]; then . "$HOME/.bashrc"; fi\n${addTo('bash', folder)}`;
    const HOME = shellHome({ '.profile': text, '.bashrc': 'sleep 60\n' });
    const { value } = await searchPath({ PATH: system, SHELL: '/bin/bash', HOME });
    expect(value.split(path.delimiter)[0]).toBe(folder);
  });

  it('includes that of a shell that a start-up file switches to', async (context) => {
    const fish = requireShell('fish', context);
    const [outer, inner] = [executables('tool'), executables('tool')];
    const HOME = shellHome({
      '.bashrc': `${addTo('bash', outer)}read answer\nexec ${fish}\n`,
      '.config/fish/config.fish': addTo('fish', inner),
    });
    const { value } = await searchPath({ PATH: system, SHELL: '/bin/bash', HOME });
    expect(value.split(path.delimiter).slice(0, 2)).toEqual([inner, outer]);
  });

  it.for([
    ['zsh', '.zshrc', 'ZDOTDIR'],
    ['fish', 'fish/config.fish', 'XDG_CONFIG_HOME'],
  ] as const)('of %s is read from %s in %s', async ([name, file, variable], context) => {
    const SHELL = requireShell(name, context);
    const folder = executables('tool');
    const place = shellHome({ [file]: addTo(name, folder) });
    const { value } = await searchPath({ PATH: system, SHELL, HOME: temporaryFolder(), [variable]: place });
    expect(value.split(path.delimiter)[0]).toBe(folder);
  });

  it.for([
    ['bash', '.bashrc'],
    ['zsh', '.zshrc'],
    ['fish', '.config/fish/config.fish'],
  ] as const)('of %s is found among colors, titles and terminal-only lines', async ([name, file], context) => {
    const SHELL = requireShell(name, context);
    const folder = executables('tool');
    const noise = String.raw`printf '\033]0;title\007\033[31mred\033[0m\033]133;A\007'`;
    const lines: Readonly<Record<string, string>> = {
      bash: `${noise}\ntrap "${noise}" DEBUG\nset -v -x\n[ "$TERM" = dumb ] && return\n`,
      zsh: `${noise}\npreexec() { ${noise} }\nprecmd() { ${noise} }\n[[ $TERM == dumb ]] && return\n`,
      fish: `${noise}\nfunction _mark --on-event fish_prompt\n${noise}\nend\ntest "$TERM" = dumb; and exit\n`,
    };
    const HOME = shellHome({ [file]: `${lines[name]}${addTo(name, folder)}` });
    const { value, warning } = await searchPath({ PATH: system, SHELL, HOME });
    expect({ first: value.split(path.delimiter)[0], warning }).toEqual({ first: folder, warning: undefined });
  });

  it.each(['sleep 60', 'exit 1', 'exec /bin/false', 'return 1; echo', '(((', 'read answer'])(
    'is read before the prompt if the prompt never appears: %s',
    async (command) => {
      const folder = executables('tool');
      const text = `export PATH="${folder}:$PATH"\nPROMPT_COMMAND='${command}'\n`;
      const HOME = shellHome({ '.bashrc': text });
      const { value, warning } = await searchPath({ PATH: system, SHELL: '/bin/bash', HOME });
      expect({ first: value.split(path.delimiter)[0], warning }).toEqual({ first: folder, warning: undefined });
    },
  );

  it("keeps Postern's own PATH folders first", async () => {
    const [ours, theirs] = [executables('tool'), executables('tool')];
    const HOME = shellHome({ '.profile': addTo('bash', theirs) });
    const { value } = await searchPath({ PATH: `${ours}:${system}`, SHELL: '/bin/bash', HOME });
    expect(value.split(path.delimiter).indexOf(ours)).toBe(0);
    const { value: alone } = await searchPath({ PATH: ours, SHELL: '/bin/false', HOME });
    expect(alone).toBe(ours);
  });

  it('is awaited for at most two seconds, without input, and leaves no process behind', async () => {
    const HOME = shellHome({
      ...Object.fromEntries(
        ['.profile', '.bashrc'].map((file) => [file, 'read answer; echo $$ >> "$HOME/pids"; sleep 60\n']),
      ),
    });
    const before = performance.now();
    const { value, warning } = await searchPath({ PATH: system, SHELL: '/bin/bash', HOME });
    expect(performance.now() - before).toBeLessThan(3_500);
    expect({ value, warning }).toEqual({ value: system, warning: expect.stringContaining('2 seconds') });
    const pids = readFileSync(path.join(HOME, 'pids'), 'utf8').trim().split('\n');
    await expect.poll(() => pids.filter((pid) => existsSync(`/proc/${pid}/exe`))).toEqual([]);
  });
});

describe('a command by its name on Windows', () => {
  it.each([
    ['python3.11', ['python3.11', 'python3.11.EXE'], 'python3.11.EXE'],
    ['node', ['node.CMD', 'node.EXE'], 'node.EXE'],
    ['npx.cmd', ['npx.cmd', 'npx.cmd.EXE'], 'npx.cmd'],
    ['uvx.exe', ['uvx.exe'], 'uvx.exe'],
  ])('%s is found with the first extension that Windows runs', (command, there, found) => {
    const searched = executables(...there);
    expect(path.basename(findCommand(command, undefined, { ...onWindows, pathValue: searched }))).toBe(found);
  });

  it('is never a file without such an extension', () => {
    const searched = executables('python3.11', 'tool');
    for (const command of ['python3.11', 'tool'])
      expect(() => findCommand(command, undefined, { ...onWindows, pathValue: searched })).toThrow(notFound);
  });
});
