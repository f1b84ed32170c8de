import { spawn } from 'node:child_process';
import { constants, copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/** A preloaded module that fakes the version of Node. */
const fakeVersion = (version: string): string =>
  `data:text/javascript,Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } })`;

const app = `
process.on('SIGTERM', () => process.exit(42));
console.log(JSON.stringify(process.argv.slice(2)));
if (process.argv[2] === 'serve') console.log(JSON.stringify([process.pid, process.env.MALLOC_ARENA_MAX, process.execArgv]));
else if (process.argv[2] === 'wait') setInterval(() => {}, 1_000);
else process.exitCode = Number(process.argv[2] ?? 0);
`;

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'postern-bin-'));
  cpSync(join(import.meta.dirname, '../../../bin'), join(root, 'bin'), { recursive: true });
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function build(): void {
  mkdirSync(join(root, 'dist/cli'), { recursive: true });
  writeFileSync(join(root, 'dist/cli/index.js'), app);
}

function installNode(): void {
  mkdirSync(join(root, 'node_modules/node/bin'), { recursive: true });
  symlinkSync(process.execPath, join(root, 'node_modules/node/bin/node'));
}

interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

function start(...words: Parameters<typeof startProcess>): Promise<Ended> {
  return startProcess(...words).ended;
}

function startProcess(
  words: readonly string[],
  { on = undefined as string | undefined, onOutput = (_kill: () => void) => {} } = {},
): { readonly pid: number | undefined; readonly ended: Promise<Ended> } {
  const preload = on === undefined ? [] : ['--import', fakeVersion(on)];
  const child = spawn(process.execPath, [...preload, join(root, 'bin/postern.js'), ...words]);
  const ended = { output: '', errors: '' };
  child.stderr.on('data', (data) => (ended.errors += String(data)));
  child.stdout.on('data', (data) => {
    ended.output += String(data);
    onOutput(() => child.kill('SIGTERM'));
  });
  return { pid: child.pid, ended: new Promise((resolve) => child.on('close', (code) => resolve({ code, ...ended }))) };
}

describe('bin/postern.js', () => {
  it('explains how to build if there is no build', async () => {
    const { code, output, errors } = await start(['list']);
    expect(code).toBe(1);
    expect(output).toBe('');
    expect(errors).toContain('npm start');
  });

  it('runs the command line in its own process on Node 24, with its arguments and exit code', async () => {
    build();
    expect(await start(['3', '--name', 'a b'])).toEqual({ code: 3, output: '["3","--name","a b"]\n', errors: '' });
  });

  it.skipIf(process.platform !== 'linux')(
    'sets memory limits of malloc and V8 for `serve`, in the same process',
    async () => {
      build();
      const { pid, ended } = startProcess(['serve', '--json']);
      const { output, errors } = await ended;
      const [words, settings] = output.split('\n');
      expect({ words, errors }).toEqual({ words: '["serve","--json"]', errors: '' });
      expect(JSON.parse(settings ?? '')).toEqual([
        pid,
        '1',
        [
          expect.stringMatching(/^--initial-old-space-size=\d+$/u),
          // V8 uses two such halves; together with messages, it must stay below 300 MB.
          expect.stringMatching(/^--max-semi-space-size=(?:[1-9]|1[0-6])$/u),
        ],
      ]);
    },
  );

  it.skipIf(process.platform !== 'linux')('serves without these settings if it cannot restart itself', async () => {
    build();
    const node = join(root, 'node');
    copyFileSync(process.execPath, node, constants.COPYFILE_FICLONE);
    const gone = 'data:text/javascript,process.getBuiltinModule("fs").rmSync(process.execPath)';
    const child = spawn(node, ['--import', gone, join(root, 'bin/postern.js'), 'serve'], { env: {} });
    const lines = await text(child.stdout);
    expect(lines).toContain(`["serve"]\n[${child.pid},null,`);
  });

  it("runs the command line on the project's Node 24 if an older Node starts it", async () => {
    build();
    installNode();
    expect(await start(['3', '--name', 'a b'], { on: '20.20.2' })).toEqual({
      code: 3,
      output: '["3","--name","a b"]\n',
      errors: '',
    });
  });

  it('forwards a signal and exits with the same code', async () => {
    build();
    installNode();
    const { code } = await start(['wait'], { on: '20.20.2', onOutput: (kill) => kill() });
    expect(code).toBe(42);
  });

  it.each([
    ['20.20.2', '22.13'],
    ['22.12.0', '22.13'],
    ['23.3.0', '23.4'],
  ])('explains on Node %s which version it needs and where to get it', async (on, needed) => {
    build();
    const installed = await start(['list'], { on });
    expect(installed).toMatchObject({ code: 1, output: '' });
    expect(installed.errors).toContain(`Node.js ${needed} or newer, but this is v`);
    expect(installed.errors).toMatch(/^[^\n]*nodejs\.org\.\n$/u);

    writeFileSync(join(root, 'package-lock.json'), '{}');
    expect((await start(['list'], { on })).errors).toContain('npm start');
  });

  it.each(['22.13.0', '23.4.0'])(
    'runs the command line in its own process on Node %s if there is no other',
    async (on) => {
      build();
      expect(await start(['3'], { on })).toEqual({ code: 3, output: '["3"]\n', errors: '' });
    },
  );
});
