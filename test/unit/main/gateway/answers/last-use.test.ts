import { describe, expect, it } from 'vitest';
import { LastUse } from '../../../../../main/gateway/answers/call-log.ts';
import type { ProgramRecord } from '../../../../../shared/program-record.ts';

const minute = 60_000;
const start = 1_000 * minute;
const collections = { list: async () => [{ name: 'work', members: ['mail', 'notes'] }] };
const call = { at: start, program: 'cursor', integration: 'notes', method: 'tools/call' };

function aRecord(change: Partial<ProgramRecord> = {}): ProgramRecord {
  return { id: '0'.repeat(16), program: 'cursor', name: 'Cursor', integrations: ['notes'], createdAt: 1, ...change };
}

function open(records: readonly ProgramRecord[] = [aRecord()], isOn = true) {
  let standing = records;
  let writes = 0;
  const lastUse = new LastUse({
    isOn: async () => isOn,
    collections,
    programs: {
      change: async (work) => {
        const changed = work(standing);
        if (changed !== standing) writes += 1;
        return (standing = changed);
      },
    },
  });
  return {
    note: async (change: Partial<typeof call> = {}) => {
      lastUse.note({ ...call, ...change });
      await lastUse.settle();
    },
    waiting: () => standing.map((record) => record.waiting),
    moments: () => standing.map(({ lastUsedAt }) => lastUsedAt),
    writes: () => writes,
  };
}

describe('when a program was last used', () => {
  it('is noted with its first call, and then once a minute at most', async () => {
    const { note, moments, writes } = open();
    await note();
    expect(moments()).toEqual([start]);
    for (let at = start; at < start + minute; at += 500) await note({ at });
    expect([moments(), writes()]).toEqual([[start], 1]);
    await note({ at: start + minute });
    expect([moments(), writes()]).toEqual([[start + minute], 2]);
  });

  it('is noted of a right to a collection that has the server, beside one to the server', async () => {
    const rights = [['notes'], ['+work'], ['+other'], ['mail']];
    const { note, moments } = open(rights.map((integrations) => aRecord({ integrations })));
    await note();
    expect(moments()).toEqual([start, start, undefined, undefined]);
    // What it noted of one server keeps nothing of another out.
    await note({ at: start + 1, integration: 'mail' });
    expect(moments()).toEqual([start, start, undefined, start + 1]);
  });

  it('ends the wait for pasted lines of the only right that can have let it through, also where calls are not noted', async () => {
    const rights = [
      { integrations: ['notes', 'mail'], waiting: ['notes', 'mail'] },
      { integrations: ['+work'], waiting: ['+work'] },
      { integrations: ['notes', '+work'], waiting: ['+work'] },
      { program: 'zed', integrations: ['notes'], waiting: ['notes'] },
    ];
    for (const isOn of [true, false]) {
      const { note, waiting } = open(rights.map(aRecord), isOn);
      await note();
      expect(waiting()).toEqual([['mail'], undefined, ['+work'], ['notes']]);
    }
  });

  it('is not written again within a minute by the next process', async () => {
    const { note, writes } = open([aRecord({ lastUsedAt: start - minute / 2 })]);
    await note();
    expect(writes()).toBe(0);
  });

  it('is noted anew where the clock was set back', async () => {
    const { note, moments } = open();
    await note();
    await note({ at: start - 60 * minute });
    expect(moments()).toEqual([start - 60 * minute]);
  });

  it.each<[string, Partial<ProgramRecord>, Partial<typeof call>]>([
    ['a ping', {}, { method: 'ping' }],
    ['a server that it may not use', {}, { integration: 'mail' }],
    ['another program', {}, { program: 'zed' }],
    ['a revoked one', { revokedAt: 5 }, {}],
  ])('is not noted by %s', async (_what, record, change) => {
    const { note, moments } = open([aRecord(record)]);
    await note(change);
    expect(moments()).toEqual([undefined]);
  });

  it('is not noted where a person wants no calls noted', async () => {
    const { note, moments } = open([aRecord()], false);
    await note();
    expect(moments()).toEqual([undefined]);
  });

  it('lets no call see that it cannot be written, and tries again a minute later', async () => {
    let tries = 0;
    const change = async (): Promise<never> => {
      tries += 1;
      throw new Error('full');
    };
    const lastUse = new LastUse({ isOn: async () => true, collections, programs: { change } });
    for (const at of [start, start + 1, start + minute]) lastUse.note({ ...call, at });
    await lastUse.settle();
    expect(tries).toBe(2);
  });
});
