import { describe, expect, it } from 'vitest';
import type { AccessRequest } from '../../../../../main/gateway-ports.ts';
import { askAgainAfter, accessRequests } from '../../../../../main/limits.ts';
import { windowWords } from '../../../../../main/window-words.ts';
import { AccessRequests } from '../../../../../main/window/consent/access-requests.ts';

const entry = '0123456789abcdef';
const notes = { id: 'notes', name: 'Notes' };

function open() {
  const timers = new Map<() => void, number>();
  const notices: string[] = [];
  let now = 1_000;
  const requests = new AccessRequests({
    clock: {
      now: () => now,
      after: (milliseconds, run) => {
        timers.set(run, milliseconds);
        return () => void timers.delete(run);
      },
    },
    notify: ({ body }) => void notices.push(body),
    onChange: () => {},
  });
  const ask = (change: Partial<AccessRequest> = {}) =>
    requests.ask({ record: undefined, entry, ownNames: ['Cursor'], parent: undefined, integration: notes, ...change });
  return {
    requests,
    ask,
    notices,
    timers,
    /** Lets the only open question expire. */
    miss() {
      const [[expire] = []] = timers;
      now += accessRequests.deadline;
      expire?.();
    },
    pass: (milliseconds: number) => void (now += milliseconds),
    answer: (answer: 'once' | 'always' | 'no', at = 0) => requests.answer(requests.views()[at]?.id ?? '', answer),
  };
}

describe('an app that requests access', () => {
  it('is shown under its own name, and allowed as the known app of that name', async () => {
    const { requests, ask, answer, notices } = open();
    const decision = ask();
    expect(requests.views()).toMatchObject([
      {
        app: 'Cursor',
        isSelfReported: true,
        canLast: true,
        integration: 'Notes',
        expiresAt: 1_000 + accessRequests.deadline,
      },
    ]);
    expect(notices).toEqual([windowWords.appAsks.unknownApp('Cursor')]);
    answer('always');
    expect(await decision).toEqual({ kind: 'always', app: { id: 'cursor', name: 'Cursor' } });
    expect(requests.views()).toEqual([]);
  });

  it.each([
    ['a title of its own', ['Recipe Viewer', 'claude-code']],
    ['a name of its own', ['Claude Code', 'recipe-viewer']],
    ['names of two', ['Cursor', 'claude-code']],
    ['the beginning of a name', ['curso']],
    ['letters that matching ignores', ['食谱 cursor']],
    ['Cyrillic letters', ['Сursоr']],
  ])('GW-74 never gets the permissions of an app whose name is not displayed: %s', async (_what, ownNames) => {
    const { requests, ask, answer } = open();
    const decision = ask({ ownNames });
    expect(requests.views()).toMatchObject([{ canLast: false }]);
    answer('always');
    expect(requests.views()).toHaveLength(1);
    answer('once');
    expect(await decision).toEqual({ kind: 'once' });
  });

  it.each([
    ['by its name', ['claude-code']],
    ['by both', ['Claude Code', 'claude-code']],
    ['in other letters', ['CLAUDE code']],
  ])('GW-74 is shown, asked about and allowed as one app: %s', async (_what, ownNames) => {
    const { requests, ask, answer } = open();
    const decision = ask({ ownNames });
    expect(requests.views()).toMatchObject([{ app: 'Claude Code', canLast: true, isSelfReported: true }]);
    answer('always');
    expect(await decision).toEqual({ kind: 'always', app: { id: 'claude-code', name: 'Claude Code' } });
  });

  it('GW-74 shows which letters of a name only look like Latin ones', () => {
    const { requests, ask } = open();
    void ask({ ownNames: ['Claude C\u043ede'] });
    expect(requests.views()).toMatchObject([{ app: 'Claude C\\u{43e}de' }]);
    void ask({ entry: 'fedcba9876543210', ownNames: ['Рецепты', 'Crème brûlée'] });
    expect(requests.views()[1]).toMatchObject({ app: 'Рецепты' });
  });

  it('GW-74 gets no answer given to another name in the same entry', async () => {
    const { ask, answer, miss } = open();
    const decision = ask();
    expect(await ask({ ownNames: ['Zed'] })).toEqual({ kind: 'no' });
    miss();
    await decision;
    answer('always');
    expect(await ask({ ownNames: ['Zed'] })).toEqual({ kind: 'no' });
    expect(await ask()).toMatchObject({ kind: 'always', app: { id: 'cursor' } });
  });

  it('cannot be allowed permanently if it would not be recognized or could not be revoked', async () => {
    const { requests, ask, answer } = open();
    const decisions = [ask({ entry: undefined }), ask({ ownNames: ['nobody knows me'] })];
    expect(requests.views().map(({ canLast }) => canLast)).toEqual([false, false]);
    answer('always');
    expect(requests.views()).toHaveLength(2);
    answer('once');
    answer('once');
    expect(await Promise.all(decisions)).toEqual([{ kind: 'once' }, { kind: 'once' }]);
  });

  it('is shown under a bounded name without invisible characters', () => {
    const { requests, ask } = open();
    void ask({
      ownNames: [`Cur\u202esor\n\u0007${'x'.repeat(10_000)}`],
      parent: `a\u0000b\u200b${'y'.repeat(10_000)}`,
    });
    const [view] = requests.views();
    expect(view?.app).toMatch(/^Cursor x+…$/u);
    expect(view?.app).toHaveLength(accessRequests.nameLength);
    expect(view?.startedBy).toMatch(/^aby+…$/u);
    expect(view?.startedBy).toHaveLength(accessRequests.nameLength);
  });

  it('is refused if the user does not answer in time', async () => {
    const { requests, ask, timers } = open();
    const decision = ask();
    const [[expire, milliseconds] = []] = timers;
    expect(milliseconds).toBe(45_000);
    expire?.();
    expect(await decision).toEqual({ kind: 'no' });
    expect(requests.views()).toMatchObject([{ app: 'Cursor', isMissed: true }]);
  });

  it('asks one question at a time, and not again after a refusal', async () => {
    const { requests, ask, answer } = open();
    const decisions = [ask(), ask()];
    expect(requests.views()).toHaveLength(1);
    answer('no');
    expect(await Promise.all(decisions)).toEqual([{ kind: 'no' }, { kind: 'no' }]);
    expect(await ask()).toEqual({ kind: 'no' });
    expect(requests.views()).toEqual([]);
    void ask({ integration: { id: 'mail', name: 'Mail' } });
    expect(requests.views()).toHaveLength(1);
  });

  it('does not interrupt again for ten minutes after an unanswered question', async () => {
    const { requests, ask, miss, pass, notices } = open();
    const first = ask();
    miss();
    await first;
    for (let minute = 1; minute < 10; minute += 1) {
      pass(60_000);
      expect(await ask()).toEqual({ kind: 'no' });
    }
    expect(notices).toHaveLength(1);
    expect(requests.views()).toMatchObject([{ isMissed: true }]);
    // Another app or another server is a different question.
    void ask({ integration: { id: 'mail', name: 'Mail' } });
    expect(notices).toHaveLength(2);
    pass(askAgainAfter);
    void ask();
    expect(notices).toHaveLength(3);
    expect(requests.views()).toMatchObject([{ integration: 'Mail' }, { integration: 'Notes', isMissed: false }]);
  });

  it.each(['once', 'always'] as const)('gets a late answer of %s when it asks again', async (kind) => {
    const { requests, ask, miss, answer } = open();
    const first = ask();
    miss();
    await first;
    answer(kind);
    expect(requests.views()).toEqual([]);
    expect(await ask()).toMatchObject({ kind });
    void ask();
    expect(requests.views()).toMatchObject([{ isMissed: false }]);
  });

  it('is not asked about again after a late refusal', async () => {
    const { requests, ask, miss, answer, pass } = open();
    const first = ask();
    miss();
    await first;
    answer('no');
    pass(2 * askAgainAfter);
    expect(await ask()).toEqual({ kind: 'no' });
    expect(requests.views()).toEqual([]);
  });

  it('keeps a bounded number of unanswered requests', () => {
    const { requests, ask, miss } = open();
    for (let each = 0; each < accessRequests.count + 5; each += 1) {
      void ask({ entry: undefined, ownNames: [`Program ${each}`] });
      miss();
    }
    expect(requests.views()).toHaveLength(accessRequests.count);
    expect(requests.views()[0]).toMatchObject({ app: 'Program 5' });
  });

  it('is refused at once while twenty others wait', async () => {
    const { requests, ask } = open();
    for (let each = 0; each < accessRequests.count; each += 1)
      void ask({ entry: undefined, ownNames: [`Program ${each}`] });
    expect(await ask()).toEqual({ kind: 'no' });
    expect(requests.views()).toHaveLength(20);
    requests.close();
    expect(requests.views()).toEqual([]);
  });
});
