import { describe, expect, it } from 'vitest';
import { listen } from '../../../../../main/gateway/http/http-program.ts';
import { HttpSession } from '../../../../../main/gateway/http/http-session.ts';
import type { SendToServer } from '../../../../../main/gateway/http/server-session.ts';
import { AppBudget } from '../../../../../main/gateway/limits/message-budget.ts';
import { readEnvelope } from '../../../../../main/gateway/messages/envelope.ts';
import { OwnRequests } from '../../../../../main/gateway/server/own-requests.ts';
import { systemRandom } from '../../../../../main/host/system-ports.ts';
import { gatewaySession } from '../../../../../main/limits.ts';

interface Sent {
  readonly what: string;
  readonly id: string | undefined;
  readonly deadline: number | undefined;
  readonly answer: (response: Response) => void;
}

/** A session by HTTP with a server that the test plays. */
function openSession() {
  const initialize = readEnvelope(Buffer.from('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}'));
  if (initialize.kind !== 'request') throw new Error('This is a request');
  const sent: Sent[] = [];
  const send: SendToServer = (method, _fields, { body, deadline } = {}) => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    const { method: what = method, id } = JSON.parse(String(body ?? '{}')) as { method?: string; id?: string };
    sent.push({ what, id, deadline, answer: resolve });
    return promise;
  };
  return {
    session: new HttpSession('ours', initialize, {
      send,
      host: 'server.test',
      own: new OwnRequests(systemRandom),
      admit: () => {},
      owner: () => 'one',
      budget: new AppBudget(),
    }),
    sent,
  };
}

const handshake = ({ id }: Sent) => {
  const answer = { jsonrpc: '2.0', id, result: { protocolVersion: '2025-11-25' } };
  return Response.json(answer, { headers: { 'mcp-session-id': 'theirs' } });
};

describe('a session by HTTP', () => {
  it('does not wait for hours for a server that takes no notifications/initialized', async () => {
    const { session, sent } = openSession();
    session.server.noteInitialized('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    const connecting = session.connect();
    await expect.poll(() => sent).toHaveLength(1);
    for (const one of sent) one.answer(handshake(one));
    await expect.poll(() => sent).toHaveLength(2);
    expect(sent[1]).toMatchObject({ what: 'notifications/initialized', deadline: gatewaySession.telling });
    sent[1]?.answer(new Response(undefined, { status: 202 }));
    await connecting;
    expect(session.server.isReady).toBe(true);
  });

  it('repeats a handshake that failed once for all who waited for it', async () => {
    const { session, sent } = openSession();
    const first = Promise.withResolvers<void>();
    session.server.connectBy(first.promise).catch(() => {});
    const all = [session.connect(), session.connect(), session.connect()];
    first.reject(new Error('The handshake of the program fails'));
    await expect.poll(() => sent.length).toBeGreaterThan(0);
    for (const one of sent) one.answer(handshake(one));
    await Promise.all(all);
    expect(sent.map(({ what }) => what)).toEqual(['initialize']);
    expect(session.server.isReady).toBe(true);
  });

  it('ends the session that a late answer begins after its program has ended it', async () => {
    const { session, sent } = openSession();
    session.server.noteInitialized('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    const connecting = session.connect().catch(() => {});
    await expect.poll(() => sent).toHaveLength(1);
    session.close();
    for (const one of sent) one.answer(handshake(one));
    await expect.poll(() => sent).toHaveLength(2);
    sent[1]?.answer(new Response());
    await connecting;
    expect(sent.map(({ what }) => what)).toEqual(['initialize', 'DELETE']);
    await expect(session.connect()).rejects.toMatchObject({ code: 'SESSION_LOST' });
  });

  it('asks its server nothing twice by the same id (MCP 2025-11-25, requests)', async () => {
    const { session, sent } = openSession();
    const connecting = session.connect();
    await expect.poll(() => sent).toHaveLength(1);
    for (const one of sent) one.answer(handshake(one));
    await connecting;
    for (const count of [2, 3]) {
      const reaching = session.reach();
      await expect.poll(() => sent).toHaveLength(count);
      sent.at(-1)?.answer(new Response());
      await reaching;
    }
    expect(sent.map(({ what }) => what)).toEqual(['initialize', 'ping', 'ping']);
    expect(new Set(sent.map(({ id }) => id)).size).toBe(3);
  });

  it('asks for no stream for a program that has hung up meanwhile', async () => {
    const { session } = openSession();
    const asked: string[] = [];
    const listenAs = (program: string, signal: AbortSignal) =>
      listen(
        session,
        async () => (asked.push(program), new Response(undefined, { status: 405 })),
        signal,
        () => true,
      );
    const gone = new AbortController();
    await listenAs('the one that hangs up', gone.signal);
    await listenAs('the one that stays', new AbortController().signal);
    gone.abort();
    session.announce();
    await expect.poll(() => asked).toEqual(['the one that stays']);
  });
});
