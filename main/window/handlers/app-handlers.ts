import type { ActivityView } from '../../../shared/activity.ts';
import { todayBounds } from '../../../shared/bounds.ts';
import type { IpcHandlers, IpcInput, IpcOutput } from '../../../shared/ipc-contract.ts';
import { displayText } from '../../address/display-text.ts';
import { describeEntry } from '../../apps/entry/our-entries.ts';
import type { Importable } from '../../apps/import/importable.ts';
import { describeUnreadable } from '../../apps/import/read-mcp-json.ts';
import { recordEntries } from '../../apps/inspect/check-entries.ts';
import { editorProfiles } from '../../apps/plan/editor-profiles.ts';
import type { EditorProfile } from '../../apps/plan/editor-profiles.ts';
import type { Removal } from '../../apps/plan/entry-files.ts';
import { otherApp } from '../../apps/records/app-records.ts';
import type { App } from '../../apps/table/app.ts';
import { apps as tableOfApps } from '../../apps/table/apps.ts';
import { lacksCredential } from '../../engine/connect/connect-with-key.ts';
import { readList } from '../../engine/removal/delete-everything.ts';
import { PosternError } from '../../errors/postern-error.ts';
import {
  proposeRemoval,
  proposePortChange,
  proposeUndo,
  proposeUnuseEverywhere,
  proposeUse,
} from '../../operations/app-changes.ts';
import type { ProposedChange } from '../../operations/app-changes.ts';
import { knownApp, namesOfCalls, readActivity } from '../../operations/apps.ts';
import { ListedServers } from '../../operations/import.ts';
import { listEntryTargets, readEntryTargets } from '../../operations/operation.ts';
import type { Surface } from '../../operations/operation.ts';
import { changeGatewayPort } from '../../operations/settings.ts';
import { countNewServers, readAppEntries, proposeTakeOver } from '../../operations/take-over.ts';
import { AppFileFault } from '../../app-ports.ts';
import type { CountedCalls } from '../../window-ports.ts';
import { windowWords } from '../../window-words.ts';
import type { PreviewedChanges } from '../apps/previewed-changes.ts';
import { storeImportedEntry } from '../attempts/sign-in-attempts.ts';
import type { DesktopContext } from '../desktop-context.ts';
import { readAppIcon } from '../icons/app-icons.ts';

type AppHandlers = Pick<
  IpcHandlers,
  Exclude<Extract<keyof IpcHandlers, `app:${string}`>, 'app:pasted' | 'app:pause' | 'app:revoke'>
>;
type UseInput = IpcInput<'app:preview'>['changes'][number];

/** Changes to app configurations are previewed first, and made exactly as previewed or not at all. */
export function appHandlers(
  context: DesktopContext,
  previewedChanges: PreviewedChanges,
  surface: Pick<Surface, 'changed'>,
): AppHandlers {
  const { ports, apps, openApps, changed, shell, gateway } = context;

  return {
    'app:find': async () => {
      changed('apps');
      await recordEntries(await openApps(), await listEntryTargets(context));
      changed('apps');
      return null;
    },
    'app:preview': async ({ changes }) =>
      await previewedChanges.preview((await Promise.all(changes.map(proposeChanges))).flat()),
    'app:previewOther': async ({ name, integration, isHttp }) =>
      await previewedChanges.preview([
        proposeUse(context, otherApp(name), () => readEntryTargets(context, [integration]), { isHttp }),
      ]),
    'app:previewUndo': async ({ changes }) =>
      await previewedChanges.preview(await Promise.all(changes.map((change) => proposeUndo(context, change)))),
    'app:readEntries': async ({ app }) => await inspectEntries(context, await knownApp(apps, app)),
    'app:countServers': async ({ apps: ids }) =>
      await countNewServers(
        await openApps(),
        await Promise.all(ids.map((id) => knownApp(apps, id))),
        new ListedServers(ports, await ports.store.list()),
      ),
    'app:previewTakeOver': async ({ entry }) => await previewedChanges.preview([planTakeOver(context, entry)]),
    'app:previewLeaving': async (selection) => {
      const removal = await removalOf(selection);
      if (!removal) return { previews: [], refused: [] };
      return await previewedChanges.previewNeeded(await proposeRemoval(await openApps(), removal));
    },
    'app:previewPort': async ({ port }) =>
      await previewedChanges.previewNeeded(await proposePortChange(context, await openApps(), port)),
    'app:changePort': async ({ port, tokens }) =>
      await changeGatewayPort({ ports, ...surface }, port, previewedChanges.prepare(tokens, false)),
    'app:openPort': async () => {
      await gateway?.changed();
      return { isOpen: gateway?.httpError === undefined };
    },
    'app:change': async ({ tokens }) => {
      try {
        return await previewedChanges.make(tokens);
      } finally {
        // A change may contain rules, which belong to the servers.
        await surface.changed('integrations', 'apps');
      }
    },
    'app:icon': async ({ app: appId }) => {
      const app = tableOfApps.find(({ id }) => id === appId);
      const icon = app && (await readAppIcon(app, apps.host, (file) => shell.iconOfProgram(file)));
      return { data: icon?.toString('base64') ?? null };
    },
    'app:copyLines': async ({ token }) => {
      shell.copyText(previewedChanges.linesOf(token));
      return null;
    },
  };

  /** `undefined`: the list is unreadable, so there is nothing to remove. Errors: NOT_FOUND, APP_NOT_FOUND. */
  async function removalOf(selection: IpcInput<'app:previewLeaving'>): Promise<Removal | undefined> {
    if ('app' in selection) return { kind: 'app', app: await knownApp(apps, selection.app) };
    if (!('integrations' in selection)) {
      const servers = await readList(ports);
      return servers && { kind: 'everything', servers };
    }
    return { kind: 'servers', servers: await readEntryTargets(context, selection.integrations) };
  }

  async function proposeChanges({ app: appId, integrations, use, editorProfile, preset }: UseInput) {
    const app = await knownApp(apps, appId);
    const read = async () => await readEntryTargets(context, integrations);
    if (!use) return await proposeUnuseEverywhere(await openApps(), app, read);
    const profiles = await profilesOf(app);
    const file = profiles.find((profile) => profile.id === editorProfile)?.file;
    // The profile was removed after the preview.
    if (editorProfile !== undefined && !file) throw new PosternError('APP_FILE_CHANGED', { stage: 'apps' });
    return [{ ...proposeUse(context, app, read, { file, preset }), profiles }];
  }

  /** Editor profiles with a list of their own; none if they cannot be determined. */
  async function profilesOf(app: App): Promise<readonly EditorProfile[]> {
    const profiles = await editorProfiles(await openApps(), app).catch(noneIfFault);
    return profiles.filter(({ file }) => file.editorProfile !== undefined);
  }
}

function noneIfFault(error: unknown): readonly never[] {
  if (!(error instanceof AppFileFault)) throw error;
  return [];
}

/** Characters of a displayed URL or command. */
const shownLength = 2_000;

/**
 * The entries in an app's file that are not Postern's, without values of headers and variables, arguments, or URL
 * queries. Errors: APP_NOT_FOUND, APP_FILE_*, KC_*.
 */
async function inspectEntries(
  { openApps, ports, imports }: DesktopContext,
  app: App,
): Promise<IpcOutput<'app:readEntries'>> {
  const { content, entries, unreadable, excludedBy } = await readAppEntries(await openApps(), app);
  const values = new Map(content.entries);
  imports.clear();
  const servers = new ListedServers(ports, await ports.store.list());
  const leftOut = Array.from(excludedBy, ([name, setting]) => ({
    name: displayText(name),
    setting: displayText(setting),
  }));
  return {
    ...(leftOut.length > 0 && { excludedBy: leftOut }),
    ...(unreadable.length > 0 && { unreadable: unreadable.map(describeUnreadable) }),
    entries: await Promise.all(
      entries.map(async ({ name, server }) => {
        const { command, headers, env } = describeEntry(
          name,
          server.project === undefined ? values.get(name) : projectEntry(server),
        );
        // For an entry that uses mcp-remote, the URL behind it.
        const { url } = describeEntry(name, server);
        const secrets = new Set([...headers, ...env, ...(server.headers ?? []).map((header) => header.name)]);
        const found = await servers.find(server);
        const connected = found.kind === 'listed' ? found.integration : undefined;
        return {
          ...storeImportedEntry(imports, server, { app, name }),
          name: displayText(name),
          ...(server.project !== undefined && { project: displayText(server.project, shownLength) }),
          kind: server.kind,
          ...(url !== undefined && { url: displayText(url, shownLength) }),
          ...(server.kind === 'local' && command !== undefined && { command: displayText(command, shownLength) }),
          secrets: [...secrets].map((each) => displayText(each)),
          ...(connected && {
            connectedAs: connected.id,
            lacksCredential: !connected.command && lacksCredential(connected),
          }),
        };
      }),
    ),
  };
}

/** Replaces an entry by Postern's entry for the same server. Errors: APP_FILE_CHANGED, those of `proposeTakeOver`. */
function planTakeOver(context: DesktopContext, entry: string): ProposedChange {
  const { ports, imports } = context;
  const { source, server: listed } = imports.get(entry) ?? {};
  if (!source || !listed) throw new PosternError('APP_FILE_CHANGED', { stage: 'apps' });
  return proposeTakeOver(context, source.app, [{ name: source.name, server: listed }], async ({ server }) => {
    const found = await new ListedServers(ports, await ports.store.list()).find(server);
    return found.kind === 'listed' ? found.integration : undefined;
  });
}

function projectEntry({ command }: Importable['server']): unknown {
  const { words: [word] = [], variables = [] } = command ?? {};
  return { command: word, env: Object.fromEntries(variables.map(({ name }) => [name, ''])) };
}

/** Exports the calls that the window shows as CSV. */
export function activityHandlers(
  context: DesktopContext,
): Pick<IpcHandlers, 'activity:today' | 'activity:dismiss' | 'activity:export'> {
  const { todaysCalls, windowState } = context;
  return {
    'activity:today': async ({ after }) => {
      const { revision, uses, groups, unanswered } = await todaysCalls.read();
      if (revision === after) return { revision };
      const namesOf = await namesOfCalls(context);
      const named = (counted: readonly CountedCalls[]) =>
        counted
          .slice(0, todayBounds.shown)
          .map(({ server, ...group }) => ({ ...group, ...namesOf({ ...group, server }) }));
      const { unansweredSeenAt = 0 } = windowState.read();
      const unseen = unanswered.filter(({ lastAt }) => lastAt > unansweredSeenAt);
      return { revision, today: { uses, groups: named(groups), unanswered: named(unseen) } };
    },
    'activity:dismiss': async ({ until }) => {
      // Calls that arrive later stay unseen.
      windowState.change({ unansweredSeenAt: Math.min(until, context.ports.clock.now()) });
      return null;
    },
    'activity:export': async ({ calls: numbers }) => {
      const { first, calls } = await readActivity(context, { after: 0 });
      // Calls that were deleted meanwhile are skipped.
      const exported = numbers.flatMap((number) => calls[number - first] ?? []);
      return { saved: await context.shell.saveFile(windowWords.exportedActivity, activityCsv(exported)) };
    },
  };
}

/** Calls as CSV (RFC 4180), in the given order. */
export function activityCsv(calls: readonly ActivityView[]): string {
  const rows = calls.map(
    ({ at, app = '', appName = app, serverName, method, tool = '', outcome, ms, bytesIn, bytesOut, protocol }) => [
      new Date(at).toISOString(),
      ...[appName, serverName, method, tool, outcome].map(escapeFormula),
      ...[ms, bytesIn, bytesOut].map(String),
      protocol,
    ],
  );
  const { time, app, server, method, tool, outcome, duration, requestSize, responseSize, revision } =
    windowWords.activityColumns;
  const head = [
    time,
    app,
    server,
    method,
    tool,
    outcome,
    `${duration} (ms)`,
    `${requestSize} (B)`,
    `${responseSize} (B)`,
    revision,
  ];
  return [head, ...rows].map((row) => `${row.map(quoteField).join(',')}\r\n`).join('');
}

/**
 * Prevents formula injection: servers choose tool names. Depending on the locale, spreadsheets also treat a semicolon
 * as a cell separator, even in quotes.
 */
function escapeFormula(text: string): string {
  if (/^-?\d+$/u.test(text)) return text;
  return text.replaceAll(/(?<=^|[;\t\r\n])(?=\s*[=+\-@\t\r＝＋－＠])/gu, "'");
}

function quoteField(text: string): string {
  return /[",\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
