import { describe, expect, it } from 'vitest';
import { callConfirmations } from '../../../../../main/limits.ts';
import type { Notice } from '../../../../../main/window-ports.ts';
import { windowWords } from '../../../../../main/window-words.ts';
import { HeldCalls } from '../../../../../main/window/consent/held-calls.ts';
import { createFakeClock } from '../../../../support/fake-clock.ts';

it('ignores a decision that was not available', async () => {
  const held = new HeldCalls({ clock: createFakeClock(), notify: () => {}, onChange: () => {} });
  const { signal } = new AbortController();
  const integration = { id: 'notes', name: 'Notes' };
  const question = { app: undefined, integration, tool: 'write', readOnly: false, input: {}, canLast: false };
  const answered = held.ask({ ...question, signal });
  const [view] = held.views();
  held.answer(view?.id ?? '', 'always');
  expect(held.views()).toHaveLength(1);
  held.answer(view?.id ?? '', 'session');
  expect(await answered).toBe('session');
  expect(held.views()).toEqual([]);
});

describe('the notification about a call', () => {
  const { once, no, show } = windowWords.callAnswers;
  const integration = { id: 'notes', name: 'Notes' };

  function open() {
    const clock = createFakeClock();
    const notices: Notice[] = [];
    const held = new HeldCalls({ clock, notify: (notice) => void notices.push(notice), onChange: () => {} });
    const ask = (input: unknown = {}, tool = 'write', { signal } = new AbortController()) =>
      held.ask({ app: undefined, integration, tool, readOnly: false, input, canLast: false, signal });
    const press = (notice: Notice | undefined, label: string): void =>
      notice?.question?.buttons.find((button) => button.label === label)?.press?.();
    const pause = (): void => clock.advance(callConfirmations.noticePause);
    return { clock, notices, held, ask, press, pause };
  }

  it.each([
    [once, 'once'],
    [no, 'no'],
  ])('answers it by its button "%s", and is withdrawn', async (label, decision) => {
    const { notices, held, ask, press } = open();
    const answered = ask({ text: 'hello' });
    const [notice] = notices;
    expect(notice).toMatchObject({ title: 'Notes', integrationId: 'notes' });
    expect(notice?.body).toContain('write {"text":"hello"}');
    expect(notice?.question?.ended.aborted).toBe(false);
    press(notice, label);
    expect(await answered).toBe(decision);
    expect(held.views()).toEqual([]);
    expect(notice?.question?.ended.aborted).toBe(true);
  });

  it('is withdrawn when the call is answered elsewhere, missed, or ended by its app, and then answers nothing', async () => {
    const { clock, notices, held, ask, press, pause } = open();
    const app = new AbortController();
    for (const [end, decision] of [
      [() => held.answer(held.views()[0]?.id ?? '', 'session'), 'session'],
      [() => clock.advance(callConfirmations.deadline), 'missed'],
      [() => app.abort(), 'no'],
    ] as const) {
      const answered = ask({}, 'write', app);
      const notice = notices.at(-1);
      expect(notice?.question?.ended.aborted).toBe(false);
      end();
      expect(await answered).toBe(decision);
      expect(notice?.question?.ended.aborted).toBe(true);
      pause();
      const next = ask();
      press(notice, once);
      press(notice, no);
      expect(held.views()).toHaveLength(1);
      held.answer(held.views()[0]?.id ?? '', 'no');
      expect(await next).toBe('no');
      pause();
    }
  });

  it('is about one call at a time, the next one after a moment', async () => {
    const { notices, held, ask, press, pause } = open();
    const [first, second, third] = [ask({ number: 1 }), ask({ number: 2 }), ask({ number: 3 })];
    expect(notices.map(({ body }) => body)).toEqual([expect.stringContaining('{"number":1}')]);
    press(notices[0], no);
    expect(await first).toBe('no');
    // Ended before it was its turn.
    held.answer(held.views()[0]?.id ?? '', 'once');
    expect(await second).toBe('once');
    expect(notices).toHaveLength(1);
    pause();
    expect(notices.map(({ body }) => body).slice(1)).toEqual([expect.stringContaining('{"number":3}')]);
    press(notices[1], once);
    expect(await third).toBe('once');
    pause();
    expect(notices).toHaveLength(2);
  });

  it.each([
    ['long', { text: 'x'.repeat(120) }, 'write'],
    ['very long', { text: 'x'.repeat(100_000) }, 'write'],
    ['with what a system could take for markup', { text: '<a href="https://evil.example">b</a>' }, 'write'],
    ['of a tool with a long name', undefined, 'w'.repeat(130)],
  ])('allows no call that it does not show whole: one %s', async (_what, input, tool) => {
    const { notices, ask, press } = open();
    const answered = ask(input, tool);
    const [notice] = notices;
    expect(notice?.question?.buttons.map(({ label }) => label)).toEqual([show, no]);
    expect(notice?.body).toBe(windowWords.callAsks(undefined, undefined));
    press(notice, show);
    press(notice, no);
    expect(await answered).toBe('no');
  });

  it('hides no character of the call', async () => {
    const { held, notices, ask } = open();
    const answered = ask({ text: 'a\u202eb\u200bc\u001b[2Jd' });
    expect(notices[0]?.body).toContain(String.raw`a\u{202e}b\u{200b}c\u001b[2Jd`);
    held.close();
    expect(await answered).toBe('missed');
    expect(notices[0]?.question?.ended.aborted).toBe(true);
  });
});
