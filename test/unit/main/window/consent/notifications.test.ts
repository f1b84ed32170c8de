import { describe, expect, it, vi } from 'vitest';
import { noticeInterval } from '../../../../../main/limits.ts';
import { windowWords } from '../../../../../main/window-words.ts';
import { limitNotifications, notifyEndedSignIns } from '../../../../../main/window/consent/notifications.ts';
import { describeIntegration } from '../../../../../main/window/views/describe-integration.ts';
import { anIntegration } from '../../../../support/an-integration.ts';

it('shows at most one notification per integration in ten minutes', () => {
  let now = 0;
  const shown: string[] = [];
  const notify = limitNotifications(({ integrationId, body }) => void shown.push(`${integrationId} ${body}`), {
    monotonic: () => now,
  });
  const send = (integrationId: string, body: string) => notify({ title: 'Notes', body, integrationId });
  send('notes', 'first');
  send('notes', 'second');
  send('mail', 'first');
  now = noticeInterval - 1;
  send('notes', 'third');
  now = noticeInterval;
  send('notes', 'fourth');
  expect(shown).toEqual(['notes first', 'mail first', 'notes fourth']);
});

const ready = (id: string) => describeIntegration(anIntegration({ id, name: id }), {});
const ended = (id: string) =>
  describeIntegration(anIntegration({ id, name: id, state: 'reauthenticationRequired' }), {});

describe('notifyEndedSignIns', () => {
  it('notifies of each once, and not of sign-ins that had already ended', () => {
    const notify = vi.fn();
    const observe = notifyEndedSignIns(notify);
    observe([ended('old'), ready('a'), ready('b')]);
    observe([ended('old'), ended('a'), ready('b')]);
    observe([ended('old'), ended('a'), ready('b')]);
    expect(notify.mock.calls.map(([notice]) => notice.integrationId)).toEqual(['a']);
  });

  it('notifies again after a new sign-in has ended', () => {
    const notify = vi.fn();
    const observe = notifyEndedSignIns(notify);
    for (const views of [[ready('a')], [ended('a')], [ready('a')], [ended('a')]]) observe(views);
    expect(notify).toHaveBeenCalledTimes(2);
  });

  it('reveals neither host nor account nor reason (IP-18)', () => {
    const notify = vi.fn();
    const observe = notifyEndedSignIns(notify);
    observe([]);
    const account = { ...ended('Notes'), account: 'canary@mcp.example' };
    observe([account]);
    expect(notify.mock.calls).toEqual([[{ title: 'Notes', body: windowWords.signInEnded, integrationId: 'Notes' }]]);
  });
});
