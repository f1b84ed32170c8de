import { expect, it } from 'vitest';
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
