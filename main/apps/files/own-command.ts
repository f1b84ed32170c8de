import { access, constants, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { OwnCommand } from '../../program-ports.ts';

/** Where commands of other programs are looked for. */
export interface CommandSearch {
  readonly platform: NodeJS.Platform;
  /** In the folders of PATH, with its ending. */
  readonly findProgram: (name: string) => string | undefined;
}

/** Bytes of a batch file that an installer wrote; it has some hundred. */
const shimLength = 8_192;

/**
 * What starts a program's own command: the file itself, and on Windows for `claude.cmd`, which npm, pnpm and yarn
 * write, what that starts. A batch file needs cmd.exe, which reads `%` and `&` in arguments whatever stands around them
 * (CVE-2024-27980), and Node starts none without a shell; so one that is not understood is none. `undefined`: it is not
 * there.
 */
export async function findOwnCommand(
  name: string,
  places: readonly string[],
  { platform, findProgram }: CommandSearch,
): Promise<OwnCommand | undefined> {
  const inPath = findProgram(name);
  if (inPath !== undefined) return { command: inPath, args: [] };
  const endings = platform === 'win32' ? ['.exe'] : [''];
  for (const file of places.flatMap((place) => endings.map((ending) => place + ending)))
    if (await isExecutable(file)) return { command: file, args: [] };
  const shim = platform === 'win32' ? findProgram(`${name}.cmd`) : undefined;
  return shim === undefined ? undefined : await readShim(shim, findProgram);
}

async function readShim(file: string, findProgram: CommandSearch['findProgram']): Promise<OwnCommand | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const target = text.length > shimLength ? undefined : targetOf(text);
  if (target === undefined) return undefined;
  const folder = file.slice(0, Math.max(file.lastIndexOf('\\'), file.lastIndexOf('/')));
  const isWindows = file.includes('\\');
  const place = (name: string): string =>
    isWindows ? path.win32.join(folder, name) : path.posix.join(folder, name.replaceAll('\\', '/'));
  const started = place(target);
  if (!(await isFile(started))) return undefined;
  if (/\.exe$/i.test(target)) return { command: started, args: [] };
  const beside = place('node.exe');
  const node = (await isExecutable(beside)) ? beside : findProgram('node');
  return node === undefined ? undefined : { command: node, args: [started] };
}

/** What a batch file of npm, pnpm or yarn starts, from its own folder: the last thing that is given all arguments. */
export function targetOf(text: string): string | undefined {
  const [, target] =
    [...text.matchAll(/"%(?:~dp0|dp0%)\\?([^"%\r\n]{1,400}\.(?:js|cjs|mjs|exe))"[ \t]{1,8}%\*/gi)].at(-1) ?? [];
  return target;
}

async function isExecutable(file: string): Promise<boolean> {
  const mayRun = await access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
  return mayRun && (await isFile(file));
}

async function isFile(file: string): Promise<boolean> {
  const stats = await stat(file).catch(() => undefined);
  return stats?.isFile() === true;
}
