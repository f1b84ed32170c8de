import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sendLocalRequest } from '../../main/host/gateway/gateway-holder.ts';
import { systemClock } from '../../main/host/system-ports.ts';
import { gatewaySession } from '../../main/limits.ts';
import { openIntegrationStore } from '../../main/storage/settings/integration-store.ts';
import { visibleWord } from '../../shared/command-display.ts';
import { afterTest } from '../support/after-test.ts';
import { openApp, shakeHands } from '../support/line-app.ts';
import { scriptWords } from '../support/local-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestDesktop } from '../support/test-desktop.ts';

/** Servers on this computer in the window: a page can request them, and only the user can consent. */

const words = (file: string): string[] => [
  process.execPath,
  ...scriptWords(
    {},
    `require('node:fs').appendFileSync(${JSON.stringify(file)}, '1'); console.error('ready \\u001b[31mred')`,
  ),
];

async function open(answer: boolean) {
  const desktop = await createTestDesktop({ answer: async () => answer });
  afterTest(() => desktop.engine.ports.local.close());
  const file = join(desktop.engine.folder, 'starts');
  const starts = (): number => (existsSync(file) ? readFileSync(file, 'utf8').length : 0);
  const variables = [{ name: 'ITS_TOKEN', value: 'canary-of-the-vault' }];
  const prepared = await desktop.call('local:prepare', { name: 'Here', words: words(file), variables });
  return { desktop, starts, prepared };
}

describe.skipIf(process.platform === 'win32')('a local command in the window', () => {
  it('is shown as it will run, confirmed outside of any page, and not started if declined', async () => {
    const { desktop, starts, prepared } = await open(false);
    expect(prepared.command.path).toBe(process.execPath);
    expect(await desktop.call('local:connect', { token: prepared.token, call: 'c' })).toBeNull();
    // A long word continues on the next line, and a long command in the next dialog.
    const prompts = desktop.confirmations
      .map(({ detail }) => detail)
      .join('\n')
      .replaceAll(' ↩\n', '');
    for (const shown of [process.execPath, ...prepared.command.arguments.map(visibleWord), 'ITS_TOKEN'])
      expect(prompts).toContain(shown);
    expect(starts()).toBe(0);
    expect(desktop.messages.join('\n')).not.toContain('"allowed"');
    expect(desktop.mirror.integrations ?? []).toEqual([]);
  });

  it.each(['-here', '+here', '\u200b'])(
    'is refused a name that a command could not type, as on a terminal: %j',
    async (name) => {
      const desktop = await createTestDesktop();
      const form = { name, words: words('starts'), variables: [] };
      expect(await desktop.callFailing('local:prepare', form)).toMatchObject({ code: 'NAME_INVALID', blame: 'input' });
    },
  );

  it('shows the values that can decide which code runs, and all of a long command (LS-15)', async () => {
    const prompts: string[] = [];
    const desktop = await createTestDesktop({
      answer: async ({ detail, button }) => {
        prompts.push(`${detail}\n[${button}]`);
        return prompts.length < 2;
      },
    });
    const long = 'x'.repeat(4_000);
    const variables = [
      { name: 'NODE_OPTIONS', value: '--require /tmp/evil.js' },
      { name: 'ITS_TOKEN', value: 'canary-of-the-vault' },
    ];
    const prepared = await desktop.call('local:prepare', {
      name: 'Here',
      words: [process.execPath, long, 'last'],
      variables,
    });
    expect(prepared.shown).toEqual([{ ...variables[0], decides: true }]);
    expect(await desktop.call('local:connect', { token: prepared.token, call: 'c' })).toBeNull();
    expect(prompts).toHaveLength(2);
    for (const text of prompts) expect(text.split('\n').length).toBeLessThanOrEqual(25);
    const shown = prompts.join('\n');
    expect(shown.replaceAll(/[^x]/gu, '').length).toBeGreaterThanOrEqual(4_000);
    expect(prompts.at(-1)).toContain('--require /tmp/evil.js');
    expect(new Set(prompts.map((text) => text.split('\n').at(-1))).size).toBe(2);
    expect(shown).not.toContain('canary-of-the-vault');
  });

  it('from a list is confirmed like a typed one, and its values stay in main (LS-12)', async () => {
    const { desktop, starts } = await open(true);
    const file = join(desktop.engine.folder, 'starts');
    const [command = '', ...args] = words(file);
    const env = { ITS_TOKEN: 'canary-of-the-list', LATER: '${LATER}' };
    const text = JSON.stringify({ mcpServers: { here: { command, args, env } } });
    const { entries } = await desktop.call('import:read', { text });
    const [entry] = entries;
    expect(entry).toMatchObject({ kind: 'local', notes: ['local-command', 'command-to-fill-in'] });
    const draft = await desktop.call('local:draft', { entry: entry?.id ?? '' });
    expect(draft).toMatchObject({
      words: [command, ...args],
      variables: [
        { name: 'ITS_TOKEN', hasListedValue: true },
        { name: 'LATER', hasListedValue: false },
      ],
    });
    // Another list was checked in the meantime.
    await desktop.call('import:read', { text: '{"mcpServers":{}}' });
    const whole = { name: draft.name, words: draft.words, draft: draft.draft };
    const incomplete = { ...whole, variables: [{ name: 'ITS_TOKEN' }, { name: 'LATER' }] };
    expect(await desktop.callFailing('local:prepare', incomplete)).toMatchObject({ code: 'IPC_SCHEMA' });
    const variables = [{ name: 'ITS_TOKEN' }, { name: 'LATER', value: 'typed' }];
    const prepared = await desktop.call('local:prepare', { ...whole, variables });
    expect(prepared.command.from).toBe('mcp.json');
    expect(starts()).toBe(0);
    const connected = await desktop.call('local:connect', { token: prepared.token, call: 'c' });
    expect(desktop.confirmations).toHaveLength(1);
    expect(desktop.messages.map((message): unknown => JSON.parse(message))).toContainEqual({
      event: 'allowed',
      call: 'c',
    });
    expect(starts()).toBe(1);
    const filled = text.replace('${LATER}', 'typed');
    const again = await desktop.call('import:read', { text: filled });
    expect(again.entries).toMatchObject([{ connectedAs: connected?.id }]);
    const other = await desktop.call('import:read', { text: filled.replace('canary-of-the-list', 'another') });
    expect(other.entries[0]).not.toHaveProperty('connectedAs');
    expect(desktop.messages.join('\n')).not.toContain('canary-of-the-list');
    expect(JSON.stringify(await desktop.engine.ports.store.list())).not.toContain('canary-of-the-list');
  });

  it('from a list is confirmed with every value that is not a secret (LS-12)', async () => {
    const desktop = await createTestDesktop({ answer: async () => false });
    const plain = {
      PYTHONUSERBASE: '/tmp/python-of-others',
      HOME: '/tmp/home-of-others',
      OPENSSL_CONF: '/tmp/others.cnf',
      GREETING: 'hello there',
    };
    const env = { ...plain, ITS_TOKEN: 'canary-of-the-list' };
    const { entries } = await desktop.call('import:read', {
      text: JSON.stringify({ mcpServers: { here: { command: process.execPath, env } } }),
    });
    const draft = await desktop.call('local:draft', { entry: entries[0]?.id ?? '' });
    const variables = Object.keys(env).map((name) => ({ name }));
    const prepared = await desktop.call('local:prepare', { ...draft, variables });
    expect(await desktop.call('local:connect', { token: prepared.token, call: 'c' })).toBeNull();
    const prompts = desktop.confirmations.map(({ detail }) => detail).join('\n');
    for (const [name, value] of Object.entries(plain)) {
      expect(prepared.shown).toContainEqual({ name, value, decides: name !== 'GREETING' });
      expect(prompts).toContain(value);
    }
    expect(prompts + JSON.stringify(prepared)).not.toContain('canary-of-the-list');
  });

  it('names a remedy if the entered command was replaced meanwhile', async () => {
    const { desktop, prepared } = await open(true);
    const text = JSON.stringify({
      mcpServers: { here: { command: 'node', args: ['--api-key=canary'], env: { A: 'b' } } },
    });
    const { entries } = await desktop.call('import:read', { text });
    const entry = entries[0]?.id ?? '';
    const opened = await desktop.call('local:draft', { entry });
    const form = { name: opened.name, words: opened.words, draft: opened.draft, variables: [{ name: 'A' }] };
    for (let more = 0; more < 20; more += 1) {
      await desktop.call('local:prepare', form);
      await desktop.call('local:draft', { entry });
    }
    await desktop.call('import:read', { text: '{"mcpServers":{}}' });
    const refused = [
      await desktop.callFailing('local:draft', { entry }),
      await desktop.callFailing('local:prepare', form),
      await desktop.callFailing('local:prepare', { ...form, variables: [] }),
      await desktop.callFailing('local:connect', { token: prepared.token, call: 'c' }),
    ];
    expect(refused.map(({ code }) => code)).toEqual(refused.map(() => 'LOCAL_DRAFT_GONE'));
    expect(desktop.confirmations).toEqual([]);
  });

  it('is connected on consent, read, stopped and started, and its values are never shown again', async () => {
    const { desktop, starts, prepared } = await open(true);
    const connected = await desktop.call('local:connect', { token: prepared.token, call: 'c' });
    if (!connected) throw new Error('it was connected');
    const { id } = connected;
    expect(connected.tools).toBe(1);
    await desktop.call('integration:tools', { id });
    const status = await desktop.call('local:status', { id, since: 0 });
    expect(status).toMatchObject({ state: 'running', isAllowed: true, output: expect.stringContaining('ready red') });
    await desktop.call('local:stop', { id });
    const before = starts();
    expect(await desktop.callFailing('integration:tools', { id })).toMatchObject({ code: 'LOCAL_STOPPED' });
    const statusNow = async () => (await desktop.call('desktop:snapshots', {})).integrations[0]?.status.name;
    expect(await statusNow()).toBe('stopped');
    expect(starts()).toBe(before);
    expect(await desktop.call('local:start', { id })).toEqual({ id, state: 'off' });
    await desktop.call('integration:tools', { id });
    expect(desktop.messages.join('\n')).not.toContain('canary-of-the-vault');
    expect(JSON.stringify(await desktop.engine.ports.store.list())).not.toContain('canary-of-the-vault');
  });

  it('loses its values and its consent once its removal is final', async () => {
    const { desktop, prepared } = await open(true);
    const { id = '' } = (await desktop.call('local:connect', { token: prepared.token, call: 'c' })) ?? {};
    expect(await desktop.engine.vault.keysOf(id)).not.toEqual([]);
    const { deletion = '' } = (await desktop.call('integration:remove', { ids: [id] })) ?? {};
    await desktop.call('deletion:finish', { id: deletion });
    expect(await desktop.engine.vault.keysOf(id)).toEqual([]);
  });

  it('asks again before a changed command runs, and names what another one with its name replaces', async () => {
    const { desktop, prepared } = await open(true);
    const connected = await desktop.call('local:connect', { token: prepared.token, call: 'c' });
    const { id = '' } = connected ?? {};
    const other = [process.execPath, ...scriptWords({})];
    const next = await desktop.call('local:prepare', { name: 'Here', words: other, variables: [] });
    expect(await desktop.call('local:connect', { token: next.token, call: 'c' })).toMatchObject({ id });
    const text = desktop.confirmations.at(-1)?.detail ?? '';
    // The replaced command, and the variable whose value is replaced.
    for (const gone of [process.execPath, 'ITS_TOKEN']) expect(text.split('\n').slice(-4).join('\n')).toContain(gone);
    await desktop.engine.ports.store.update(id, (current) => ({
      ...current,
      ...(current.command && { command: { ...current.command, arguments: [...current.command.arguments, '--more'] } }),
    }));
    const before = desktop.confirmations.length;
    expect((await desktop.call('local:status', { id, since: 0 })).isAllowed).toBe(false);
    expect(await desktop.call('local:start', { id })).toMatchObject({ id });
    expect(
      desktop.confirmations
        .slice(before)
        .map(({ detail }) => detail)
        .join('\n'),
    ).toContain('--more');
    expect((await desktop.call('local:status', { id, since: 0 })).isAllowed).toBe(true);
  });

  it('is confirmed with the hosted service that makes it unnecessary, and a note that it downloads code', async () => {
    const desktop = await createTestDesktop({ answer: async () => false });
    const apps = temporaryFolder();
    writeFileSync(join(apps, 'npx'), '#!/bin/sh\n', { mode: 0o755 });
    const place = 'https://mcp.example.com/mcp';
    const address = `${place}?api_key=canary0123456789abcdef0123`;
    const fetched = [join(apps, 'npx'), '-y', 'mcp-remote', address];
    const prepared = await desktop.call('local:prepare', { name: 'Here', words: fetched, variables: [] });
    expect(prepared.remote).toMatchObject({ address, isBridged: true });
    expect(await desktop.call('local:connect', { token: prepared.token, call: 'c' })).toBeNull();
    const prompts = desktop.confirmations.map(({ detail }) => detail).join('\n');
    expect(prompts.split('\n').filter((line) => line.includes(place))).toHaveLength(2);
    expect(prompts).not.toContain('canary');
    expect(prompts.split('\n').filter((line) => line.includes(join(apps, 'npx')))).toHaveLength(2);
  });

  it.each([
    { words: ['node', '--key=<YOUR KEY>'], variables: [] },
    { words: ['node'], variables: [{ name: 'ITS_TOKEN', value: 'YOUR_API_KEY' }] },
  ])('is refused with a documentation placeholder in it, as on a terminal: %j', async (typed) => {
    const desktop = await createTestDesktop();
    const refused = await desktop.callFailing('local:prepare', { name: 'Here', ...typed });
    expect(refused).toMatchObject({ code: 'LOCAL_TO_FILL_IN', blame: 'input' });
  });

  it('is reported to waiting apps as soon as it is started again', async () => {
    const after = systemClock.after.bind(systemClock);
    const desktop = await createTestDesktop({
      serves: true,
      // There is no polling.
      clock: { ...systemClock, after: (ms, act) => (ms === gatewaySession.retryInterval ? () => {} : after(ms, act)) },
    });
    const { folder, ports } = desktop.engine;
    afterTest(() => ports.local.close());
    const prepared = await desktop.call('local:prepare', {
      name: 'Here',
      words: [process.execPath, ...scriptWords({})],
      variables: [],
    });
    const { id = '' } = (await desktop.call('local:connect', { token: prepared.token, call: 'c' })) ?? {};
    await desktop.call('local:stop', { id });
    const { apps } = openIntegrationStore({ folder, locks: ports.locks });
    const record = { id: '0123456789abcdef', app: 'cursor', name: 'Cursor', integrations: [id], createdAt: 1 };
    await apps.change(() => [record]);
    desktop.composed.startWork();
    const socket = join(folder, 'run', 'gateway.sock');
    await expect.poll(() => existsSync(socket)).toBe(true);
    const app = openApp(socket, { server: id, app: record.id });
    await shakeHands(app);
    await app.request(1, 'tools/list');
    await desktop.call('local:start', { id });
    await app.line(({ method }) => method === 'notifications/tools/list_changed');
    expect(await app.request(2, 'tools/list')).toMatchObject({ result: { tools: [{}] } });
  });

  it('is no longer shown as failed once a command has started it again', async () => {
    const desktop = await createTestDesktop({ serves: true });
    const { folder, ports } = desktop.engine;
    afterTest(() => ports.local.close());
    const broken = join(folder, 'broken');
    const version = `require('node:fs').existsSync(${JSON.stringify(broken)}) ? '1999-01-01' : m.params.protocolVersion`;
    const initialize = `(m) => ({ protocolVersion: ${version}, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } })`;
    const typed = { name: 'Here', words: [process.execPath, ...scriptWords({ initialize })], variables: [] };
    const { token } = await desktop.call('local:prepare', typed);
    const { id = '' } = (await desktop.call('local:connect', { token, call: 'c' })) ?? {};
    desktop.composed.startWork();
    await expect.poll(() => existsSync(join(folder, 'run', 'gateway.sock'))).toBe(true);
    const shown = async () => (await desktop.call('desktop:snapshots', {})).integrations[0]?.status.name;
    writeFileSync(broken, '');
    await desktop.call('local:stop', { id });
    await desktop.call('local:start', { id });
    await desktop.callFailing('integration:tools', { id });
    expect(await shown()).toBe('failing');
    await sendLocalRequest(folder, { id, act: 'stop' });
    await sendLocalRequest(folder, { id, act: 'start' });
    expect(await shown()).toBe('ready');
  });
});
