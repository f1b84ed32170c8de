import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { runInProcess } from '../../support/command-in-process.ts';
import { startResource } from '../../support/demo-pair.ts';
import { onTerminal } from '../../support/on-terminal.ts';
import { posternCommand, startCommand } from '../../support/postern-process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A server that Cursor uses. */
async function start() {
  const home = temporaryFolder();
  const userHome = temporaryFolder();
  const env = { HOME: userHome, XDG_CONFIG_HOME: path.join(userHome, '.config') };
  const mcp = await startResource(undefined);
  const file = path.join(userHome, '.cursor', 'mcp.json');
  mkdirSync(path.dirname(file));
  writeFileSync(file, '{\n  "mcpServers": {}\n}\n');
  const run = (...args: string[]) => runInProcess(args, { home, env });
  await run('connect', mcp.url, '--local', '--name', 'Notes');
  const original = readFileSync(file, 'utf8');
  expect((await run('use', 'Notes', 'cursor', '--yes')).code).toBe(0);
  expect(readFileSync(file, 'utf8')).not.toBe(original);
  return { home, env, run, file, original };
}

it.for([
  ['remove', 'Notes'],
  ['remove', '--all'],
] as const)('offers to remove entries from apps before %j makes them stop working', async (words) => {
  const { home, env, file, original } = await start();
  const leaving = startCommand(onTerminal(...posternCommand(...words)), { home, env });
  if (words.includes('--all' as never)) {
    await leaving.waitFor(/\[y\/N\]/u);
    leaving.type('y\r');
  }
  await leaving.waitFor(/Remove this first\? \[Y\/n\]/u);
  leaving.type('\r');
  expect((await leaving.ended).code).toBe(0);
  expect(readFileSync(file, 'utf8')).toBe(original);
});

it('changes no file of an app without a user to ask, and reports how to', async () => {
  const { run, file } = await start();
  const used = readFileSync(file, 'utf8');
  const removed = await run('remove', 'Notes');
  expect(removed.code).toBe(0);
  expect(removed.stderr).toContain('postern unuse notes cursor');
  expect(readFileSync(file, 'utf8')).toBe(used);
  expect((await run('unuse', 'notes', 'cursor', '--yes')).code).toBe(0);
});

it('prints commands that work after everything is deleted, and names what to remove by hand', async () => {
  const { env, run, file } = await start();
  const windsurf = path.join(env.HOME, '.codeium', 'windsurf', 'mcp_config.json');
  mkdirSync(path.dirname(windsurf), { recursive: true });
  expect((await run('use', 'Notes', 'windsurf', '--http', '--yes')).code).toBe(0);
  const removed = await run('remove', '--all', '--yes');
  expect(removed.code).toBe(0);
  const commands = Array.from(removed.stderr.matchAll(/postern (unuse .*)/g), ([, words = '']) => words.split(' '));
  expect(commands).toEqual([['unuse', 'notes', 'cursor']]);
  for (const words of commands) expect(await run(...words, '--yes')).toMatchObject({ code: 0 });
  expect(readFileSync(file, 'utf8')).not.toContain('notes');
  expect(removed.stderr).toContain(windsurf);
});

it('shows the entries of all files at once, those of projects too, and names what it could not read', async () => {
  const { home, env, run, file, original } = await start();
  const project = temporaryFolder();
  mkdirSync(path.join(project, '.cursor'));
  expect((await run('use', 'Notes', 'cursor', '--project', project, '--yes')).code).toBe(0);
  const windsurf = path.join(env.HOME, '.codeium', 'windsurf', 'mcp_config.json');
  mkdirSync(path.dirname(windsurf), { recursive: true });
  expect((await run('use', 'Notes', 'windsurf', '--yes')).code).toBe(0);
  writeFileSync(windsurf, 'no JSON');
  const leaving = startCommand(onTerminal(...posternCommand('remove', 'Notes')), { home, env });
  await leaving.waitFor(/Remove all of these first\? \[Y\/n\]/u);
  leaving.type('\r');
  const { code, stdout } = await leaving.ended;
  expect(code).toBe(0);
  expect(stdout).toContain('Windsurf is left alone.');
  expect(stdout).toContain('mcp_config.json');
  expect(readFileSync(file, 'utf8')).toBe(original);
  expect(readdirSync(path.join(project, '.cursor'))).toEqual([]);
});

it.for([
  ['server', ['remove', 'Notes'], 'Notes'],
  ['collection', ['collection', 'work', '--remove'], '+work'],
] as const)(
  'restores entries if a later one cannot be removed, and does not remove the %s',
  async ([, words, used]) => {
    const { home, env, run, file } = await start();
    const windsurf = path.join(env.HOME, '.codeium', 'windsurf', 'mcp_config.json');
    mkdirSync(path.dirname(windsurf), { recursive: true });
    expect((await run('collection', 'work', 'Notes')).code).toBe(0);
    for (const app of ['cursor', 'windsurf']) expect((await run('use', used, app, '--yes')).code).toBe(0);
    const before = readFileSync(file, 'utf8');
    const leaving = startCommand(onTerminal(...posternCommand(...words)), { home, env });
    await leaving.waitFor(/Remove all of these first\? \[Y\/n\]/u);
    writeFileSync(windsurf, `${readFileSync(windsurf, 'utf8')} `);
    leaving.type('\r');
    const { code, stdout } = await leaving.ended;
    expect(code).not.toBe(0);
    expect(stdout).toMatch(/Restored the entries in Cursor/u);
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect((await run('list', '--json')).last).toMatchObject({ integrations: [{ name: 'Notes' }] });
    expect((await run('collection', '--json')).last).toMatchObject({ collections: [{ name: 'work' }] });
  },
);

it('keeps all entries when declined, shows how to remove each, and removes the server anyway', async () => {
  const { home, env, run, file } = await start();
  const used = readFileSync(file, 'utf8');
  const leaving = startCommand(onTerminal(...posternCommand('remove', 'Notes')), { home, env });
  await leaving.waitFor(/Remove this first\? \[Y\/n\]/u);
  leaving.type('n\r');
  const { code, stdout } = await leaving.ended;
  expect(code).toBe(0);
  expect(stdout).toContain('postern unuse notes cursor');
  expect(readFileSync(file, 'utf8')).toBe(used);
  expect((await run('list', '--json')).last).toMatchObject({ integrations: [] });
});

it('offers to remove the entries of a revoked app, and only those', async () => {
  const { home, env, run, file, original } = await start();
  const output = await run('unuse', '--all', 'cursor', '--yes', '--json');
  expect(output.lines).toContainEqual(expect.objectContaining({ event: 'entry-stays', app: 'cursor', path: file }));
  const revoking = startCommand(onTerminal(...posternCommand('unuse', '--all', 'cursor', '--yes')), { home, env });
  await revoking.waitFor(/Remove this now\? \[Y\/n\]/u);
  revoking.type('\r');
  expect((await revoking.ended).code).toBe(0);
  expect(readFileSync(file, 'utf8')).toBe(original);
});
