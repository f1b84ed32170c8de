import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openApp } from '../support/line-app.ts';
import type { LineApp } from '../support/line-app.ts';
import { connectCommand, nodeCommand, scriptWords } from '../support/local-server.ts';
import { serveGateway } from '../support/served-gateway.ts';
import { createTestEngine } from '../support/test-engine.ts';

/** Apps that share one server process: no app sees what belongs to another, or can block the others. */

/** A server that holds each call until released, and records what it received. */
async function share(script: Readonly<Record<string, string>> = {}, beginning = '') {
  const engine = createTestEngine();
  const file = join(engine.folder, 'heard');
  const note = `const fs = require('node:fs'); fs.appendFileSync(${JSON.stringify(file)}, JSON.stringify({ started: process.pid }) + '\\n');
    process.stdin.on('data', (chunk) => fs.appendFileSync(${JSON.stringify(file)}, chunk));
    const tell = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');`;
  const command = nodeCommand(scriptWords(script, `${note}${beginning}`), { lifetime: 'shared' });
  const here = await connectCommand(engine, command);
  const served = await serveGateway(engine, { allowUnknown: true });
  const received = (): readonly Record<string, unknown>[] =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const open = async (version = '2025-11-25'): Promise<LineApp> => {
    const app = openApp(served.socket, { server: here.alias ?? '' });
    const params = {
      protocolVersion: version,
      capabilities: { sampling: {} },
      clientInfo: { name: 'p', version: '1' },
    };
    const { result } = (await app.request('hello', 'initialize', params)) as { result: { protocolVersion: string } };
    expect(result.protocolVersion).toBe(version);
    app.write('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    return app;
  };
  const starts = (): number => received().filter((message) => 'started' in message).length;
  return { engine, here, open, received, starts };
}

/** Answers by the argument `say`, once a call releases all. */
const held = {
  'tools/call': `(m) => {
    (globalThis.held ??= []).push(m);
    if (m.params.arguments.go !== true) return null;
    for (const each of globalThis.held) {
      if (each.params._meta?.progressToken !== undefined)
        tell({ method: 'notifications/progress', params: { progressToken: each.params._meta.progressToken, progress: 1, message: String(each.params.arguments.say) } });
      tell({ id: each.id, result: { content: [{ type: 'text', text: String(each.params.arguments.say) }] } });
    }
    globalThis.held = [];
    return null;
  }`,
};

const call = (id: unknown, argument: object, meta?: object): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'act', arguments: argument, ...(meta && { _meta: meta }) },
  });

describe.skipIf(process.platform === 'win32')('apps that share one process', () => {
  it('get their own responses and progress, even with the same IDs and tokens (LS-13)', async () => {
    const { open, received, starts } = await share(held);
    const before = starts();
    const [one, two] = [await open(), await open('2025-06-18')];
    one.write(call(1, { say: 'of one' }, { progressToken: 'same' }));
    two.write(call(1, { say: 'of two' }, { progressToken: 'same' }));
    await expect.poll(() => received().filter(({ method }) => method === 'tools/call').length).toBe(2);
    two.write(call(2, { say: 'go', go: true }));
    for (const [app, own, other] of [
      [one, 'of one', 'of two'],
      [two, 'of two', 'of one'],
    ] as const) {
      expect(await app.response(1)).toContain(own);
      const progress = app.lines.filter((line) => line.includes('notifications/progress'));
      expect(progress).toHaveLength(1);
      expect(progress[0]).toContain('"progressToken":"same"');
      expect(app.lines.join('\n')).not.toContain(other);
    }
    expect(starts()).toBe(before + 1);
    const greetings = received().filter(({ method }) => method === 'initialize');
    // That of the connection, and one for both apps.
    expect(greetings).toHaveLength(2);
    expect(greetings.at(-1)).not.toHaveProperty('params.capabilities.sampling');
  });

  it('cancel and end only what is their own, and the last one ends the process (LS-13)', async () => {
    const { open, received, engine, here } = await share(held);
    const [one, two] = [await open(), await open()];
    one.write(call(7, { say: 'of one' }));
    two.write(call(7, { say: 'of two' }));
    await expect.poll(() => received().filter(({ method }) => method === 'tools/call').length).toBe(2);
    const idOf = (say: string): unknown => received().find((message) => JSON.stringify(message).includes(say))?.['id'];
    const mine = idOf('of one');
    one.write('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}');
    one.end();
    await expect
      .poll(() => received().filter(({ method }) => method === 'notifications/cancelled').length)
      .toBeGreaterThan(0);
    for (const { params } of received().filter(({ method }) => method === 'notifications/cancelled'))
      expect(params).toMatchObject({ requestId: mine });
    two.write(call(8, { say: 'go', go: true }));
    expect(await two.response(7)).toContain('of two');
    expect(engine.ports.local.status(here.id).processes).toHaveLength(1);
    two.end();
    await expect.poll(() => engine.ports.local.status(here.id).processes.length).toBe(0);
  });

  it('get what concerns all, and no log, request or text that may be another’s (LS-14)', async () => {
    const script = {
      'tools/call': `(m) => {
        tell({ method: 'notifications/message', params: { level: 'info', data: 'for another app' } });
        tell({ method: 'notifications/progress', params: { progressToken: 999, progress: 1 } });
        tell({ id: 'q', method: 'sampling/createMessage', params: {} });
        tell({ method: 'notifications/tools/list_changed' });
        return { content: [] };
      }`,
      'resources/list': `() => ({ resources: [{ uri: 'x:another-app', name: 'x' }] })`,
    };
    const { open, received } = await share(script);
    const [one, two] = [await open(), await open()];
    one.write(call(1, {}));
    const isChange = (message: Record<string, unknown>): boolean =>
      message['method'] === 'notifications/tools/list_changed';
    await Promise.all([one.response(1), one.line(isChange), two.line(isChange)]);
    expect(await one.request(2, 'resources/list')).toHaveProperty('error');
    expect([...one.lines, ...two.lines].join('\n')).not.toMatch(
      /for another app|x:another-app|sampling|progressToken/u,
    );
    await expect.poll(() => received().find(({ id }) => id === 'q')).toHaveProperty('error');
  });

  it('all learn of its end, and start a new one together (LS-13)', async () => {
    const { open, starts } = await share({
      'tools/call': `(m) => m.params.arguments.end ? process.exit(3) : { content: [{ type: 'text', text: 'here' }] }`,
    });
    const [one, two] = [await open(), await open()];
    const before = starts();
    expect(JSON.stringify(await one.request(1, 'tools/call', { name: 'act', arguments: { end: true } }))).toContain(
      'LOCAL_EXITED',
    );
    const again = [
      one.request(2, 'tools/call', { name: 'act', arguments: {} }),
      two.request(2, 'tools/call', { name: 'act', arguments: {} }),
    ];
    for (const response of await Promise.all(again)) expect(JSON.stringify(response)).toContain('here');
    expect(starts()).toBe(before + 1);
  });

  it('all get a burst of short messages, as long as they read', async () => {
    const { open } = await share({
      'tools/call': `(m) => {
        const progress = { progressToken: m.params._meta.progressToken, progress: 1 };
        const line = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params: progress }) + '\\n';
        process.stdout.write(line.repeat(10000));
        return { content: [{ type: 'text', text: 'here' }] };
      }`,
    });
    const [one] = [await open(), await open()];
    one.write(call(1, {}, { progressToken: 'mine' }));
    await expect.poll(() => one.lines.at(-1), { timeout: 60_000 }).toContain('here');
    expect(one.lines.filter((line) => line.includes('notifications/progress'))).toHaveLength(10_000);
  });
});
