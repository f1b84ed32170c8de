import { setTimeout as pause } from 'node:timers/promises';
import type { ActivityView } from '../../../shared/activity.ts';
import { findIntegration } from '../../engine/kept/find-integration.ts';
import { readActivity } from '../../operations/apps.ts';
import { ActivityReader } from '../../storage/profile/activity-store.ts';
import type { CommandContext } from '../command-context.ts';
import { openCommandProfile } from '../opening/open-command-profile.ts';
import { hasOption, optionValue, sinceValue } from '../options/parse-arguments.ts';
import { localTime } from '../output/describe-integration.ts';
import type { Answer } from '../output/output.ts';
import { namedProgram } from '../programs/named-program.ts';
import { alignColumns, printableLine } from '../text.ts';

/** Calls that are shown where nothing is said of how many, and milliseconds between two looks for new ones. */
const shown = 50;
const look = 250;

/** `postern activity [ID]`: which program called what. Errors: NOT_FOUND, PROGRAM_NOT_FOUND, USAGE, CFG_*. */
export async function activity(context: CommandContext): Promise<Answer> {
  const { args, output } = context;
  const since = sinceValue(args);
  const word = optionValue(args, 'program');
  const { store, folder } = await openCommandProfile(context);
  const scope = { activity: new ActivityReader(folder), programs: { records: store.programs }, ports: { store } };
  const read = (after: number) => readActivity(scope, { after });
  const { calls, last } = await read(0);
  const isOfApp = await filterBy(word, {
    find: async (reference) => {
      const { id } = await namedProgram(reference, store.programs);
      return ({ program }) => program === id;
    },
    before: (reference) => (call) => call.program === reference || call.programName === reference,
    calls,
  });
  const isOfServer = await filterBy(args.positionals[0], {
    find: async (reference) => {
      const { id } = await findIntegration(store, reference);
      return ({ integration }) => integration === id;
    },
    before: (reference) => (call) => call.server === reference || call.integration === reference,
    calls,
  });
  const isWanted: Filter = (call) => isOfServer(call) && isOfApp(call);
  const wanted = calls.filter((call) => isWanted(call) && (since === undefined || call.at >= Date.now() - since));
  if ((await store.settings()).activity === 'off') {
    output.say(output.advise('Calls are not noted just now; `postern settings activity on` changes that.'));
  }
  if (hasOption(args, 'follow')) {
    for (const call of since === undefined ? [] : wanted) tell(context, call);
    await follow(context, read, { last, tell: (call) => isWanted(call) && tell(context, call) });
    return { fields: {} };
  }
  const newest = since === undefined ? wanted.slice(-shown) : wanted;
  if (newest.length < wanted.length) {
    output.say(`The newest ${shown} of ${wanted.length} calls; --since 24h shows those of a day.`);
  }
  if (wanted.length === 0) {
    output.say(output.advise('No such call was noted. `postern use ID PROGRAM` lets a program use a server.'));
  }
  const rows = newest.map(describeCall);
  return {
    fields: { calls: wanted.map(fieldsOf) },
    text: rows.length === 0 ? undefined : alignColumns([headings, ...rows]),
  };
}

type Filter = (call: ActivityView) => boolean;

/** What was removed is found by what it was called then. Errors: NOT_FOUND, PROGRAM_NOT_FOUND. */
async function filterBy(
  reference: string | undefined,
  by: {
    readonly find: (reference: string) => Promise<Filter>;
    readonly before: (reference: string) => Filter;
    readonly calls: readonly ActivityView[];
  },
): Promise<Filter> {
  if (reference === undefined) return () => true;
  try {
    return await by.find(reference);
  } catch (error) {
    const before = by.before(reference);
    if (by.calls.some(before)) return before;
    throw error;
  }
}

async function follow(
  { signal }: CommandContext,
  read: (after: number) => ReturnType<typeof readActivity>,
  { last, tell: tellOne }: { readonly last: number; readonly tell: (call: ActivityView) => void },
): Promise<void> {
  let reached = last;
  while (!signal.aborted) {
    await pause(look, undefined, { signal }).catch(() => {});
    const { calls, last: newest } = await read(reached);
    reached = newest;
    calls.forEach(tellOne);
  }
}

function tell({ output }: CommandContext, call: ActivityView): void {
  output.event('call', fieldsOf(call));
  output.print(describeCall(call).join('  '));
}

function fieldsOf({ program, integration, programName: _app, serverName: _now, failure: _why, ...call }: ActivityView) {
  const { at, server, ...rest } = call;
  return { at, program: program ?? null, integration: integration ?? null, server, ...rest };
}

const headings: readonly string[] = ['WHEN', 'PROGRAM', 'SERVER', 'CALL', 'OUTCOME', 'TIME'];

/** A call in columns. */
function describeCall(call: ActivityView): readonly string[] {
  const { at, program, programName = program ?? 'not known', serverName, method, tool, outcome, ms } = call;
  return [
    describeTime(at),
    printableLine(programName),
    printableLine(serverName),
    printableLine(tool ?? method),
    outcome === 'toolError' ? 'tool error' : /^-?\d/u.test(outcome) ? `error ${outcome}` : outcome,
    `${ms} ms`,
  ];
}

/** To the second, as the clock on the wall has it. */
function describeTime(at: number): string {
  const minute = localTime(at);
  return minute === undefined ? 'unknown' : `${minute}:${String(new Date(at).getSeconds()).padStart(2, '0')}`;
}
