import { describe, expect, it } from 'vitest';
import type { UseQuestion } from '../../../../../main/gateway-ports.ts';
import { askedAgain, useQuestions } from '../../../../../main/limits.ts';
import { windowWords } from '../../../../../main/window-words.ts';
import { UseQuestions } from '../../../../../main/window/asking/use-questions.ts';

const entry = '0123456789abcdef';
const notes = { id: 'notes', name: 'Notes' };

function open() {
  const timers = new Map<() => void, number>();
  const notices: string[] = [];
  let now = 1_000;
  const questions = new UseQuestions({
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
  const ask = (change: Partial<UseQuestion> = {}) =>
    questions.ask({ record: undefined, entry, ownNames: ['Cursor'], parent: undefined, integration: notes, ...change });
  return {
    questions,
    ask,
    notices,
    timers,
    /** Nobody answers the one question that is open. */
    miss() {
      const [[expire] = []] = timers;
      now += useQuestions.deadline;
      expire?.();
    },
    pass: (milliseconds: number) => void (now += milliseconds),
    answer: (answer: 'once' | 'always' | 'no', at = 0) => questions.answer(questions.views()[at]?.id ?? '', answer),
  };
}

describe('a program that asks', () => {
  it('is shown as what it says it is, and allowed as the program of the table that it is called like', async () => {
    const { questions, ask, answer, notices } = open();
    const asked = ask();
    expect(questions.views()).toMatchObject([
      {
        program: 'Cursor',
        isOwnWord: true,
        canLast: true,
        integration: 'Notes',
        expiresAt: 1_000 + useQuestions.deadline,
      },
    ]);
    expect(notices).toEqual([windowWords.programAsks.stranger('Cursor')]);
    answer('always');
    expect(await asked).toEqual({ kind: 'always', program: { id: 'cursor', name: 'Cursor' } });
    expect(questions.views()).toEqual([]);
  });

  it.each([
    ['a title of its own', ['Recipe Viewer', 'claude-code']],
    ['a name of its own', ['Claude Code', 'recipe-viewer']],
    ['names of two', ['Cursor', 'claude-code']],
    ['the beginning of a name', ['curso']],
    ['letters that are left out elsewhere', ['食谱 cursor']],
    ['Cyrillic letters', ['Сursоr']],
  ])('GW-74 is never given the rights of an app that it is not shown as: %s', async (_what, ownNames) => {
    const { questions, ask, answer } = open();
    const asked = ask({ ownNames });
    expect(questions.views()).toMatchObject([{ canLast: false }]);
    answer('always');
    expect(questions.views()).toHaveLength(1);
    answer('once');
    expect(await asked).toEqual({ kind: 'once' });
  });

  it.each([
    ['by its name', ['claude-code']],
    ['by both', ['Claude Code', 'claude-code']],
    ['in other letters', ['CLAUDE code']],
  ])('GW-74 is shown, asked about and allowed as one app: %s', async (_what, ownNames) => {
    const { questions, ask, answer } = open();
    const asked = ask({ ownNames });
    expect(questions.views()).toMatchObject([{ program: 'Claude Code', canLast: true, isOwnWord: true }]);
    answer('always');
    expect(await asked).toEqual({ kind: 'always', program: { id: 'claude-code', name: 'Claude Code' } });
  });

  it('GW-74 shows which letters of a name only look like Latin ones', () => {
    const { questions, ask } = open();
    void ask({ ownNames: ['Claude C\u043ede'] });
    expect(questions.views()).toMatchObject([{ program: 'Claude C\\u{43e}de' }]);
    void ask({ entry: 'fedcba9876543210', ownNames: ['Рецепты', 'Crème brûlée'] });
    expect(questions.views()[1]).toMatchObject({ program: 'Рецепты' });
  });

  it('GW-74 gets no answer that was given to another name of the same entry', async () => {
    const { ask, answer, miss } = open();
    const asked = ask();
    expect(await ask({ ownNames: ['Zed'] })).toEqual({ kind: 'no' });
    miss();
    await asked;
    answer('always');
    expect(await ask({ ownNames: ['Zed'] })).toEqual({ kind: 'no' });
    expect(await ask()).toMatchObject({ kind: 'always', program: { id: 'cursor' } });
  });

  it('cannot be allowed for longer where nothing would know it again, or nobody could revoke it', async () => {
    const { questions, ask, answer } = open();
    const asked = [ask({ entry: undefined }), ask({ ownNames: ['nobody knows me'] })];
    expect(questions.views().map(({ canLast }) => canLast)).toEqual([false, false]);
    answer('always');
    expect(questions.views()).toHaveLength(2);
    answer('once');
    answer('once');
    expect(await Promise.all(asked)).toEqual([{ kind: 'once' }, { kind: 'once' }]);
  });

  it('says of itself nothing that hides or goes on without end', () => {
    const { questions, ask } = open();
    void ask({
      ownNames: [`Cur\u202esor\n\u0007${'x'.repeat(10_000)}`],
      parent: `a\u0000b\u200b${'y'.repeat(10_000)}`,
    });
    const [view] = questions.views();
    expect(view?.program).toMatch(/^Cursor x+…$/u);
    expect(view?.program).toHaveLength(useQuestions.name);
    expect(view?.startedBy).toMatch(/^aby+…$/u);
    expect(view?.startedBy).toHaveLength(useQuestions.name);
  });

  it('is refused when nobody answers in time', async () => {
    const { questions, ask, timers } = open();
    const asked = ask();
    const [[expire, milliseconds] = []] = timers;
    expect(milliseconds).toBe(45_000);
    expire?.();
    expect(await asked).toEqual({ kind: 'no' });
    expect(questions.views()).toMatchObject([{ program: 'Cursor', isMissed: true }]);
  });

  it('asks once at a time, and not again after a no', async () => {
    const { questions, ask, answer } = open();
    const asked = [ask(), ask()];
    expect(questions.views()).toHaveLength(1);
    answer('no');
    expect(await Promise.all(asked)).toEqual([{ kind: 'no' }, { kind: 'no' }]);
    expect(await ask()).toEqual({ kind: 'no' });
    expect(questions.views()).toEqual([]);
    void ask({ integration: { id: 'mail', name: 'Mail' } });
    expect(questions.views()).toHaveLength(1);
  });

  it('interrupts nobody for ten minutes once nobody has answered, and then again', async () => {
    const { questions, ask, miss, pass, notices } = open();
    const first = ask();
    miss();
    await first;
    for (let minute = 1; minute < 10; minute += 1) {
      pass(60_000);
      expect(await ask()).toEqual({ kind: 'no' });
    }
    expect(notices).toHaveLength(1);
    expect(questions.views()).toMatchObject([{ isMissed: true }]);
    // Another program, or another server, is another question.
    void ask({ integration: { id: 'mail', name: 'Mail' } });
    expect(notices).toHaveLength(2);
    pass(askedAgain);
    void ask();
    expect(notices).toHaveLength(3);
    expect(questions.views()).toMatchObject([{ integration: 'Mail' }, { integration: 'Notes', isMissed: false }]);
  });

  it.each(['once', 'always'] as const)('gets the answer %s of later when it asks again', async (kind) => {
    const { questions, ask, miss, answer } = open();
    const first = ask();
    miss();
    await first;
    answer(kind);
    expect(questions.views()).toEqual([]);
    expect(await ask()).toMatchObject({ kind });
    void ask();
    expect(questions.views()).toMatchObject([{ isMissed: false }]);
  });

  it('is not asked about again after a no of later', async () => {
    const { questions, ask, miss, answer, pass } = open();
    const first = ask();
    miss();
    await first;
    answer('no');
    pass(2 * askedAgain);
    expect(await ask()).toEqual({ kind: 'no' });
    expect(questions.views()).toEqual([]);
  });

  it('leaves no more unanswered questions than there may be at once', () => {
    const { questions, ask, miss } = open();
    for (let each = 0; each < useQuestions.count + 5; each += 1) {
      void ask({ entry: undefined, ownNames: [`Program ${each}`] });
      miss();
    }
    expect(questions.views()).toHaveLength(useQuestions.count);
    expect(questions.views()[0]).toMatchObject({ program: 'Program 5' });
  });

  it('is refused at once when twenty others wait', async () => {
    const { questions, ask } = open();
    for (let each = 0; each < useQuestions.count; each += 1)
      void ask({ entry: undefined, ownNames: [`Program ${each}`] });
    expect(await ask()).toEqual({ kind: 'no' });
    expect(questions.views()).toHaveLength(20);
    questions.close();
    expect(questions.views()).toEqual([]);
  });
});
