import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { visibleWord } from '../../shared/visible-word.ts';
import { afterTest } from '../support/after-test.ts';
import { scriptWords } from '../support/local-server.ts';
import { createTestDesktop } from '../support/test-desktop.ts';

/** Servers on this computer by the window: a page can ask, and only the person can say yes. */

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
  it('is shown as it will run, asked about outside of any page, and not started on a no', async () => {
    const { desktop, starts, prepared } = await open(false);
    expect(prepared.command.path).toBe(process.execPath);
    expect(await desktop.call('local:connect', { token: prepared.token, call: 'c' })).toBeNull();
    // A long word goes on in the next line, and a long command in the next dialog.
    const asked = desktop.asked
      .map(({ detail }) => detail)
      .join('\n')
      .replaceAll(' ↩\n', '');
    for (const shown of [process.execPath, ...prepared.command.arguments.map(visibleWord), 'ITS_TOKEN'])
      expect(asked).toContain(shown);
    expect(starts()).toBe(0);
    expect(desktop.mirror.integrations ?? []).toEqual([]);
  });

  it('shows the values that can decide which code runs, and all of a long command (LS-15)', async () => {
    const asked: string[] = [];
    const desktop = await createTestDesktop({
      answer: async ({ detail, button }) => {
        asked.push(`${detail}\n[${button}]`);
        return asked.length < 2;
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
    expect(asked).toHaveLength(2);
    for (const text of asked) expect(text.split('\n').length).toBeLessThanOrEqual(25);
    const shown = asked.join('\n');
    expect(shown.replaceAll(/[^x]/gu, '').length).toBeGreaterThanOrEqual(4_000);
    expect(asked.at(-1)).toContain('--require /tmp/evil.js');
    expect(new Set(asked.map((text) => text.split('\n').at(-1))).size).toBe(2);
    expect(shown).not.toContain('canary-of-the-vault');
  });

  it('of a list is asked about like a typed one, and its values stay in main (LS-12)', async () => {
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
        { name: 'ITS_TOKEN', isKept: true },
        { name: 'LATER', isKept: false },
      ],
    });
    // Another list was looked at meanwhile.
    await desktop.call('import:read', { text: '{"mcpServers":{}}' });
    const whole = { name: draft.name, words: draft.words, draft: draft.draft };
    const incomplete = { ...whole, variables: [{ name: 'ITS_TOKEN' }, { name: 'LATER' }] };
    expect(await desktop.refuse('local:prepare', incomplete)).toMatchObject({ code: 'IPC_SCHEMA' });
    const variables = [{ name: 'ITS_TOKEN' }, { name: 'LATER', value: 'typed' }];
    const prepared = await desktop.call('local:prepare', { ...whole, variables });
    expect(prepared.command.from).toBe('mcp.json');
    expect(starts()).toBe(0);
    const connected = await desktop.call('local:connect', { token: prepared.token, call: 'c' });
    expect(desktop.asked).toHaveLength(1);
    expect(starts()).toBe(1);
    const filled = text.replace('${LATER}', 'typed');
    const again = await desktop.call('import:read', { text: filled });
    expect(again.entries).toMatchObject([{ connectedAs: connected?.id }]);
    const other = await desktop.call('import:read', { text: filled.replace('canary-of-the-list', 'another') });
    expect(other.entries[0]).not.toHaveProperty('connectedAs');
    expect(desktop.messages.join('\n')).not.toContain('canary-of-the-list');
    expect(JSON.stringify(await desktop.engine.ports.store.list())).not.toContain('canary-of-the-list');
  });

  it('is connected on a yes, read, stopped and started, and its values never come back', async () => {
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
    expect(await desktop.refuse('integration:tools', { id })).toMatchObject({ code: 'LOCAL_STOPPED' });
    const statusNow = async () => (await desktop.call('app:snapshots', {})).integrations[0]?.status.name;
    expect(await statusNow()).toBe('stopped');
    expect(starts()).toBe(before);
    expect(await desktop.call('local:start', { id })).toEqual({ id });
    await desktop.call('integration:tools', { id });
    expect(desktop.messages.join('\n')).not.toContain('canary-of-the-vault');
    expect(JSON.stringify(await desktop.engine.ports.store.list())).not.toContain('canary-of-the-vault');
  });
});
