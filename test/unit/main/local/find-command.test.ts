import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findCommand, searchPath } from '../../../../main/local/local-environment.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** A folder with programs of these names. */
function programs(...names: readonly string[]): string {
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
  it('is not looked for in a relative folder, which is another one wherever Postern stands', async () => {
    const folder = programs('tool');
    const relative = path.relative(process.cwd(), folder);
    const find = (searched: string) => findCommand('tool', folder, { ...onPosix, searched });
    for (const searched of [relative, '.', '', `.${path.delimiter}${relative}`])
      expect(() => find(searched)).toThrow(notFound);
    expect(find([relative, folder].join(path.delimiter))).toBe(path.join(folder, 'tool'));
    const PATH = ['.', relative, '', folder].join(path.delimiter);
    expect(await searchPath({ PATH })).toEqual({ value: folder });
  });

  it('is a program, and no file that may not be run', () => {
    const folder = programs('tool');
    chmodSync(path.join(folder, 'tool'), 0o644);
    expect(() => findCommand('tool', undefined, { ...onPosix, searched: folder })).toThrow(notFound);
  });
});

const shells = ['bash', 'zsh', 'fish', 'sh'].flatMap((name) => {
  const file = ['/bin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin']
    .map((place) => `${place}/${name}`)
    .find(existsSync);
  return file === undefined ? [] : [[name, file] as const];
});
/** Files that a terminal of each shell reads. */
const files: Readonly<Record<string, readonly string[]>> = {
  bash: ['.profile', '.bash_profile', '.bashrc'],
  zsh: ['.zprofile', '.zshrc', '.zshenv'],
  fish: ['.config/fish/config.fish', '.config/fish/conf.d/tool.fish'],
  sh: ['.profile'],
};
const inShells = shells.flatMap(([name, shell]) => (files[name] ?? []).map((file) => [name, file, shell] as const));
const system = '/usr/bin:/bin';

/** How tools such as mise set PATH at each prompt alone. */
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

function shellHome(file: string, text: string): string {
  const home = temporaryFolder();
  mkdirSync(path.dirname(path.join(home, file)), { recursive: true });
  writeFileSync(path.join(home, file), text);
  return home;
}

describe('the PATH of a terminal', () => {
  it.each(inShells)('is found where %s has it in %s', async (name, file, SHELL) => {
    const folder = programs('tool');
    const text =
      name === 'fish'
        ? `echo 'Welcome!'\nset -gx PATH "${folder}" $PATH\n`
        : `echo 'Welcome! PATH=/nowhere'\nexport PATH="${folder}:$PATH"\n`;
    const { value, trouble } = await searchPath({ PATH: system, SHELL, HOME: shellHome(file, text) });
    expect(trouble).toBeUndefined();
    // What is found there goes before what the system has.
    expect(value.split(path.delimiter)[0]).toBe(folder);
    expect(value.split(path.delimiter)).toEqual(expect.arrayContaining(['/usr/bin', '/bin']));
  });

  it.each(shells.filter(([name]) => name in hooks))('is that of the first prompt of %s', async (name, SHELL) => {
    const folder = programs('tool');
    const [file, write] = hooks[name] ?? ['', () => ''];
    const HOME = shellHome(file, write(folder));
    const { value, trouble } = await searchPath({ PATH: system, SHELL, HOME });
    expect({ first: value.split(path.delimiter)[0], trouble }).toEqual({ first: folder, trouble: undefined });
  });

  it.each(['sleep 60', 'exit 1', 'exec /bin/false', 'return 1; echo', '(((', 'read answer'])(
    'is that of before where the prompt of a shell never comes: %s',
    async (command) => {
      const folder = programs('tool');
      const text = `export PATH="${folder}:$PATH"\nPROMPT_COMMAND='${command}'\n`;
      const HOME = shellHome('.bashrc', text);
      const { value, trouble } = await searchPath({ PATH: system, SHELL: '/bin/bash', HOME });
      expect({ first: value.split(path.delimiter)[0], trouble }).toEqual({ first: folder, trouble: undefined });
    },
  );

  it('keeps the order of ours where it has a folder of its own', async () => {
    const [ours, theirs] = [programs('tool'), programs('tool')];
    const HOME = shellHome('.profile', `export PATH="${theirs}:$PATH"\n`);
    const { value } = await searchPath({ PATH: `${ours}:${system}`, SHELL: '/bin/bash', HOME });
    expect(value.split(path.delimiter).indexOf(ours)).toBe(0);
    const { value: alone } = await searchPath({ PATH: ours, SHELL: '/bin/false', HOME });
    expect(alone).toBe(ours);
  });

  it('is waited for two seconds at most, reads nothing, and leaves no process behind', async () => {
    const HOME = shellHome('.profile', 'read answer; echo $$ > "$HOME/pid"; sleep 60\n');
    const before = performance.now();
    const { value, trouble } = await searchPath({ PATH: system, SHELL: '/bin/bash', HOME });
    expect(performance.now() - before).toBeLessThan(3_500);
    expect({ value, trouble }).toEqual({ value: system, trouble: expect.stringContaining('2 seconds') });
    const pid = Number(readFileSync(path.join(HOME, 'pid'), 'utf8'));
    await expect.poll(() => existsSync(`/proc/${pid}/exe`)).toBe(false);
  });
});

describe('a command by its name on Windows', () => {
  it.each([
    ['python3.11', ['python3.11', 'python3.11.EXE'], 'python3.11.EXE'],
    ['node', ['node.CMD', 'node.EXE'], 'node.EXE'],
    ['npx.cmd', ['npx.cmd', 'npx.cmd.EXE'], 'npx.cmd'],
    ['uvx.exe', ['uvx.exe'], 'uvx.exe'],
  ])('%s is one that Windows runs, by the ends of names in their order', (command, there, found) => {
    const searched = programs(...there);
    expect(path.basename(findCommand(command, undefined, { ...onWindows, searched }))).toBe(found);
  });

  it('is no file without such an end', () => {
    const searched = programs('python3.11', 'tool');
    for (const command of ['python3.11', 'tool'])
      expect(() => findCommand(command, undefined, { ...onWindows, searched })).toThrow(notFound);
  });
});
