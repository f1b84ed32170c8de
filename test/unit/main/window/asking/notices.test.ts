import { describe, expect, it, vi } from 'vitest';
import { noticeInterval } from '../../../../../main/limits.ts';
import { windowWords } from '../../../../../main/window-words.ts';
import { limitNotices, tellEndedSignIns } from '../../../../../main/window/asking/notices.ts';
import { describeIntegration } from '../../../../../main/window/views/describe-integration.ts';
import { anIntegration } from '../../../../support/an-integration.ts';

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

const ready = (id: string) => describeIntegration(anIntegration({ id, name: id }), {});
const ended = (id: string) =>
  describeIntegration(anIntegration({ id, name: id, state: 'reauthenticationRequired' }), {});

describe('tellEndedSignIns', () => {
  it('tells each once, and not what had ended before', () => {
    const notify = vi.fn();
    const look = tellEndedSignIns(notify);
    look([ended('old'), ready('a'), ready('b')]);
    look([ended('old'), ended('a'), ready('b')]);
    look([ended('old'), ended('a'), ready('b')]);
    expect(notify.mock.calls.map(([notice]) => notice.integrationId)).toEqual(['a']);
  });

  it('tells again after it was signed in to and ended once more', () => {
    const notify = vi.fn();
    const look = tellEndedSignIns(notify);
    for (const views of [[ready('a')], [ended('a')], [ready('a')], [ended('a')]]) look(views);
    expect(notify).toHaveBeenCalledTimes(2);
  });

  it('says neither host nor account nor reason (IP-18)', () => {
    const notify = vi.fn();
    const look = tellEndedSignIns(notify);
    look([]);
    const account = { ...ended('Notes'), account: 'canary@mcp.example' };
    look([account]);
    expect(notify.mock.calls).toEqual([[{ title: 'Notes', body: windowWords.signInEnded, integrationId: 'Notes' }]]);
  });
});
