import { expect, it } from 'vitest';
import { runInProcess } from '../support/command-in-process.ts';
import { notesUri as uri, startNotesServer } from '../support/notes-server.ts';
import { startPostern } from '../support/postern-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { event, sendJson, startRawServer } from '../support/raw-mcp-server.ts';
import type { RawRequest } from '../support/raw-mcp-server.ts';

/** A resource that is read again whenever its server reports an update. */

async function connect(url: string) {
  const home = temporaryFolder();
  expect(await runInProcess(['connect', url, '--local', '--name', 'x', '--json'], { home })).toMatchObject({
    code: 0,
    last: { result: 'ok' },
  });
  return (...words: string[]) => startPostern(['read', 'x', uri, '--follow', ...words], { home });
}

it.each(['session', 'stateless'] as const)(
  'shows a resource again when a %s server updates it, until Ctrl-C',
  async (protocol) => {
    const notes = await startNotesServer(protocol);
    const follow = await connect(notes.url);
    const following = follow('--json');
    await following.waitFor(/"first"/u);
    expect(notes.subscriptions).toEqual([uri]);
    expect(notes.unsubscribed).toEqual([]);
    await notes.change('second');
    await following.waitFor(/"second"/u);
    following.kill('SIGINT');
    const { code, lines, last } = await following.ended;
    expect(code).toBe(0);
    const events = lines.filter((line) => line['event'] === 'contents');
    expect(events).toMatchObject([{ contents: [{ uri, text: 'first' }] }, { contents: [{ uri, text: 'second' }] }]);
    expect(last).toMatchObject({ result: 'ok', contents: [{ text: 'second' }] });
    await expect.poll(() => notes.unsubscribed).toEqual([uri]);
  },
);

it('prints each text on its own lines, and continues after the connection has ended', async () => {
  const notes = await startNotesServer('session');
  const following = (await connect(notes.url))();
  await following.waitFor(/first\n/u);
  await notes.endStreams();
  await expect.poll(() => notes.subscriptions, { timeout: 20_000 }).toHaveLength(2);
  await notes.change('second');
  await following.waitFor(/second\n/u);
  following.kill('SIGINT');
  expect(await following.ended).toMatchObject({ code: 0, stdout: 'first\nsecond\n' });
});

const initialized = (resources: object) => ({
  protocolVersion: '2025-11-25',
  capabilities: { resources },
  serverInfo: { name: 'x', version: '1' },
});

it('reports that a server sends no updates, also if it has no stream for them', async () => {
  for (const resources of [{}, { subscribe: true }]) {
    const server = await startRawServer('session', [], (request) => {
      if (request.message.method !== 'initialize') return false;
      sendJson(request, { result: initialized(resources) });
      return true;
    });
    const { code, last } = await (await connect(server.url))('--json').ended;
    expect(code).toBe(1);
    expect(last).toMatchObject({ error: { code: 'NO_SUBSCRIPTIONS' } });
    expect(server.methods()).not.toContain('resources/subscribe');
  }
});

it('EL-11 reads a resource at most once a second, however often the server reports updates', async () => {
  let stream: RawRequest | undefined;
  const reads: number[] = [];
  const server = await startRawServer('session', [], (request) => {
    const { method, message, response } = request;
    if (method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      stream = request;
      return true;
    }
    if (message.method === 'initialize') sendJson(request, { result: initialized({ subscribe: true }) });
    else if (/^resources\/(?:un)?subscribe$/u.test(message.method ?? '')) sendJson(request, { result: {} });
    else if (message.method === 'resources/read') {
      reads.push(performance.now());
      sendJson(request, { result: { contents: [{ uri, text: `text ${reads.length}` }] } });
    } else return false;
    const updated = event({ method: 'notifications/resources/updated', params: { uri } });
    stream?.response.write(updated.repeat(2_000));
    return true;
  });
  const following = (await connect(server.url))();
  await following.waitFor(/text 3/u);
  following.kill('SIGINT');
  await following.ended;
  const [first = 0, , third = 0] = reads;
  expect(third - first).toBeGreaterThan(1_900);
});
