import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { runProgram } from './run-program.ts';
import { asCommand } from './tested-program.ts';
import type { TestedProgram } from './tested-program.ts';

const listening = /\b(?:Debugger|DevTools) listening on\b/;

/**
 * Ways to make a program run somebody else's code, or let somebody look into it, that it heeds (PK-02, IP-20). Each is
 * really tried: the code leaves a file behind, a debugger tells its address. One that waits for a debugger does so for
 * ever, and is ended there.
 */
export async function findHeededSwitches(program: TestedProgram): Promise<string[]> {
  const folder = temporaryFolder();
  const marker = path.join(folder, 'evil-was-here');
  const evil = path.join(folder, 'evil.cjs');
  const code = `require('node:fs').writeFileSync(${JSON.stringify(marker)}, '')`;
  writeFileSync(evil, code);
  const { command, env } = program;
  const version = ['--version', '--json'] as const;

  const heeded: string[] = [];
  const attempt = async (what: string, words: readonly string[], variables: NodeJS.ProcessEnv, isVersion: boolean) => {
    rmSync(marker, { force: true });
    const { stderr, stdout, stayed, last } = await runProgram(words, {
      env: { ...env, ...variables },
      enough: listening,
    });
    const listens = listening.test(stderr);
    // One that goes on must do what it was asked for; one that was to be debugged must not go on.
    const went = isVersion ? last['result'] === 'ok' : !stayed && !/^interactive$/m.test(stdout);
    if (existsSync(marker) || listens || !went) heeded.push(what);
  };

  const asNode = { ELECTRON_RUN_AS_NODE: '1' };
  await attempt(
    'ELECTRON_RUN_AS_NODE',
    asCommand(program, ['-e', `${code}; process.exit()`], ...version),
    asNode,
    true,
  );
  const byLauncher = [...command, ...version];
  await attempt('ELECTRON_RUN_AS_NODE by the launcher', byLauncher, asNode, true);
  await attempt('NODE_OPTIONS=--require', byLauncher, { NODE_OPTIONS: `--require ${JSON.stringify(evil)}` }, true);
  await attempt('NODE_OPTIONS=--inspect', byLauncher, { NODE_OPTIONS: '--inspect=127.0.0.1:0' }, true);
  for (const name of ['--inspect=127.0.0.1:0', '--inspect-brk=127.0.0.1:0', '--remote-debugging-port=0']) {
    const [what = ''] = name.split('=');
    await attempt(what, [...asCommand(program, [name]).slice(0, -2), '--smoke'], {}, false);
    await attempt(`${what} with a command`, asCommand(program, [name], 'doctor', '--json'), {}, false);
  }
  return heeded;
}
