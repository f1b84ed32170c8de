import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { otherApp } from '../../main/apps/records/app-records.ts';
import { createLocks } from '../../main/storage/files/kernel-locks.ts';
import { openActivityStore } from '../../main/storage/profile/activity-store.ts';
import { openIntegrationStore } from '../../main/storage/settings/integration-store.ts';
import type { ActivityCall } from '../../shared/activity.ts';
import { aCall } from '../support/activity-calls.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { startResource } from '../support/demo-pair.ts';
import { openApp, shakeHands } from '../support/line-app.ts';
import { onTerminal } from '../support/on-terminal.ts';
import { posternCommand, startCommand, startPostern } from '../support/postern-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A profile with these calls. */
async function keep(...calls: readonly ActivityCall[]): Promise<string> {
  const home = temporaryFolder();
  const store = openActivityStore({ profileFolder: home, isEnabled: async () => true });
  for (const call of calls) store.add(call);
  await store.flush();
  return home;
}

const queryActivity = async (home: string, ...words: readonly string[]) => {
  const { last, code } = await runInProcess(['activity', ...words, '--json'], { home });
  return { code, error: last['error'], tools: (last['calls'] as ActivityCall[] | undefined)?.map(({ tool }) => tool) };
};

it('shows calls by apps as they happen, and keeps watching', async () => {
  const mcp = await startResource(undefined);
  const home = temporaryFolder();
  await runInProcess(['connect', mcp.url, '--local', '--name', 'Notes'], { home });
  const serving = startPostern(['serve', '--json', '--allow-unknown'], { home });
  const [, socket = ''] = await serving.waitFor(/"socket":"([^"]+)"/u);
  const app = openApp(socket, { server: 'Notes' });
  await shakeHands(app);
  const text = 'canary-of-a-call';
  await app.request(1, 'tools/call', { name: 'no-such-tool', arguments: { text } });
  const following = startPostern(['activity', 'Notes', '--since', '1h', '--follow', '--json'], { home });
  await following.waitFor(/no-such-tool/u);
  await app.request(2, 'tools/call', { name: 'whoami', arguments: { text } });
  await following.waitFor(/whoami/u);
  following.kill('SIGINT');
  await following.ended;
  serving.kill('SIGTERM');
  await serving.ended;
  const { last, stdout } = await runInProcess(['activity', '--json'], { home });
  const calls = last['calls'] as Record<string, unknown>[];
  expect(calls.map(({ method }) => method)).toEqual(['initialize', 'tools/call', 'tools/call']);
  const sorted = [
    'app',
    'at',
    'bytesIn',
    'bytesOut',
    'integration',
    'method',
    'ms',
    'outcome',
    'protocol',
    'server',
    'tool',
  ];
  expect(Object.keys(calls[2] ?? {}).toSorted()).toEqual(sorted);
  expect(calls[2]).toMatchObject({ app: null, server: 'Notes', tool: 'whoami', outcome: 'ok' });
  expect(stdout).not.toContain(text);
});

it('filters calls by app, by time, and by a server that is no longer connected', async () => {
  const home = await keep(
    aCall({ tool: 'old', at: Date.now() - 7_200_000 }),
    aCall({ tool: 'codex', app: 'codex', at: Date.now() }),
    aCall({ tool: 'other', server: 'Other', integration: 'two', at: Date.now() }),
  );
  expect(await queryActivity(home)).toMatchObject({ code: 0, tools: ['old', 'codex', 'other'] });
  expect(await queryActivity(home, '--app', 'codex')).toMatchObject({ tools: ['codex'] });
  expect(await queryActivity(home, '--since', '1h')).toMatchObject({ tools: ['codex', 'other'] });
  expect(await queryActivity(home, 'Other')).toMatchObject({ tools: ['other'] });
  expect(await queryActivity(home, 'Nobody')).toMatchObject({ code: 1, error: { code: 'NOT_FOUND' } });
  expect(await queryActivity(home, '--app', 'nothing')).toMatchObject({ error: { code: 'APP_NOT_FOUND' } });
  expect(await queryActivity(home, '--since', 'yesterday')).toMatchObject({ code: 2, error: { code: 'USAGE' } });
});

it('finds calls of an app whose access was revoked', async () => {
  const home = await keep(aCall({ tool: 'mine', app: otherApp('My app').id }), aCall({ tool: 'other' }));
  const { apps } = openIntegrationStore({ folder: home, locks: createLocks(home) });
  const record = { id: 'a'.repeat(16), app: otherApp('My app').id, name: 'My app', integrations: ['notes'] };
  await apps.change(() => [{ ...record, createdAt: 1, revokedAt: 2 }]);
  expect(await queryActivity(home, '--app', 'My app')).toMatchObject({ code: 0, tools: ['mine'] });
  expect(await queryActivity(home, '--app', record.app)).toMatchObject({ code: 0, tools: ['mine'] });
});

it('shows the newest calls to a user, and a next step when there are none', async () => {
  const home = await keep(...Array.from({ length: 60 }, (_, index) => aCall({ tool: `tool-${index}` })));
  const { stdout } = await runInProcess(['activity'], { home });
  expect(stdout.trim().split('\n')).toHaveLength(51);
  expect(stdout).toContain('tool-59');
  // A user looks for what apps did; a program gets everything.
  const mixed = await keep(
    aCall({ method: 'tools/list', tool: 'listing' }),
    aCall({ tool: 'refused', outcome: 'APPROVAL_REFUSED' }),
  );
  const shown = await runInProcess(['activity'], { home: mixed });
  expect(shown.stdout).toMatch(/refused +you said no/u);
  expect(shown.stdout).not.toContain('listing');
  expect(await queryActivity(mixed)).toMatchObject({ tools: ['listing', 'refused'] });
  const none = await startCommand(onTerminal(...posternCommand('activity')), { home: temporaryFolder() }).ended;
  expect(none.stdout).toContain('postern use');
});

it('logs nothing once the user has turned it off, and is deleted with everything else', async () => {
  const mcp = await startResource(undefined);
  const home = temporaryFolder();
  await runInProcess(['connect', mcp.url, '--local', '--name', 'Notes'], { home });
  const call = async (): Promise<void> => {
    const serving = startPostern(['serve', '--json', '--allow-unknown'], { home });
    const [, socket = ''] = await serving.waitFor(/"socket":"([^"]+)"/u);
    await shakeHands(openApp(socket, { server: 'Notes' }));
    serving.kill('SIGTERM');
    await serving.ended;
  };
  expect((await runInProcess(['settings', 'activity', 'off', '--json'], { home })).code).toBe(0);
  await call();
  expect(await queryActivity(home)).toMatchObject({ tools: [] });
  const off = await runInProcess(['doctor', '--json'], { home });
  expect(off.last['checks']).toContainEqual(expect.objectContaining({ name: 'activity', ok: true }));
  await runInProcess(['settings', 'activity', 'on'], { home });
  await call();
  expect(await queryActivity(home)).toMatchObject({ tools: [undefined] });
  expect((await runInProcess(['remove', '--all', '--yes', '--json'], { home })).code).toBe(0);
  expect(readdirSync(home)).not.toContain('activity');
});
