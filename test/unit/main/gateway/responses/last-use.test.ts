import { describe, expect, it } from 'vitest';
import { LastUse } from '../../../../../main/gateway/responses/call-log.ts';
import type { AppRecord } from '../../../../../shared/app-record.ts';

const minute = 60_000;
const start = 1_000 * minute;
const collections = { list: async () => [{ name: 'work', members: ['mail', 'notes'] }] };
const call = { at: start, app: 'cursor', integration: 'notes', method: 'tools/call' };

function aRecord(change: Partial<AppRecord> = {}): AppRecord {
  return { id: '0'.repeat(16), app: 'cursor', name: 'Cursor', integrations: ['notes'], createdAt: 1, ...change };
}

function open(records: readonly AppRecord[] = [aRecord()], isOn = true) {
  let current = records;
  let writes = 0;
  const lastUse = new LastUse({
    isOn: async () => isOn,
    collections,
    apps: {
      change: async (work) => {
        const changed = work(current);
        if (changed !== current) writes += 1;
        return (current = changed);
      },
    },
  });
  return {
    note: async (change: Partial<typeof call> = {}) => {
      lastUse.note({ ...call, ...change });
      await lastUse.settle();
    },
    waiting: () => current.map((record) => record.waiting),
    called: () => current.map((record) => record.called),
    moments: () => current.map(({ lastUsedAt }) => lastUsedAt),
    writes: () => writes,
  };
}

describe('the time of the last use of an app', () => {
  it('is recorded with the first call, and then at most once a minute', async () => {
    const { note, moments, writes } = open();
    await note();
    expect(moments()).toEqual([start]);
    for (let at = start; at < start + minute; at += 500) await note({ at });
    expect([moments(), writes()]).toEqual([[start], 1]);
    await note({ at: start + minute });
    expect([moments(), writes()]).toEqual([[start + minute], 2]);
  });

  it('is recorded for access to the server and to a collection that contains it', async () => {
    const rights = [['notes'], ['+work'], ['+other'], ['mail']];
    const { note, moments } = open(rights.map((integrations) => aRecord({ integrations })));
    await note();
    expect(moments()).toEqual([start, start, undefined, undefined]);
    // The limit of once a minute is per server.
    await note({ at: start + 1, integration: 'mail' });
    expect(moments()).toEqual([start, start, undefined, start + 1]);
  });

  it('ends the wait for a pasted entry of the only record that can have allowed the call, even if calls are not recorded', async () => {
    const rights = [
      { integrations: ['notes', 'mail'], waiting: ['notes', 'mail'] },
      { integrations: ['+work'], waiting: ['+work'] },
      { integrations: ['notes', '+work'], waiting: ['+work'] },
      { app: 'zed', integrations: ['notes'], waiting: ['notes'] },
    ];
    for (const isOn of [true, false]) {
      const { note, waiting, called } = open(rights.map(aRecord), isOn);
      await note();
      expect(waiting()).toEqual([['mail'], undefined, ['+work'], ['notes']]);
      expect(called()).toEqual([['notes'], ['+work'], undefined, undefined]);
    }
  });

  it('is not rewritten within a minute by the next process', async () => {
    const { note, writes } = open([aRecord({ lastUsedAt: start - minute / 2 })]);
    await note();
    expect(writes()).toBe(0);
  });

  it('is recorded again if the clock was set back', async () => {
    const { note, moments } = open();
    await note();
    await note({ at: start - 60 * minute });
    expect(moments()).toEqual([start - 60 * minute]);
  });

  it.each<[string, Partial<AppRecord>, Partial<typeof call>]>([
    ['a ping', {}, { method: 'ping' }],
    ['a server without access', {}, { integration: 'mail' }],
    ['another app', {}, { app: 'zed' }],
    ['a revoked app', { revokedAt: 5 }, {}],
  ])('is not changed by %s', async (_what, record, change) => {
    const { note, moments } = open([aRecord(record)]);
    await note(change);
    expect(moments()).toEqual([undefined]);
  });

  it('is not recorded if the user has turned off recording', async () => {
    const { note, moments } = open([aRecord()], false);
    await note();
    expect(moments()).toEqual([undefined]);
  });

  it('fails no call if it cannot be written, and tries again a minute later', async () => {
    let tries = 0;
    const change = async (): Promise<never> => {
      tries += 1;
      throw new Error('full');
    };
    const lastUse = new LastUse({ isOn: async () => true, collections, apps: { change } });
    for (const at of [start, start + 1, start + minute]) lastUse.note({ ...call, at });
    await lastUse.settle();
    expect(tries).toBe(2);
  });
});
