import { setTimeout as pause } from 'node:timers/promises';
import type { ActivityCall } from '../../../shared/activity.ts';
import type { Integration } from '../../../shared/integration.ts';
import type { ProgramRecord } from '../../../shared/program-record.ts';
import { findIntegration } from '../../engine/kept/find-integration.ts';
import { programName } from '../../apps/records/other-program.ts';
import { ActivityReader } from '../../storage/profile/activity-store.ts';
import type { CommandContext } from '../command-context.ts';
import { openCommandProfile } from '../opening/open-command-profile.ts';
import { hasOption, optionValue, sinceValue } from '../options/parse-arguments.ts';
import type { Answer } from '../output/output.ts';
import { namedProgram } from '../programs/named-program.ts';
import { printableLine } from '../text/printable.ts';
import { alignColumns } from '../text/text-table.ts';

/** Calls that are shown where nothing is said of how many, and milliseconds between two looks for new ones. */
const shown = 50;
const look = 250;

/** `postern activity [ID]`: which program called what. Errors: NOT_FOUND, PROGRAM_NOT_FOUND, USAGE, CFG_*. */
export async function activity(context: CommandContext): Promise<Answer> {
  const { args, output } = context;
  const since = sinceValue(args);
  const word = optionValue(args, 'program');
  const { store, folder } = await openCommandProfile(context);
  const program = word === undefined ? undefined : (await namedProgram(word, store.programs)).id;
  const integrations = await store.list();
  const known = { integrations, records: await store.programs.list() };
  const reader = new ActivityReader(folder);
  const { calls, last } = await reader.read();
  const isOfServer = await serverFilter(store, calls, args.positionals[0]);
  const isWanted = (call: ActivityCall): boolean =>
    isOfServer(call) && (program === undefined || call.program === program);
  const wanted = calls.filter((call) => isWanted(call) && (since === undefined || call.at >= Date.now() - since));
  if ((await store.settings()).activity === 'off') {
    output.say(output.advise('Calls are not noted just now; `postern settings activity on` changes that.'));
  }
  if (hasOption(args, 'follow')) {
    for (const call of since === undefined ? [] : wanted) tell(context, call, known);
    await follow(context, reader, { last, tell: (call) => isWanted(call) && tell(context, call, known) });
    return { fields: {} };
  }
  const newest = since === undefined ? wanted.slice(-shown) : wanted;
  if (newest.length < wanted.length) {
    output.say(`The newest ${shown} of ${wanted.length} calls; --since 24h shows those of a day.`);
  }
  if (wanted.length === 0) {
    output.say(output.advise('No such call was noted. `postern use ID PROGRAM` lets a program use a server.'));
  }
  const rows = newest.map((call) => describeCall(call, known));
  return {
    fields: { calls: wanted.map(fieldsOf) },
    text: rows.length === 0 ? undefined : alignColumns([headings, ...rows]),
  };
}

/** A server that was removed is found by the name that it had. Errors: NOT_FOUND. */
async function serverFilter(
  store: Parameters<typeof findIntegration>[0],
  calls: readonly ActivityCall[],
  reference: string | undefined,
): Promise<(call: ActivityCall) => boolean> {
  if (reference === undefined) return () => true;
  const before = (call: ActivityCall): boolean => call.server === reference || call.integration === reference;
  try {
    const { id } = await findIntegration(store, reference);
    return ({ integration }) => integration === id;
  } catch (error) {
    if (calls.some(before)) return before;
    throw error;
  }
}

async function follow(
  { signal }: CommandContext,
  reader: ActivityReader,
  { last, tell: tellOne }: { readonly last: number; readonly tell: (call: ActivityCall) => void },
): Promise<void> {
  let reached = last;
  while (!signal.aborted) {
    await pause(look, undefined, { signal }).catch(() => {});
    const read = await reader.read(reached);
    reached = read.last;
    read.calls.forEach(tellOne);
  }
}

function tell({ output }: CommandContext, call: ActivityCall, known: KnownNames): void {
  output.event('call', fieldsOf(call));
  output.print(describeCall(call, known).join('  '));
}

function fieldsOf({ program, integration, ...call }: ActivityCall) {
  const { at, server, ...rest } = call;
  return { at, program: program ?? null, integration: integration ?? null, server, ...rest };
}

const headings: readonly string[] = ['WHEN', 'PROGRAM', 'SERVER', 'CALL', 'OUTCOME', 'TIME'];

/** What gives servers, and the programs that people have added, their names. */
interface KnownNames {
  readonly integrations: readonly Integration[];
  readonly records: readonly ProgramRecord[];
}

/** A call in columns. A server that was removed has the name that it had then. */
function describeCall(call: ActivityCall, { integrations, records }: KnownNames): readonly string[] {
  const { at, program, integration, server, method, tool, outcome, ms } = call;
  const name = integrations.find(({ id }) => id === integration)?.name ?? server;
  return [
    describeTime(at),
    program === undefined ? 'not known' : printableLine(programName(program, records) ?? program),
    printableLine(name),
    printableLine(tool ?? method),
    outcome === 'toolError' ? 'tool error' : /^-?\d/u.test(outcome) ? `error ${outcome}` : outcome,
    `${ms} ms`,
  ];
}

/** To the second, as the clock on the wall has it. */
function describeTime(at: number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return 'unknown';
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')}`;
}
