import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { expect, it } from 'vitest';
import { runInProcess } from '../../support/command-in-process.ts';
import { startResource } from '../../support/demo-pair.ts';
import { startPostern } from '../../support/postern-process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly message: string;
  readonly nextStep?: string;
  readonly [fact: string]: unknown;
}

/** Cursor uses a server, and its file can be edited. */
async function start() {
  const home = temporaryFolder();
  const userHome = temporaryFolder();
  const env = { HOME: userHome, XDG_CONFIG_HOME: path.join(userHome, '.config') };
  const mcp = await startResource(undefined);
  mkdirSync(path.join(userHome, '.cursor'));
  const run = (...args: string[]) => runInProcess(args, { home, env });
  const checks = async (...names: string[]): Promise<readonly Check[]> => {
    const { last } = await run('doctor', '--json');
    return (last['checks'] as readonly Check[]).filter((check) => names.includes(check.name));
  };
  await run('connect', mcp.url, '--local', '--name', 'Notes');
  expect((await run('use', 'Notes', 'cursor', '--yes', '--json')).code).toBe(0);
  return { home, env, userHome, run, checks, mcp, file: path.join(userHome, '.cursor', 'mcp.json') };
}

it('reports who serves apps, and which entries stop working', async () => {
  const { home, env, run, checks, file } = await start();
  expect(await checks('apps', 'pipe', 'gateway')).toMatchObject([
    { name: 'gateway', ok: true, holder: null },
    { name: 'pipe', ok: true, path: process.execPath, version: expect.stringMatching(/^\d/u) },
    { name: 'apps', ok: true },
  ]);

  const service = startPostern(['serve', '--json'], { home, env });
  const [, socket = ''] = await service.waitFor(/"socket":"([^"]+)"/u);
  const [gateway] = await checks('gateway');
  const pid = Number(readEndpoint(home)['pid']);
  expect(gateway).toMatchObject({ ok: true, socket, holder: { kind: 'serve', pid } });
  expect(gateway?.message).toContain(socket);
  expect(gateway?.message).toContain(`(process ${pid})`);

  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(process.execPath, '/nowhere/postern'));
  const expectedCheck = { ok: false, message: expect.stringContaining('/nowhere/postern, which no longer exists') };
  expect(await checks('apps')).toMatchObject([{ ...expectedCheck, nextStep: 'postern use notes cursor' }]);
  writeFileSync(file, text);
  await run('remove', 'Notes', '--json');
  expect(await checks('apps')).toMatchObject([{ ok: false, message: expect.stringContaining('Cursor') }]);
});

it.skipIf(process.platform === 'win32')('reports a service that accepts connections but does not respond', async () => {
  const { home, env, checks } = await start();
  const service = startPostern(['serve', '--json'], { home, env });
  await service.waitFor(/"socket":"([^"]+)"/u);
  const pid = Number(readEndpoint(home)['pid']);
  process.kill(pid, 'SIGSTOP');
  const [gateway] = await checks('gateway').finally(() => process.kill(pid, 'SIGCONT'));
  expect(gateway).toMatchObject({ ok: false, holder: { kind: 'serve', pid }, nextStep: expect.any(String) });
});

const readEndpoint = (home: string): Record<string, unknown> =>
  JSON.parse(readFileSync(path.join(home, 'run', 'endpoint.json'), 'utf8')) as Record<string, unknown>;

it('reports that apps are paused, and what resumes them', async () => {
  const { run, checks } = await start();
  expect(await checks('pause')).toEqual([]);
  await run('settings', 'appsPaused', 'true');
  expect(await checks('pause')).toMatchObject([{ ok: false, nextStep: 'postern settings appsPaused false' }]);
  await run('settings', 'appsPaused', '--default');
  await run('settings', 'pausedApps', 'cursor,Zed');
  const paused = await checks('pause');
  expect(paused).toMatchObject([
    { ok: false, message: expect.stringContaining('Cursor') },
    { ok: false, message: expect.stringContaining('Zed') },
  ]);
  // Fixing one problem does not affect the other.
  const words = String(paused[1]?.['nextStep']).split(' ').slice(1);
  for (const _twice of [1, 2]) {
    const { last } = await run(...words, '--json');
    expect(last).toMatchObject({ pausedApps: ['cursor'] });
  }
  expect(await checks('pause')).toHaveLength(1);
  expect((await run('apps', '--resume')).code).toBe(2);
  await run('settings', 'pausedApps', '--default');
  expect(await checks('pause')).toEqual([]);
});

it('reports the entry of a revoked app as not working, in the file of a project too', async () => {
  const { run, checks, file } = await start();
  const project = temporaryFolder();
  mkdirSync(path.join(project, '.cursor'));
  expect((await run('use', 'Notes', 'cursor', '--project', project, '--yes')).code).toBe(0);
  await run('unuse', '--all', 'cursor', '--yes');
  const found = await checks('apps');
  expect(found).toMatchObject([
    { ok: false, app: 'cursor', entry: 'notes', path: file, nextStep: 'postern unuse notes cursor' },
    { ok: false, path: path.join(project, '.cursor', 'mcp.json'), nextStep: expect.stringContaining('--project') },
  ]);
});

it('reports no problem for an entry of another profile, but for one that starts another Postern', async () => {
  const { home, run, checks, file } = await start();
  const text = readFileSync(file, 'utf8');
  const { mcpServers } = JSON.parse(text.replaceAll(home, '/another/profile')) as { mcpServers: { notes: object } };
  writeFileSync(file, text.replace('"notes":', `"elsewhere": ${JSON.stringify(mcpServers.notes)}, "notes":`));
  expect(await checks('apps')).toMatchObject([{ ok: true }]);
  const { last } = await run('apps', 'cursor', '--json');
  expect(JSON.stringify(last)).toContain('"otherProfile":"/another/profile"');
  expect(JSON.stringify(last).match(/"integration":/gu)).toHaveLength(1);
  // Ours was deleted by hand.
  writeFileSync(file, text.replaceAll(home, '/another/profile'));
  expect(await checks('apps')).toMatchObject([
    { ok: false, message: expect.stringContaining('is missing'), nextStep: 'postern use notes cursor' },
  ]);
  writeFileSync(file, text.replace(process.execPath, '/bin/sh'));
  expect(await checks('apps')).toMatchObject([
    { ok: false, message: expect.stringContaining('another Postern'), nextStep: 'postern use notes cursor' },
  ]);
});

it('reports whether apps reach Postern over HTTP, at which port, and what occupies it instead', async () => {
  const { home, env, userHome, run, checks } = await start();
  mkdirSync(path.join(userHome, '.codeium', 'windsurf'), { recursive: true });
  expect(await checks('http')).toEqual([]);
  expect((await run('use', 'Notes', 'windsurf', '--http', '--yes')).code).toBe(0);
  const [nobody] = await checks('http');
  const port = Number(nobody?.['port']);
  expect(nobody).toMatchObject({ ok: false, nextStep: expect.stringContaining('postern serve') });
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
  expect(await checks('http')).toMatchObject([
    { ok: false, port, message: expect.stringContaining('another program') },
  ]);
  await new Promise((resolve) => other.close(resolve));
  const service = startPostern(['serve', '--json'], { home, env });
  await service.waitFor(/"http":|"socket":/u);
  expect(await checks('http')).toMatchObject([{ ok: true, port, message: expect.stringContaining(String(port)) }]);
});
