import { setTimeout as pause } from 'node:timers/promises';
import type { ActivityView } from '../../../shared/activity.ts';
import { isActivity } from '../../../shared/status-words.ts';
import { findIntegration } from '../../engine/records/find-integration.ts';
import { readActivity } from '../../operations/apps.ts';
import { ActivityReader } from '../../storage/profile/activity-store.ts';
import type { CommandContext } from '../command-context.ts';
import { hasOption, optionValue, sinceValue } from '../options/parse-arguments.ts';
import { localTime } from '../output/describe-integration.ts';
import type { CommandResult } from '../output/output.ts';
import { resolveApp } from '../apps/resolve-references.ts';
import { alignColumns, printableLine } from '../text.ts';

/** Calls shown by default. */
const defaultCount = 50;
/** Milliseconds. */
const pollInterval = 250;

/** `postern activity [ID]`: shows which app called what. Errors: NOT_FOUND, APP_NOT_FOUND, USAGE, CFG_*. */
export async function activity(context: CommandContext): Promise<CommandResult> {
  const { args, output } = context;
  const since = sinceValue(args);
  const word = optionValue(args, 'app');
  const { store, folder } = await context.openProfile();
  const scope = { activity: new ActivityReader(folder), apps: { records: store.apps }, ports: { store } };
  const read = (after: number) => readActivity(scope, { after });
  const { calls, last } = await read(0);
  const matchesApp = await filterBy(word, {
    find: async (reference) => {
      const { id } = await resolveApp(reference, store.apps);
      return ({ app }) => app === id;
    },
    byRecordedName: (reference) => (call) => call.app === reference || call.appName === reference,
    calls,
  });
  const matchesServer = await filterBy(args.positionals[0], {
    find: async (reference) => {
      const { id } = await findIntegration(store, reference);
      return ({ integration }) => integration === id;
    },
    byRecordedName: (reference) => (call) => call.server === reference || call.integration === reference,
    calls,
  });
  const matchesCall: Filter = (call) => matchesServer(call) && matchesApp(call);
  const matching = calls.filter((call) => matchesCall(call) && (since === undefined || call.at >= Date.now() - since));
  if ((await store.settings()).activity === 'off') {
    output.info(output.advise('Recording is off. Turn it on with `postern settings activity on`.'));
  }
  if (hasOption(args, 'follow')) {
    for (const call of since === undefined ? [] : matching) printCall(context, call);
    await follow(context, read, { last, onCall: (call) => matchesCall(call) && printCall(context, call) });
    return { fields: {} };
  }
  const listed = matching.filter(isActivity);
  const newest = since === undefined ? listed.slice(-defaultCount) : listed;
  if (newest.length < listed.length) {
    output.info(`Showing the newest ${defaultCount} of ${listed.length} calls. Use --since 24h to see a day.`);
  }
  if (listed.length === 0) {
    output.info(output.advise('No matching calls. Let an AI app use a server with `postern use ID APP`.'));
  }
  const rows = newest.map(describeCall);
  return {
    fields: { calls: matching.map(fieldsOf) },
    text: rows.length === 0 ? undefined : alignColumns([headings, ...rows]),
  };
}

type Filter = (call: ActivityView) => boolean;

/** Removed servers and apps are matched by their recorded name. Errors: NOT_FOUND, APP_NOT_FOUND. */
async function filterBy(
  reference: string | undefined,
  by: {
    readonly find: (reference: string) => Promise<Filter>;
    readonly byRecordedName: (reference: string) => Filter;
    readonly calls: readonly ActivityView[];
  },
): Promise<Filter> {
  if (reference === undefined) return () => true;
  try {
    return await by.find(reference);
  } catch (error) {
    const matchesName = by.byRecordedName(reference);
    if (by.calls.some(matchesName)) return matchesName;
    throw error;
  }
}

async function follow(
  { signal }: CommandContext,
  read: (after: number) => ReturnType<typeof readActivity>,
  { last, onCall }: { readonly last: number; readonly onCall: (call: ActivityView) => void },
): Promise<void> {
  let lastSeen = last;
  while (!signal.aborted) {
    await pause(pollInterval, undefined, { signal }).catch(() => {});
    const { calls, last: newest } = await read(lastSeen);
    lastSeen = newest;
    calls.forEach(onCall);
  }
}

function printCall({ output }: CommandContext, call: ActivityView): void {
  output.event('call', fieldsOf(call));
  if (isActivity(call)) output.print(describeCall(call).join('  '));
}

function fieldsOf({
  app,
  integration,
  appName: _app,
  serverName: _serverName,
  failure: _failure,
  ...call
}: ActivityView) {
  const { at, server, ...rest } = call;
  return { at, app: app ?? null, integration: integration ?? null, server, ...rest };
}

const headings: readonly string[] = ['WHEN', 'APP', 'SERVER', 'CALL', 'OUTCOME', 'TIME'];

/** Cells of a call. */
function describeCall(call: ActivityView): readonly string[] {
  const { at, app, appName = app ?? 'unknown', serverName, method, tool, ms } = call;
  return [
    describeTime(at),
    printableLine(appName),
    printableLine(serverName),
    printableLine(tool ?? method),
    describeOutcome(call),
    `${ms} ms`,
  ];
}

function describeOutcome({ outcome, failure }: Pick<ActivityView, 'outcome' | 'failure'>): string {
  if (failure?.decision) return failure.decision === 'no' ? 'you said no' : 'not answered';
  if (outcome === 'toolError') return 'tool error';
  return /^-?\d/u.test(outcome) ? `error ${outcome}` : outcome;
}

/** Local time with seconds. */
function describeTime(at: number): string {
  const minute = localTime(at);
  return minute === undefined ? 'unknown' : `${minute}:${String(new Date(at).getSeconds()).padStart(2, '0')}`;
}
