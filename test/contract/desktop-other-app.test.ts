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
  (await call('desktop:snapshots', {})).apps.find(({ id }) => id === 'other-my-agent');

/** The copied lines, and consent to them. */
async function add(desktop: TestDesktop, integration: string, isHttp: boolean): Promise<string> {
  const { previews } = await desktop.call('app:previewOther', { name: 'My agent', integration, isHttp });
  return await make(desktop, previews);
}

async function make(
  { call, copied }: TestDesktop,
  previews: readonly { readonly token: string }[],
  says = true,
): Promise<string> {
  const token = previews[0]?.token ?? '';
  await call('app:copyLines', { token });
  if (says) await call('app:change', { tokens: [token] });
  return copied.at(-1) ?? '';
}

async function connect(lines: string): Promise<void> {
  const [{ url, headers }] = Object.values((JSON.parse(lines) as { mcpServers: object }).mcpServers) as [Pasted];
  const client = new Client({ name: 'my-agent', version: '1' });
  onTestFinished(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  expect(JSON.stringify(await client.callTool({ name: 'whoami', arguments: {} }))).toContain('You are ');
}

describe('another app in the window', () => {
  it('uses a server with lines whose secret is copied by main, and reaches no page', async () => {
    const { desktop, integration } = await open();
    const { call, messages, engine, waitFor } = desktop;
    const shown = await call('app:previewOther', { name: 'My agent', integration, isHttp: true });
    expect(shown.previews).toMatchObject([{ app: 'other-my-agent', action: 'paste', path: '', secret: 'header' }]);
    const [, secret = ''] = /Bearer ([\w-]{43})/u.exec(await make(desktop, shown.previews, false)) ?? [];
    expect(secret).not.toBe('');
    expect(await added(desktop)).toBeUndefined();
    expect(await engine.vault.owners()).not.toContainEqual(expect.stringContaining('app:'));
    const lines = await make(
      desktop,
      (await call('app:previewOther', { name: 'My agent', integration, isHttp: true })).previews,
    );
    await waitFor(({ apps }) => apps?.some(({ id }) => id === 'other-my-agent'));
    await expect.poll(async () => await connect(lines).then(() => 'connected', String)).toBe('connected');
    const [, bearer = ''] = /Bearer ([\w-]{43})/u.exec(lines) ?? [];
    expect(JSON.stringify(shown) + messages.join('')).not.toContain(bearer);
    expect(JSON.stringify(shown)).not.toContain(secret);
    // A second consent to the same lines returns the same secret.
    expect(await add(desktop, integration, true)).toBe(lines);
    const use = { app: 'other-my-agent', integrations: [integration], use: true };
    expect(await make(desktop, (await call('app:preview', { changes: [use] })).previews)).toBe(lines);
  });

  it('is listed with what it may use, paused and resumed, and gone from the list once revoked', async () => {
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
    // Nothing reports its lines: the user's word counts.
    expect(await call('app:pasted', { app: 'other-my-agent' })).toEqual({ missing: [] });
    expect(await added(desktop)).toMatchObject({ uses: [integration] });
    const change = async (use: boolean) => {
      const changes = [{ app: 'other-my-agent', integrations: [integration], use }];
      const { previews } = await call('app:preview', { changes });
      await call('app:change', { tokens: previews.map(({ token }) => token) });
      return previews[0];
    };
    expect(await change(false)).toMatchObject({ action: 'paste', before: [expect.any(String)], after: [] });
    expect(await added(desktop)).toMatchObject({ uses: [], isRevoked: false });
    expect((await change(true))?.after.join('')).toContain(/"([0-9a-f]{16})"/u.exec(lines)?.[1]);
    expect(await call('app:revoke', { app: 'other-my-agent' })).toMatchObject({
      revoked: [{ app: 'other-my-agent' }],
    });
    expect(await added(desktop)).toBeUndefined();
    expect(await engine.ports.store.list()).toHaveLength(1);
  });

  it('reports that its lines contain a new secret if the vault lost the old one', async () => {
    const { desktop, integration } = await open();
    const { call, engine } = desktop;
    const lost = await add(desktop, integration, true);
    for (const owner of await engine.vault.owners())
      if (owner.startsWith('app:')) await engine.vault.delete(...(await engine.vault.keysOf(owner)));
    const use = { app: 'other-my-agent', integrations: [integration], use: true };
    const { previews } = await call('app:preview', { changes: [use] });
    expect(previews).toMatchObject([{ action: 'paste', secret: 'header', replacesSecret: true }]);
    const lines = await make(desktop, previews);
    expect(lines).not.toBe(lost);
    const again = await call('app:preview', { changes: [use] });
    expect(again.previews[0]).not.toHaveProperty('replacesSecret');
    expect(await make(desktop, again.previews)).toBe(lines);
  });

  it('stores no secret if the consent comes too late', async () => {
    const { desktop, integration } = await open();
    const { call, callFailing, engine } = desktop;
    const { previews } = await call('app:previewOther', { name: 'My agent', integration, isHttp: true });
    await engine.ports.store.delete(integration);
    await callFailing('app:change', { tokens: [previews[0]?.token ?? ''] });
    expect(await added(desktop)).toBeUndefined();
    expect(await engine.vault.owners()).not.toContainEqual(expect.stringContaining('app:'));
  });

  it('is refused if a page made it up', async () => {
    const { desktop, integration } = await open();
    for (const name of ['', ' ', 'x'.repeat(81), 'two\nlines'])
      expect(await desktop.callFailing('app:previewOther', { name, integration, isHttp: false })).toBeDefined();
    const gone = { name: 'X', integration: 'nothing', isHttp: false };
    expect(await desktop.callFailing('app:previewOther', gone)).toMatchObject({ code: 'NOT_FOUND' });
  });
});
