import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { runPostern } from './run-postern.ts';
import { asCommand } from './tested-postern.ts';
import type { TestedPostern } from './tested-postern.ts';

const listening = /\b(?:Debugger|DevTools) listening on\b/;

/**
 * The switches with which a program runs foreign code or can be inspected (PK-02, IP-20). Each is really tried: the
 * code writes a file, a debugger prints its address. A program that waits for a debugger would wait forever and is
 * killed.
 */
export async function findHeededSwitches(postern: TestedPostern): Promise<string[]> {
  const folder = temporaryFolder();
  const marker = path.join(folder, 'evil-was-here');
  const evil = path.join(folder, 'evil.cjs');
  const code = `require('node:fs').writeFileSync(${JSON.stringify(marker)}, '')`;
  writeFileSync(evil, code);
  const { command, env } = postern;
  const version = ['--version', '--json'] as const;

  const obeyed: string[] = [];
  const attempt = async (what: string, words: readonly string[], variables: NodeJS.ProcessEnv, isVersion: boolean) => {
    rmSync(marker, { force: true });
    const { stderr, stdout, stayed, last } = await runPostern(words, {
      env: { ...env, ...variables },
      enough: listening,
    });
    const listens = listening.test(stderr);
    // A program that continues must do its task; one started for debugging must not continue.
    const isHeeded = isVersion ? last['result'] === 'ok' : !stayed && !/^interactive$/m.test(stdout);
    if (existsSync(marker) || listens || !isHeeded) obeyed.push(what);
  };

  const asNode = { ELECTRON_RUN_AS_NODE: '1' };
  await attempt(
    'ELECTRON_RUN_AS_NODE',
    asCommand(postern, ['-e', `${code}; process.exit()`], ...version),
    asNode,
    true,
  );
  const byLauncher = [...command, ...version];
  await attempt('ELECTRON_RUN_AS_NODE by the launcher', byLauncher, asNode, true);
  await attempt('NODE_OPTIONS=--require', byLauncher, { NODE_OPTIONS: `--require ${JSON.stringify(evil)}` }, true);
  await attempt('NODE_OPTIONS=--inspect', byLauncher, { NODE_OPTIONS: '--inspect=127.0.0.1:0' }, true);
  for (const name of ['--inspect=127.0.0.1:0', '--inspect-brk=127.0.0.1:0', '--remote-debugging-port=0']) {
    const [what = ''] = name.split('=');
    await attempt(what, [...asCommand(postern, [name]).slice(0, -2), '--smoke'], {}, false);
    await attempt(`${what} with a command`, asCommand(postern, [name], 'doctor', '--json'), {}, false);
  }
  return obeyed;
}
