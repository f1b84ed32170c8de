import { expect, it } from 'vitest';
import { limitNotices } from '../../../../../main/desktop/asking/limit-notices.ts';
import { noticeInterval } from '../../../../../main/limits.ts';

it('shows one notice about an integration in ten minutes, whatever there is to tell', () => {
  let now = 0;
  const shown: string[] = [];
  const notify = limitNotices(({ integrationId, body }) => void shown.push(`${integrationId} ${body}`), {
    monotonic: () => now,
  });
  const tell = (integrationId: string, body: string) => notify({ title: 'Notes', body, integrationId });
  tell('notes', 'first');
  tell('notes', 'second');
  tell('mail', 'first');
  now = noticeInterval - 1;
  tell('notes', 'third');
  now = noticeInterval;
  tell('notes', 'fourth');
  expect(shown).toEqual(['notes first', 'mail first', 'notes fourth']);
});
