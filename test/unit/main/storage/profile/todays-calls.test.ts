import { appendFileSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openTodaysCalls } from '../../../../../main/storage/profile/todays-calls.ts';
import type { ActivityCall } from '../../../../../shared/activity.ts';
import { todayBounds } from '../../../../../shared/bounds.ts';
import { aCall } from '../../../../support/activity-calls.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const hour = 3_600_000;
/** Local time, as the user's day. */
const noon = new Date(2026, 10, 20, 12).getTime();

function open() {
  const profileFolder = temporaryFolder();
  const folder = path.join(profileFolder, 'activity');
  mkdirSync(folder);
  const clock = { time: noon, now: () => clock.time };
  const today = openTodaysCalls(profileFolder, clock);
  const note = (file: number, ...calls: readonly Partial<ActivityCall>[]): void =>
    appendFileSync(
      path.join(folder, `0000000${file}.jsonl`),
      calls.map((call) => `${JSON.stringify(aCall({ at: noon - hour, ...call }))}\n`).join(''),
    );
  return { folder, clock, today, note };
}

const countsOf = async ({ today }: ReturnType<typeof open>) =>
  (await today.read()).uses.map(({ app, integration, count }) => [app, integration, count]);

describe('openTodaysCalls', () => {
  it('counts the uses of each server by each app, whatever file they are in', async () => {
    const opened = open();
    opened.note(1, {}, {}, { app: 'claude-code' });
    opened.note(2, {}, { integration: 'two', method: 'resources/read' });
    expect(await countsOf(opened)).toEqual([
      ['claude-code', 'one', 1],
      ['cursor', 'one', 3],
      ['cursor', 'two', 1],
    ]);
  });

  it('counts no handshake, listing, unknown app or removed server as a use', async () => {
    const opened = open();
    opened.note(1, { method: 'initialize' }, { method: 'tools/list' }, { app: undefined }, { integration: undefined });
    expect(await countsOf(opened)).toEqual([]);
  });

  it('groups calls of one app that requested the same and ended alike, the newest first', async () => {
    const opened = open();
    opened.note(
      1,
      { at: noon - 3 },
      { at: noon - 1 },
      { at: noon - 2, outcome: 'toolError' },
      { at: noon - 4, outcome: '-32602' },
      { at: noon - 5, outcome: 'APPROVAL_REFUSED' },
      { at: noon - 6, outcome: 'APPROVAL_TIMEOUT' },
      { at: noon - 7, outcome: 'TOOL_CHANGED' },
      { at: noon - 8, outcome: 'cancelled' },
    );
    const { groups } = await opened.today.read();
    expect(groups.map(({ end, count, lastAt }) => [end, count, noon - lastAt])).toEqual([
      ['ok', 2, 1],
      ['failed', 2, 2],
      ['declined', 1, 5],
      ['unanswered', 1, 6],
      ['undecided', 1, 7],
      ['cancelled', 1, 8],
    ]);
  });

  it('begins anew at midnight, local time, and after the clock was set back', async () => {
    const opened = open();
    opened.note(1, { at: new Date(2026, 10, 19, 23, 59).getTime() }, { at: new Date(2026, 10, 20).getTime() });
    expect(await countsOf(opened)).toEqual([['cursor', 'one', 1]]);
    opened.clock.time = new Date(2026, 10, 21).getTime();
    expect(await countsOf(opened)).toEqual([]);
    opened.clock.time = new Date(2026, 10, 19, 12).getTime();
    // Both are in its future.
    expect(await countsOf(opened)).toEqual([['cursor', 'one', 2]]);
  });

  it('reads only what is new, and its revision tells whether something is', async () => {
    const opened = open();
    opened.note(1, {});
    const { revision } = await opened.today.read();
    expect((await opened.today.read()).revision).toBe(revision);
    opened.note(1, {});
    const next = await opened.today.read();
    expect(next.revision).toBeGreaterThan(revision);
    expect(next.uses[0]?.count).toBe(2);
    rmSync(opened.folder, { recursive: true });
    const none = await opened.today.read();
    expect(none.revision).toBeGreaterThan(next.revision);
    expect([none.uses, none.groups, none.unanswered]).toEqual([[], [], []]);
  });

  it('remembers unanswered tool calls of the last days, but no other calls', async () => {
    const opened = open();
    const days = (count: number): number => noon - count * 24 * hour;
    opened.note(
      1,
      { at: days(9), outcome: 'APPROVAL_TIMEOUT', tool: 'old' },
      { at: days(2), outcome: 'APPROVAL_TIMEOUT', tool: 'move' },
      { at: days(1), outcome: 'APPROVAL_TIMEOUT', tool: 'move' },
      { at: days(1), outcome: 'APPROVAL_REFUSED', tool: 'delete' },
      { at: days(1) },
    );
    const { groups, unanswered } = await opened.today.read();
    expect(groups).toEqual([]);
    expect(unanswered).toMatchObject([{ tool: 'move', count: 2, lastAt: days(1), end: 'unanswered' }]);
  });

  it('does not read files of earlier weeks', async () => {
    const opened = open();
    opened.note(1, {});
    const longAgo = (noon - 2 * todayBounds.unanswered) / 1_000;
    utimesSync(path.join(opened.folder, '00000001.jsonl'), longAgo, longAgo);
    opened.note(2, {}, {});
    expect(await countsOf(opened)).toEqual([['cursor', 'one', 2]]);
  });

  it('retains a bounded number of groups and lets other work go on, whatever the log contains', async () => {
    const opened = open();
    const line = (tool: number): string => JSON.stringify(aCall({ at: noon - 1_000_000 + tool, tool: `tool-${tool}` }));
    const count = 20_000;
    const text = Array.from({ length: count }, (_line, tool) => line(tool)).join('\n');
    writeFileSync(path.join(opened.folder, '00000001.jsonl'), `not a call\n${text}\n`);
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    const { groups, uses } = await opened.today.read();
    clearInterval(timer);
    expect(turns).toBeGreaterThan(2);
    expect(groups).toHaveLength(todayBounds.groups);
    expect(groups[0]?.tool).toBe(`tool-${count - 1}`);
    expect(uses).toMatchObject([{ count }]);
  });
});
