import { describe, expect, it } from 'vitest';
import { PosternError } from '../../../../../main/errors/postern-error.ts';
import { gatewaySession, messageBudget } from '../../../../../main/limits.ts';
import { SharedProcess } from '../../../../../main/mcp/stdio/shared-process.ts';

const changed = Buffer.from('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}');
/** So many of them take more than one session may leave. */
const tooMany = Math.ceil(gatewaySession.buffer / 1_024);

/** Sessions of a process of their own, which take nothing until they are told to. */
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
  const say = async (messages: number): Promise<void> => {
    for (let said = 0; said < messages; said += 1) await shared.hearing.onLine(changed);
  };
  return { sessions, say };
}

describe('what a session that shares a process does not take', () => {
  it('ends that session alone, however short its messages are', async () => {
    const { sessions, say } = share(2);
    const [idle, other] = sessions;
    other?.takeAll();
    await say(tooMany);
    expect(idle?.ends).toMatchObject([{ code: 'GATEWAY_BUSY' }]);
    expect(other?.ends).toEqual([]);
    await Promise.all(sessions.map(({ leave }) => leave()));
  });

  it('is bounded for all of them together: the one that has most ends', async () => {
    const groups = Array.from({ length: 9 }, () => share(1));
    const most = Math.floor(messageBudget.all / (1_024 + changed.byteLength) / groups.length);
    for (const [at, { say }] of groups.entries()) await say(at === 3 ? most + 100 : most - 20);
    for (const { sessions } of groups) expect(sessions[0]?.ends).toEqual([]);
    await groups[5]?.say(80);
    const ended = groups.map(({ sessions }) => sessions[0]?.ends.length);
    expect(ended).toEqual([0, 0, 0, 1, 0, 0, 0, 0, 0]);
    await Promise.all(groups.flatMap(({ sessions }) => sessions.map(({ leave }) => leave())));
  });
});
