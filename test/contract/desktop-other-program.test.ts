import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startPair } from '../support/demo-pair.ts';
import { createTestDesktop, type TestDesktop } from '../support/test-desktop.ts';

interface Pasted {
  readonly url: string;
  readonly headers: Record<string, string>;
}

async function open(): Promise<{ readonly desktop: TestDesktop; readonly integration: string }> {
  const { mcp } = await startPair();
  const desktop = await createTestDesktop({ serves: true });
  const { integration } = await desktop.engine.connect(mcp.url, { local: true });
  desktop.composed.startWork();
  return { desktop, integration: integration.id };
}

const added = async ({ call }: TestDesktop) =>
  (await call('app:snapshots', {})).programs.find(({ id }) => id === 'other-my-agent');

/** The lines as they are copied, and a yes to them. */
async function add(desktop: TestDesktop, integration: string, isHttp: boolean): Promise<string> {
  const { previews } = await desktop.call('program:previewOther', { name: 'My agent', integration, isHttp });
  return await make(desktop, previews);
}

async function make(
  { call, copied }: TestDesktop,
  previews: readonly { readonly token: string }[],
  says = true,
): Promise<string> {
  const token = previews[0]?.token ?? '';
  await call('program:copyLines', { token });
  if (says) await call('program:change', { tokens: [token] });
  return copied.at(-1) ?? '';
}

async function connect(lines: string): Promise<void> {
  const [{ url, headers }] = Object.values((JSON.parse(lines) as { mcpServers: object }).mcpServers) as [Pasted];
  const client = new Client({ name: 'my-agent', version: '1' });
  onTestFinished(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  expect(JSON.stringify(await client.callTool({ name: 'whoami', arguments: {} }))).toContain('You are ');
}

describe('another program in the window', () => {
  it('uses a server by lines whose secret is copied by main, and goes to no page', async () => {
    const { desktop, integration } = await open();
    const { call, messages, engine, seen } = desktop;
    const shown = await call('program:previewOther', { name: 'My agent', integration, isHttp: true });
    expect(shown.previews).toMatchObject([{ program: 'other-my-agent', action: 'paste', path: '', secret: 'header' }]);
    const [, secret = ''] = /Bearer ([\w-]{43})/u.exec(await make(desktop, shown.previews, false)) ?? [];
    expect(secret).not.toBe('');
    expect(await added(desktop)).toBeUndefined();
    expect(await engine.vault.owners()).not.toContainEqual(expect.stringContaining('program:'));
    const lines = await make(
      desktop,
      (await call('program:previewOther', { name: 'My agent', integration, isHttp: true })).previews,
    );
    await seen(({ programs }) => programs?.some(({ id }) => id === 'other-my-agent'));
    await expect.poll(async () => await connect(lines).then(() => 'connected', String)).toBe('connected');
    const [, kept = ''] = /Bearer ([\w-]{43})/u.exec(lines) ?? [];
    expect(JSON.stringify(shown) + messages.join('')).not.toContain(kept);
    expect(JSON.stringify(shown)).not.toContain(secret);
    // Another yes to the same is the same secret.
    expect(await add(desktop, integration, true)).toBe(lines);
    const use = { program: 'other-my-agent', integrations: [integration], use: true };
    expect(await make(desktop, (await call('program:preview', { changes: [use] })).previews)).toBe(lines);
  });

  it('is listed with what it may use, switched off and on, and gone from the list once it is revoked', async () => {
    const { desktop, integration } = await open();
    const { call, engine } = desktop;
    const lines = await add(desktop, integration, false);
    expect(await added(desktop)).toEqual({
      id: 'other-my-agent',
      name: 'My agent',
      path: '',
      uses: [],
      waiting: [integration],
      isRevoked: false,
      isPaused: false,
    });
    // Nothing tells of its lines: the user's word counts.
    expect(await call('program:pasted', { program: 'other-my-agent' })).toEqual({ missing: [] });
    expect(await added(desktop)).toMatchObject({ uses: [integration] });
    const change = async (use: boolean) => {
      const changes = [{ program: 'other-my-agent', integrations: [integration], use }];
      const { previews } = await call('program:preview', { changes });
      await call('program:change', { tokens: previews.map(({ token }) => token) });
      return previews[0];
    };
    expect(await change(false)).toMatchObject({ action: 'paste', before: [expect.any(String)], after: [] });
    expect(await added(desktop)).toMatchObject({ uses: [], isRevoked: false });
    expect((await change(true))?.after.join('')).toContain(/"([0-9a-f]{16})"/u.exec(lines)?.[1]);
    expect(await call('program:revoke', { program: 'other-my-agent' })).toMatchObject({
      revoked: [{ program: 'other-my-agent' }],
    });
    expect(await added(desktop)).toBeUndefined();
    expect(await engine.ports.store.list()).toHaveLength(1);
  });

  it('says that its lines hold a new secret where the vault has lost the earlier one, and once it is kept no more', async () => {
    const { desktop, integration } = await open();
    const { call, engine } = desktop;
    const lost = await add(desktop, integration, true);
    for (const owner of await engine.vault.owners())
      if (owner.startsWith('program:')) await engine.vault.delete(...(await engine.vault.keysOf(owner)));
    const use = { program: 'other-my-agent', integrations: [integration], use: true };
    const { previews } = await call('program:preview', { changes: [use] });
    expect(previews).toMatchObject([{ action: 'paste', secret: 'header', endsSecret: true }]);
    const lines = await make(desktop, previews);
    expect(lines).not.toBe(lost);
    const again = await call('program:preview', { changes: [use] });
    expect(again.previews[0]).not.toHaveProperty('endsSecret');
    expect(await make(desktop, again.previews)).toBe(lines);
  });

  it('keeps no secret where the yes comes too late', async () => {
    const { desktop, integration } = await open();
    const { call, refuse, engine } = desktop;
    const { previews } = await call('program:previewOther', { name: 'My agent', integration, isHttp: true });
    await engine.ports.store.delete(integration);
    await refuse('program:change', { tokens: [previews[0]?.token ?? ''] });
    expect(await added(desktop)).toBeUndefined();
    expect(await engine.vault.owners()).not.toContainEqual(expect.stringContaining('program:'));
  });

  it('is refused what a page makes up', async () => {
    const { desktop, integration } = await open();
    for (const name of ['', ' ', 'x'.repeat(81), 'two\nlines'])
      expect(await desktop.refuse('program:previewOther', { name, integration, isHttp: false })).toBeDefined();
    const gone = { name: 'X', integration: 'nothing', isHttp: false };
    expect(await desktop.refuse('program:previewOther', gone)).toMatchObject({ code: 'NOT_FOUND' });
  });
});
