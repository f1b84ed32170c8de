import { describe, expect, it } from 'vitest';
import type { IpcEvent } from '../../shared/ipc-event.ts';
import { notesUri, startNotesServer } from '../support/notes-server.ts';
import { createTestDesktop } from '../support/test-desktop.ts';
import type { TestDesktop } from '../support/test-desktop.ts';
import { event, sendJson, startRawServer } from '../support/raw-mcp-server.ts';

/** Changes that a server reports while the window shows it. */

const changes = ({ messages }: TestDesktop, call: string) =>
  messages
    .map((text) => JSON.parse(text) as IpcEvent)
    .filter((message) => message.event === 'changed' && message.call === call)
    .map((message) => message.event === 'changed' && message.occasion);
const names = async (desktop: TestDesktop, id: string) =>
  (await desktop.call('integration:tools', { id, quietly: true })).tools.map(({ name }) => name);

async function open(protocol: 'session' | 'stateless') {
  const notes = await startNotesServer(protocol);
  const desktop = await createTestDesktop();
  const { integration } = await desktop.engine.connect(notes.url);
  await expect.poll(() => notes.ended).toEqual(notes.began);
  for (const list of [notes.began, notes.ended]) list.length = 0;
  return { notes, desktop, id: integration.id };
}

describe.each(['session', 'stateless'] as const)('the window (%s)', (protocol) => {
  it('is notified to reload a list when the server reports a change, until no page shows it', async () => {
    const { notes, desktop, id } = await open(protocol);
    const followed = desktop.call('integration:follow', { id, call: 'a', of: { list: 'tools' } });
    await expect.poll(() => changes(desktop, 'a')).toEqual(['first']);
    expect(await names(desktop, id)).toEqual(['look']);
    await notes.addTool('write');
    await expect.poll(() => changes(desktop, 'a')).toEqual(['first', 'changed']);
    expect(await names(desktop, id)).toEqual(['look', 'write']);
    await desktop.call('integration:stopCall', { call: 'a' });
    expect(await followed).toBeNull();
    // The session is that of the window, and continues.
    expect(notes.began.length).toBe(protocol === 'session' ? 1 : 0);
    if (protocol === 'stateless') await expect.poll(() => notes.unsubscribed).toHaveLength(1);
  });

  it('subscribes to the resource that is shown, and to one at a time', async () => {
    const { notes, desktop, id } = await open(protocol);
    const of = { resource: notesUri };
    const first = desktop.call('integration:follow', { id, call: 'a', of });
    await expect.poll(() => changes(desktop, 'a')).toEqual(['first']);
    expect([notes.subscriptions.length, notes.unsubscribed.length]).toEqual([1, 0]);
    // A reloaded page has stopped nothing.
    const second = desktop.call('integration:follow', { id, call: 'b', of });
    await first;
    await expect.poll(() => changes(desktop, 'b')).toEqual(['first']);
    expect([notes.subscriptions.length, notes.unsubscribed.length]).toEqual([2, 1]);
    await notes.change('second');
    await expect.poll(() => changes(desktop, 'b')).toEqual(['first', 'changed']);
    expect(changes(desktop, 'a')).toEqual(['first']);
    desktop.composed.desktop.windowsClosed();
    await second;
    await expect.poll(() => notes.ended).toEqual(notes.began);
  });

  it('continues with another stream if one has ended, in the same session, and reloads what it may have missed', async () => {
    const { notes, desktop, id } = await open(protocol);
    void desktop.call('integration:follow', { id, call: 'a', of: { list: 'tools' } });
    await expect.poll(() => changes(desktop, 'a')).toEqual(['first']);
    notes.streams.at(-1)?.destroy();
    await expect.poll(() => changes(desktop, 'a'), { timeout: 20_000 }).toEqual(['first', 'again']);
    await notes.addTool('write');
    await expect.poll(() => changes(desktop, 'a'), { timeout: 20_000 }).toEqual(['first', 'again', 'changed']);
    expect([notes.began.length, notes.ended]).toEqual([protocol === 'session' ? 1 : 0, []]);
  });
});

it('ends at once if the server does not report changes', async () => {
  const server = await startRawServer('session', []);
  const desktop = await createTestDesktop();
  const { integration } = await desktop.engine.connect(server.url);
  for (const of of [{ list: 'tools' }, { resource: 'a:b' }] as const)
    expect(await desktop.call('integration:follow', { id: integration.id, call: 'a', of })).toBeNull();
  expect(changes(desktop, 'a')).toEqual([]);
});

it('EL-12 is notified at most once a second, however often the server reports a change', async () => {
  const server = await startRawServer('session', [], ({ method, message, response }) => {
    if (method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const changed = event({ method: 'notifications/tools/list_changed' }).repeat(1_000);
      const pour = (): void => void response.write(changed, () => setImmediate(pour));
      response.once('close', () => response.destroy());
      pour();
      return true;
    }
    if (message.method !== 'initialize') return false;
    const capabilities = { tools: { listChanged: true } };
    const result = { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 'x', version: '1' } };
    sendJson({ message, response }, { result });
    return true;
  });
  const desktop = await createTestDesktop();
  const { integration } = await desktop.engine.connect(server.url);
  void desktop.call('integration:follow', { id: integration.id, call: 'a', of: { list: 'tools' } });
  const began = performance.now();
  await expect.poll(() => changes(desktop, 'a').length, { timeout: 20_000 }).toBeGreaterThanOrEqual(3);
  const passed = performance.now() - began;
  expect(changes(desktop, 'a').length).toBeLessThanOrEqual(2 + passed / 1_000);
  await desktop.call('integration:stopCall', { call: 'a' });
});
