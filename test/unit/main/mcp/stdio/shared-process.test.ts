import { describe, expect, it } from 'vitest';
import { PosternError } from '../../../../../main/errors/postern-error.ts';
import { gatewaySession, messageBudget } from '../../../../../main/limits.ts';
import { SharedProcess } from '../../../../../main/mcp/stdio/shared-process.ts';

const changed = Buffer.from('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}');
/** Enough messages to exceed the buffer of one session. */
const tooMany = Math.ceil(gatewaySession.buffer / 1_024);

/** Sessions that share one process and read nothing until `takeAll`. */
function share(count: number) {
  const shared = new SharedProcess(() => new PosternError('USER_CANCELLED', { stage: 'local' }));
  const sessions = Array.from({ length: count }, () => {
    const { promise, resolve } = Promise.withResolvers<'message'>();
    const ends: PosternError[] = [];
    const joined = shared.join({
      onLine: () => promise,
      onTooLong: () => {},
      onEnd: (error) => void ends.push(error),
    });
    return { ends, takeAll: () => resolve('message'), leave: () => joined.stop() };
  });
  const emit = async (messages: number): Promise<void> => {
    for (let sent = 0; sent < messages; sent += 1) await shared.listener.onLine(changed);
  };
  return { sessions, emit };
}

describe('the unread messages of a session that shares a process', () => {
  it('end only that session, however short they are', async () => {
    const { sessions, emit } = share(2);
    const [idle, other] = sessions;
    other?.takeAll();
    await emit(tooMany);
    expect(idle?.ends).toMatchObject([{ code: 'GATEWAY_BUSY' }]);
    expect(other?.ends).toEqual([]);
    await Promise.all(sessions.map(({ leave }) => leave()));
  });

  it('are limited for all sessions together: the one with the most ends', async () => {
    const groups = Array.from({ length: 9 }, () => share(1));
    const most = Math.floor(messageBudget.all / (1_024 + changed.byteLength) / groups.length);
    for (const [at, { emit }] of groups.entries()) await emit(at === 3 ? most + 100 : most - 20);
    for (const { sessions } of groups) expect(sessions[0]?.ends).toEqual([]);
    await groups[5]?.emit(80);
    const ended = groups.map(({ sessions }) => sessions[0]?.ends.length);
    expect(ended).toEqual([0, 0, 0, 1, 0, 0, 0, 0, 0]);
    await Promise.all(groups.flatMap(({ sessions }) => sessions.map(({ leave }) => leave())));
  });
});
