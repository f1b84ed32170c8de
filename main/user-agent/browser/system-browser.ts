import type { spawn as nodeSpawn } from 'node:child_process';
import type { BrowserAddress } from '../../address/browser-address.ts';
import { PosternError } from '../../postern-error.ts';
import { chooseBrowserCommand } from './browser-command.ts';
import { keepSearchFolders } from '../../find-program.ts';

const stage = 'authorization';

/** Names under which build systems and test suites keep secrets; a browser needs none of them. */
const secretName = /SECRET|TOKEN|PASSWORD|PASSWD|CREDENTIAL|API_?KEY|^MCP_CONFORMANCE_CONTEXT$/i;

export interface SystemBrowserOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly spawn: typeof nodeSpawn;
  /** Told once where the program ends with another exit code than 0, or by a signal: then most likely nothing opened. */
  readonly onFailed?: (() => void) | undefined;
}

/**
 * Opens a page in the person's own browser (RFC 8252 section 8.12). Every user of this computer can read what a program
 * was started with. Waits until the program has started, not until it ends;
 * `onFailed` is told of a bad end.
 * Errors: BROWSER_OPEN_FAILED.
 */
export async function openSystemBrowser(
  address: BrowserAddress,
  { env, platform, spawn, onFailed }: SystemBrowserOptions,
): Promise<void> {
  const command = chooseBrowserCommand(address, env, platform);
  if (!command) throw new PosternError('BROWSER_OPEN_FAILED', { stage, detail: { reason: 'ENOENT' } });
  const childEnv = withoutSecrets(env);
  // Openers are scripts that start others by their names.
  keepSearchFolders(childEnv, platform);
  await start(spawn, command.file, command.arguments, { env: childEnv, onFailed });
}

function start(
  spawn: typeof nodeSpawn,
  file: string,
  commandArguments: readonly string[],
  { env, onFailed }: { readonly env: NodeJS.ProcessEnv; readonly onFailed: (() => void) | undefined },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (error: unknown) => {
      const reason =
        error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
      reject(new PosternError('BROWSER_OPEN_FAILED', { stage, detail: { reason } }));
    };
    try {
      const child = spawn(file, [...commandArguments], { detached: true, stdio: 'ignore', shell: false, env });
      child.once('error', refuse);
      child.once('exit', (code) => {
        if (code !== 0) onFailed?.();
      });
      child.once('spawn', () => {
        child.unref();
        resolve();
      });
    } catch (error) {
      refuse(error);
    }
  });
}

function withoutSecrets(env: SystemBrowserOptions['env']): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith('XDG_') || !secretName.test(name)));
}
