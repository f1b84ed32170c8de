import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { startResource } from '../../support/demo-pair.ts';
import { onTerminal } from '../../support/on-terminal.ts';
import { posternCommand, runPostern, startCommand } from '../../support/postern-process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A server that Cursor uses. */
async function start() {
  const home = temporaryFolder();
  const person = temporaryFolder();
  const env = { HOME: person, XDG_CONFIG_HOME: path.join(person, '.config') };
  const mcp = await startResource(undefined);
  const file = path.join(person, '.cursor', 'mcp.json');
  mkdirSync(path.dirname(file));
  writeFileSync(file, '{\n  "mcpServers": {}\n}\n');
  const run = (...args: string[]) => runPostern(args, { home, env });
  await run('connect', mcp.url, '--local', '--name', 'Notes');
  const original = readFileSync(file, 'utf8');
  expect((await run('use', 'Notes', 'cursor', '--yes')).code).toBe(0);
  expect(readFileSync(file, 'utf8')).not.toBe(original);
  return { home, env, run, file, original };
}

it.for([
  ['remove', 'Notes'],
  ['remove', '--all'],
] as const)('offers to take entries out of programs before %j leaves them leading nowhere', async (words) => {
  const { home, env, file, original } = await start();
  const leaving = startCommand(onTerminal(...posternCommand(...words)), { home, env });
  if (words.includes('--all' as never)) {
    await leaving.waitFor(/\[y\/N\]/u);
    leaving.type('y\r');
  }
  await leaving.waitFor(/Take this out of Cursor first\? \[Y\/n\]/u);
  leaving.type('\r');
  expect((await leaving.ended).code).toBe(0);
  expect(readFileSync(file, 'utf8')).toBe(original);
});

it('changes no file of a program where nobody can be asked, and says how to', async () => {
  const { run, file } = await start();
  const used = readFileSync(file, 'utf8');
  const removed = await run('remove', 'Notes');
  expect(removed.code).toBe(0);
  expect(removed.stderr).toContain('postern unuse notes cursor');
  expect(readFileSync(file, 'utf8')).toBe(used);
  expect((await run('unuse', 'notes', 'cursor', '--yes')).code).toBe(0);
});
