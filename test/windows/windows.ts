import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, cpSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, watch } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { inDebian, requireDebianTools } from '../support/debian-root.ts';
import { obtainKeytar, obtainPipe, obtainWindows, wineVariables } from './obtain-windows.ts';

const root = path.join(import.meta.dirname, '../..');

/** A Windows on which the tests run; `run.ts` passes it to them in a variable. */
export interface WindowsMachine {
  /** The agent's port. */
  readonly port: number;
  /** A folder of this machine that Windows can use, and its name there. */
  readonly folder: string;
  readonly folderThere: string;
  /** Windows paths. */
  readonly node: string;
  readonly isWine: boolean;
}

const variable = 'POSTERN_WINDOWS_MACHINE';

export function asVariable(machine: WindowsMachine): NodeJS.ProcessEnv {
  return { [variable]: JSON.stringify(machine) };
}

/** The machine that `npm run windows` has started. */
export function theWindows(): WindowsMachine {
  const text = process.env[variable];
  if (text === undefined) throw new Error('Run these tests with `npm run windows`.');
  return JSON.parse(text) as WindowsMachine;
}

/** Starts it. `node`: a real Windows' Node, on Windows. Errors: NoDebian, NoPackage. */
export async function startWindows(node?: string): Promise<WindowsMachine & { readonly close: () => Promise<void> }> {
  const work = mkdtempSync(path.join(tmpdir(), 'postern-windows-'));
  try {
    return await (node === undefined ? startWine(work) : startAgent(work, { command: [node], node }));
  } catch (error) {
    rmSync(work, { recursive: true, force: true });
    throw error;
  }
}

async function startWine(work: string): ReturnType<typeof startWindows> {
  requireDebianTools();
  const debian = await obtainWindows();
  const shared = path.join(work, 'mnt');
  mkdirSync(shared, { recursive: true });
  const postern = path.join(shared, 'postern');
  copyPostern(postern);
  cpSync(await obtainKeytar(debian, work), path.join(postern, 'node_modules/keytar/build/Release'), {
    recursive: true,
  });
  cpSync(obtainPipe(debian, work), path.join(postern, 'postern-pipe.exe'));
  const variables = Object.entries(wineVariables).map(([name, value]) => `${name}=${value}`);
  return await startAgent(shared, {
    work,
    // A server that stays spares each process two seconds.
    command: [
      ...inDebian(debian, work, 'root'),
      ...['env', ...variables, 'sh', '-c', '/usr/lib/wine/wineserver64 -p && exec /usr/lib/wine/wine64 "$@"', 'sh'],
      '/opt/windows/node.exe',
    ],
    node: String.raw`Z:\opt\windows\node.exe`,
    folderThere: String.raw`Z:\mnt`,
  });
}

interface AgentOptions {
  readonly command: readonly [string, ...string[]];
  readonly node: string;
  readonly folderThere?: string;
  /** Removed in the end. */
  readonly work?: string;
}

async function startAgent(
  folder: string,
  { command, node, folderThere = folder, work = folder }: AgentOptions,
): ReturnType<typeof startWindows> {
  const isWine = folderThere !== folder;
  if (!isWine) copyPostern(path.join(folder, 'postern'), path.join(root, 'node_modules/keytar'));
  cpSync(path.join(import.meta.dirname, 'agent.mjs'), path.join(folder, 'agent.mjs'));
  const join = isWine ? path.win32.join : path.join;
  const [file, ...words] = [...command, join(folderThere, 'agent.mjs'), join(folderThere, 'port')];
  // Not a pipe: Node for Windows cannot use one of Linux.
  const log = path.join(folder, 'agent.log');
  const output = openSync(log, 'w');
  const child = spawn(file, words, { stdio: ['ignore', output, output] });
  closeSync(output);
  const ended = once(child, 'close');
  const port = await Promise.race([
    portWrittenTo(folder),
    ended.then(() => {
      throw new Error(`Windows ended: ${readFileSync(log, 'utf8').slice(-2_000)}`);
    }),
  ]);
  return {
    ...{ port, folder, folderThere, node, isWine },
    async close() {
      child.kill('SIGKILL');
      await ended;
      rmSync(work, { recursive: true, force: true });
    },
  };
}

async function portWrittenTo(folder: string): Promise<number> {
  const file = path.join(folder, 'port');
  const done = new AbortController();
  const changes = watch(folder, { signal: done.signal });
  try {
    while (!existsSync(file)) await once(changes, 'change');
    return Number(readFileSync(file, 'utf8'));
  } finally {
    changes.close();
  }
}

/** What the npm package contains; `keytar`: with this build of it. */
function copyPostern(target: string, keytar?: string): void {
  const { files } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { files: readonly string[] };
  const folders = new Set(files.map((file) => (path.extname(file) === '' ? file : path.dirname(file))));
  for (const name of [...folders, 'package.json'])
    cpSync(path.join(root, name), path.join(target, name), {
      recursive: true,
      filter: (source) => !/\.map$|[/\\](?:target|src|compile-cache)$/u.test(source),
    });
  const module = keytar ?? path.join(root, 'node_modules/keytar');
  for (const part of ['package.json', 'lib', ...(keytar === undefined ? [] : ['build'])])
    cpSync(path.join(module, part), path.join(target, 'node_modules/keytar', part), { recursive: true });
}

/** The Windows path of a file below the machine's folder. */
export function pathThere(file: string): string {
  const { folder, folderThere, isWine } = theWindows();
  const relative = path.relative(folder, file);
  return isWine ? path.win32.join(folderThere, relative) : path.join(folder, relative);
}

/** A new folder that Windows can use, by its path here. */
export function makeFolder(name: string): string {
  return mkdtempSync(path.join(theWindows().folder, `${name}-`));
}

export interface StartOptions {
  /** Windows path. */
  readonly cwd?: string;
  /** Added to the system's variables; `null` removes one. */
  readonly env?: Readonly<Record<string, string | null>>;
  /** The words are quoted already, as for cmd.exe. */
  readonly verbatim?: boolean;
  readonly onLine?: (line: string) => void;
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A Windows process. */
export interface WindowsProcess {
  write(text: string): void;
  end(): void;
  kill(): void;
  readonly ended: Promise<Ended>;
}

interface AgentMessage {
  readonly stdout?: string;
  readonly stderr?: string;
  readonly exit?: number | null;
  readonly error?: string;
}

export function start(file: string, words: readonly string[], options: StartOptions = {}): WindowsProcess {
  const { cwd = theWindows().folderThere, env = {}, verbatim = false, onLine } = options;
  const socket = connect(theWindows().port, '127.0.0.1');
  const send = (message: object): void => void socket.write(`${JSON.stringify(message)}\n`);
  send({ file, words, cwd, env, verbatim });
  const output: { stdout: Buffer[]; stderr: Buffer[] } = { stdout: [], stderr: [] };
  let rest = '';
  const { promise, resolve, reject } = Promise.withResolvers<Ended>();
  const textOf = (name: 'stdout' | 'stderr'): string => Buffer.concat(output[name]).toString('utf8');
  socket.once('error', reject);
  createInterface({ input: socket }).on('line', (line) => {
    const message = JSON.parse(line) as AgentMessage;
    if (message.error !== undefined) reject(new Error(message.error));
    for (const name of ['stdout', 'stderr'] as const) {
      const chunk = message[name];
      if (chunk === undefined) continue;
      const bytes = Buffer.from(chunk, 'base64');
      output[name].push(bytes);
      if (name === 'stderr' || onLine === undefined) continue;
      const lines = `${rest}${bytes.toString('utf8')}`.split(/\r?\n/u);
      rest = lines.pop() ?? '';
      for (const each of lines) onLine(each);
    }
    if (message.exit !== undefined) resolve({ code: message.exit, stdout: textOf('stdout'), stderr: textOf('stderr') });
  });
  return {
    write: (text) => send({ input: Buffer.from(text).toString('base64') }),
    end: () => send({ end: true }),
    kill: () => send({ kill: true }),
    ended: promise,
  };
}

/** Runs a process to its end, without input. */
export async function run(file: string, words: readonly string[], options?: StartOptions): Promise<Ended> {
  const child = start(file, words, options);
  child.end();
  return await child.ended;
}
