import { describe, expect, it, vi } from 'vitest';
import { describeIntegration } from '../../../../../main/desktop/views/describe-integration.ts';
import { tellEndedSignIns } from '../../../../../main/desktop/asking/tell-ended-sign-ins.ts';
import { windowWords } from '../../../../../main/window-words.ts';
import { anIntegration } from '../../../../support/an-integration.ts';

const ready = (id: string) => describeIntegration(anIntegration({ id, name: id }), {});
const ended = (id: string) =>
  describeIntegration(anIntegration({ id, name: id, state: 'reauthenticationRequired' }), {});

describe('tellEndedSignIns', () => {
  it('tells each once, and not what had ended before', () => {
    const notify = vi.fn();
    const look = tellEndedSignIns({ notify });
    look([ended('old'), ready('a'), ready('b')]);
    look([ended('old'), ended('a'), ready('b')]);
    look([ended('old'), ended('a'), ready('b')]);
    expect(notify.mock.calls.map(([notice]) => notice.integrationId)).toEqual(['a']);
  });

  it('tells again after it was signed in to and ended once more', () => {
    const notify = vi.fn();
    const look = tellEndedSignIns({ notify });
    for (const views of [[ready('a')], [ended('a')], [ready('a')], [ended('a')]]) look(views);
    expect(notify).toHaveBeenCalledTimes(2);
  });

  it('says neither host nor account nor reason (IP-18)', () => {
    const notify = vi.fn();
    const look = tellEndedSignIns({ notify });
    look([]);
    const account = { ...ended('Notes'), account: 'canary@mcp.example' };
    look([account]);
    expect(notify.mock.calls).toEqual([[{ title: 'Notes', body: windowWords.signInEnded, integrationId: 'Notes' }]]);
  });
});
