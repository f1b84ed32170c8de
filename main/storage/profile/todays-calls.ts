import { endOf } from '../../../shared/activity.ts';
import type { ActivityCall, Today } from '../../../shared/activity.ts';
import { todayBounds } from '../../../shared/bounds.ts';
import { isActivity, usageMethods } from '../../../shared/status-words.ts';
import type { Clock } from '../../ports.ts';
import type { CountedCalls, TodaysCalls } from '../../window-ports.ts';
import { yieldIfBusy } from '../../yield-if-busy.ts';
import { ActivityLines, readLine } from './activity-store.ts';

/**
 * Counts the calls of the local day in the log, incrementally. Reads all of the log at most once a day, in turns, and
 * retains a bounded number of groups, whatever the log contains.
 */
export function openTodaysCalls(profileFolder: string, clock: Pick<Clock, 'now'>): TodaysCalls {
  let day = startOfDay(clock.now());
  let lines = new ActivityLines(profileFolder);
  let revision = 1;
  const uses = new Map<string, Today['uses'][number]>();
  const groups = new Map<string, CountedCalls>();
  const unanswered = new Map<string, CountedCalls>();
  let reading: Promise<void> = Promise.resolve();

  function clear(): void {
    for (const counted of [uses, groups, unanswered]) counted.clear();
    revision += 1;
  }

  async function catchUp(): Promise<void> {
    const now = clock.now();
    const today = startOfDay(now);
    if (today !== day) {
      // It is past midnight, or the clock was changed.
      day = today;
      lines = new ActivityLines(profileFolder);
      clear();
    }
    const since = Math.min(day, now - todayBounds.unanswered);
    await lines.readNew({
      since,
      onDeleted: clear,
      onLines: async (added) => {
        for (const line of added) {
          await yieldIfBusy();
          for (const call of readLine(line)) if (call.at >= since) count(call);
        }
      },
    });
  }

  function count(call: ActivityCall): void {
    const isUnanswered = call.tool !== undefined && endOf(call.outcome) === 'unanswered';
    if (isUnanswered) countGroup(unanswered, call);
    if (call.at < day || !isActivity(call)) return;
    countGroup(groups, call);
    countUse(call);
  }

  function countUse({ app, integration, method, at }: ActivityCall): void {
    if (app === undefined || integration === undefined || !usageMethods.has(method)) return;
    const key = `${app} ${integration}`;
    const before = uses.get(key);
    const use = { app, integration, count: (before?.count ?? 0) + 1, lastAt: Math.max(at, before?.lastAt ?? at) };
    put(uses, key, use, todayBounds.uses);
  }

  function countGroup(counted: Map<string, CountedCalls>, call: ActivityCall): void {
    const { app, integration, server, method, tool, outcome, at } = call;
    const end = endOf(outcome);
    const key = JSON.stringify([app, integration ?? { server }, method, tool, end]);
    const before = counted.get(key);
    const group = {
      ...{ app, integration, server, method, tool, end },
      count: (before?.count ?? 0) + 1,
      lastAt: Math.max(at, before?.lastAt ?? at),
    };
    put(counted, key, group, todayBounds.groups);
  }

  /** The least recently changed entry goes first. */
  function put<Entry>(entries: Map<string, Entry>, key: string, entry: Entry, max: number): void {
    entries.delete(key);
    entries.set(key, entry);
    revision += 1;
    const [oldest] = entries.keys();
    if (entries.size > max && oldest !== undefined) entries.delete(oldest);
  }

  return {
    async read() {
      reading = reading.then(catchUp).catch(() => {});
      await reading;
      return {
        revision,
        uses: [...uses.values()],
        groups: newestFirst(groups),
        unanswered: newestFirst(unanswered),
      };
    },
  };
}

function newestFirst(groups: ReadonlyMap<string, CountedCalls>): readonly CountedCalls[] {
  return [...groups.values()].toSorted((one, other) => other.lastAt - one.lastAt);
}

/** Midnight in the local time zone, in milliseconds since 1970. */
function startOfDay(now: number): number {
  return new Date(now).setHours(0, 0, 0, 0);
}
