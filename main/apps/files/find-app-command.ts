import { access, constants, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { AppCommand } from '../../app-ports.ts';

/** How to look up the commands of apps. */
export interface CommandSearch {
  readonly platform: NodeJS.Platform;
  /** Searches PATH; the name includes its extension. */
  readonly findExecutable: (name: string) => string | undefined;
}

/** Characters of a batch file written by a package manager; real ones have a few hundred. */
const maxShimLength = 8_192;

/**
 * How to start an app's own CLI. On Windows, `claude.cmd` (written by npm, pnpm or yarn) is replaced by what it starts:
 * a batch file needs cmd.exe, which interprets `%` and `&` even in quoted arguments (CVE-2024-27980), and Node starts
 * none without a shell. A batch file that we cannot read counts as missing. `undefined` if there is no CLI.
 */
export async function findAppCommand(
  name: string,
  paths: readonly string[],
  { platform, findExecutable }: CommandSearch,
): Promise<AppCommand | undefined> {
  const inPath = findExecutable(name);
  if (inPath !== undefined) return { command: inPath, args: [] };
  const extensions = platform === 'win32' ? ['.exe'] : [''];
  for (const file of paths.flatMap((each) => extensions.map((extension) => each + extension)))
    if (await isExecutable(file)) return { command: file, args: [] };
  const shim = platform === 'win32' ? findExecutable(`${name}.cmd`) : undefined;
  return shim === undefined ? undefined : await readShim(shim, findExecutable);
}

async function readShim(
  file: string,
  findExecutable: CommandSearch['findExecutable'],
): Promise<AppCommand | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const target = text.length > maxShimLength ? undefined : readShimTarget(text);
  if (target === undefined) return undefined;
  const folder = file.slice(0, Math.max(file.lastIndexOf('\\'), file.lastIndexOf('/')));
  const isWindows = file.includes('\\');
  const resolve = (name: string): string =>
    isWindows ? path.win32.join(folder, name) : path.posix.join(folder, name.replaceAll('\\', '/'));
  const script = resolve(target);
  if (!(await isFile(script))) return undefined;
  if (/\.exe$/i.test(target)) return { command: script, args: [] };
  const adjacentNode = resolve('node.exe');
  const node = (await isExecutable(adjacentNode)) ? adjacentNode : findExecutable('node');
  return node === undefined ? undefined : { command: node, args: [script] };
}

/** What a batch file of npm, pnpm or yarn starts, relative to its folder: the last command that gets `%*`. */
export function readShimTarget(text: string): string | undefined {
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
