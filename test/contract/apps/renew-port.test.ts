import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { expect, it } from 'vitest';
import { runInProcess } from '../../support/command-in-process.ts';
import { startResource } from '../../support/demo-pair.ts';
import { freePort } from '../../support/free-port.ts';
import { onTerminal } from '../../support/on-terminal.ts';
import { posternCommand, startCommand, startPostern } from '../../support/postern-process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Windsurf and Codex use a server by URL, in files with other content; a service is running. */
async function start() {
  const home = temporaryFolder();
  const userHome = temporaryFolder();
  const env = { HOME: userHome, XDG_CONFIG_HOME: path.join(userHome, '.config'), CODEX_HOME: undefined };
  const mcp = await startResource(undefined);
  const windsurf = path.join(userHome, '.codeium', 'windsurf', 'mcp_config.json');
  const codex = path.join(userHome, '.codex', 'config.toml');
  for (const file of [windsurf, codex]) mkdirSync(path.dirname(file), { recursive: true });
  const run = (...args: string[]) => runInProcess(args, { home, env });
  await run('connect', mcp.url, '--local', '--name', 'Notes');
  // Another app on this computer has such a URL too, at a port that is never ours.
  const others = '{"mcpServers":{"others":{"serverUrl":"http://127.0.0.1:47599/mcp/notes"}}}';
  writeFileSync(windsurf, others);
  expect((await run('use', 'Notes', 'windsurf', 'codex', '--http', '--yes')).code).toBe(0);
  const text = (file: string): string => readFileSync(file, 'utf8');
  const { setting } = (await run('settings', 'gatewayPort', '--json')).last as { setting: { value: number } };
  return { home, env, run, windsurf, codex, text, old: setting.value };
}

/** The status of whatever responds at the URL in Windsurf's entry, with the secret in it. */
async function askAs(file: string): Promise<number> {
  const { mcpServers } = JSON.parse(readFileSync(file, 'utf8')) as {
    mcpServers: { notes: { serverUrl: string; headers: Record<string, string> } };
  };
  const { serverUrl, headers } = mcpServers.notes;
  return (await fetch(serverUrl, { method: 'GET', headers })).status;
}

it('updates the entries that contain it after one consent, and the service moves there', async () => {
  const { home, env, run, windsurf, codex, text, old } = await start();
  const service = startPostern(['serve', '--json'], { home, env });
  await service.waitFor(/"socket":/u);
  expect(await askAs(windsurf)).not.toBe(401);
  const before = [windsurf, codex].map(text);
  const port = await freePort();
  // Without consent nothing is changed, and the preview contains no secret.
  const withoutConsent = await run('settings', 'gatewayPort', String(port), '--json');
  expect(withoutConsent.code).toBe(2);
  const secret = /Bearer ([\w-]{20,})/u.exec(text(windsurf))?.[1] ?? '';
  expect(secret).not.toBe('');
  expect(withoutConsent.stdout).not.toContain(secret);
  expect(withoutConsent.lines).toContainEqual(
    expect.objectContaining({
      changes: [expect.objectContaining({ app: 'windsurf' }), expect.objectContaining({ app: 'codex' })],
    }),
  );
  expect([windsurf, codex].map(text)).toEqual(before);
  const renewing = startCommand(onTerminal(...posternCommand('settings', 'gatewayPort', String(port))), { home, env });
  await renewing.waitFor(/Continue\? \[y\/N\]/u);
  renewing.type('y\r');
  const { code, stdout } = await renewing.ended;
  expect(code).toBe(0);
  expect(stdout).not.toContain(secret);
  const move = (each: string): string => each.replace(`:${old}/mcp/notes`, `:${port}/mcp/notes`);
  const entriesOf = (each: string) => (JSON.parse(each) as { mcpServers: Record<string, object> }).mcpServers;
  const { notes, others } = entriesOf(before[0] ?? '');
  expect(entriesOf(text(windsurf))).toEqual({
    others,
    notes: { ...notes, serverUrl: `http://127.0.0.1:${port}/mcp/notes` },
  });
  expect(text(codex)).toBe(move(before[1] ?? ''));
  await expect.poll(() => askAs(windsurf).catch(() => 0)).not.toBe(0);
  await expect(fetch(`http://127.0.0.1:${old}/mcp/notes`)).rejects.toThrow();
});

it('updates them on a reset too, after which no port is open', async () => {
  const { home, env, run, windsurf, codex, text, old } = await start();
  const before = [windsurf, codex].map(text);
  const withoutConsent = await run('settings', 'gatewayPort', '--default', '--json');
  expect(withoutConsent.code).toBe(2);
  expect([windsurf, codex].map(text)).toEqual(before);
  // The port stays in use, so the next one differs.
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(old, '127.0.0.1', resolve));
  const { code, last } = await run('settings', 'gatewayPort', '--default', '--yes', '--json');
  expect(code).toBe(0);
  await new Promise((resolve) => other.close(resolve));
  const { value } = last['setting'] as { value: number };
  expect(value).not.toBe(old);
  for (const [index, file] of [windsurf, codex].entries())
    expect(text(file)).toBe(before[index]?.replace(`:${old}/mcp/notes`, `:${value}/mcp/notes`));
  const service = startPostern(['serve', '--json'], { home, env });
  await service.waitFor(/"http":/u);
  expect(await askAs(windsurf)).not.toBe(401);
});

it('changes the port when an app keeps its configuration from Postern, and reports it', async () => {
  const { run, windsurf, codex, text } = await start();
  writeFileSync(codex, 'no TOML [');
  const port = await freePort();
  const { code, last, lines } = await run('settings', 'gatewayPort', String(port), '--yes', '--json');
  expect(code).toBe(0);
  expect(last).toMatchObject({ setting: { value: port }, changes: [{ app: 'windsurf' }] });
  expect(lines).toContainEqual(expect.objectContaining({ event: 'entry-unreadable', app: 'codex' }));
  expect(text(windsurf)).toContain(`127.0.0.1:${port}/mcp/notes`);
});

it('names the command that updates them if a service starts at another port, and reports a taken port', async () => {
  const { home, env, run, windsurf, text, old } = await start();
  const before = text(windsurf);
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(old, '127.0.0.1', resolve));
  const portError = await run('serve', '--http', '--json');
  expect(portError.last).toMatchObject({
    error: { code: 'GATEWAY_PORT', nextStep: expect.stringContaining('updates the entries') },
  });
  await new Promise((resolve) => other.close(resolve));
  const port = await freePort();
  const service = startPostern(['serve', '--http', '--port', String(port), '--json'], { home, env });
  await service.waitFor(/"event":"entry-stays"/u);
  expect(text(windsurf)).toBe(before);
  expect((await run('settings', 'gatewayPort', String(port), '--yes')).code).toBe(0);
  expect(text(windsurf)).toContain(`127.0.0.1:${port}/mcp/notes`);
  expect(await askAs(windsurf)).not.toBe(401);
});

it('recognizes its entries at another port: doctor and apps report it, import skips them, use updates them', async () => {
  const { run, windsurf, text, old } = await start();
  const before = text(windsurf);
  expect(before).toContain(`:${old}/mcp/notes`);
  const port = await freePort();
  expect((await run('settings', 'gatewayPort', String(port), '--yes')).code).toBe(0);
  // As after restoring a copy of it.
  writeFileSync(windsurf, before);
  expect((await run('doctor', '--json')).last['checks']).toContainEqual(
    expect.objectContaining({ ok: false, entry: 'notes', nextStep: 'postern use notes windsurf --http' }),
  );
  const { apps } = (await run('apps', 'windsurf', '--json')).last as { apps: [{ entries: object[] }] };
  expect(apps[0].entries).toMatchObject([
    { name: 'others', kind: 'remote' },
    { name: 'notes', kind: 'postern', integration: expect.any(String), hasOldPort: true },
  ]);
  for (const source of ['windsurf', windsurf]) {
    // The other app's is on this computer, and not allowed.
    const imported = (await run('import', source, '--json')).lines.filter(({ event }) => event === 'import');
    expect(imported.map(({ name }) => name)).toEqual(['others']);
  }
  expect((await run('use', 'Notes', 'windsurf', '--http', '--yes')).code).toBe(0);
  expect(text(windsurf)).toContain(`:${port}/mcp/notes`);
  writeFileSync(windsurf, before);
  expect((await run('unuse', 'Notes', 'windsurf', '--yes')).code).toBe(0);
  expect(text(windsurf)).not.toContain('Bearer');
  // The entry of the other app stays.
  expect(text(windsurf)).toContain('"others"');
});

it('never treats a URL of the user’s own as one of Postern, whatever its name and port', async () => {
  const { run, windsurf, text, old } = await start();
  // One has the name of an earlier Postern entry, the other its port.
  const own = (name: string, port: number): string =>
    JSON.stringify({
      mcpServers: { [name]: { serverUrl: `http://localhost:${port}/mcp/notes`, headers: { 'X-Key': 'k' } } },
    });
  for (const theirs of [own('notes', 3_000), own('mine', old)]) {
    writeFileSync(windsurf, theirs);
    const { apps } = (await run('apps', 'windsurf', '--json')).last as { apps: [{ entries: object[] }] };
    expect(apps[0].entries).toMatchObject([{ kind: 'remote' }]);
    expect((await run('settings', 'gatewayPort', String(await freePort()), '--yes')).code).toBe(0);
    await run('settings', 'gatewayPort', String(old), '--yes');
    await run('unuse', 'Notes', 'windsurf', '--yes');
    expect(text(windsurf)).toBe(theirs);
  }
});
