import type { ActivityView } from '../../../shared/activity.ts';
import type { IpcHandlers, IpcInput, IpcOutput } from '../../../shared/ipc-contract.ts';
import { displayText } from '../../address/display-text.ts';
import { describeEntry } from '../../apps/entry/our-entries.ts';
import type { Importable } from '../../apps/import/importable.ts';
import { describeUnread } from '../../apps/import/read-mcp-json.ts';
import { editorProfiles } from '../../apps/plan/editor-profiles.ts';
import type { EditorProfile } from '../../apps/plan/editor-profiles.ts';
import type { Removal } from '../../apps/plan/plan-removal.ts';
import { otherApp } from '../../apps/records/app-records.ts';
import type { App } from '../../apps/table/app.ts';
import { lacksCredential } from '../../engine/connect/connect-with-key.ts';
import { readList } from '../../engine/removal/delete-everything.ts';
import { PosternError } from '../../errors/postern-error.ts';
import {
  wantedLeaving,
  wantedPort,
  prepareUndo,
  wantedUnuseEverywhere,
  wantedUse,
} from '../../operations/app-changes.ts';
import type { WantedChange } from '../../operations/app-changes.ts';
import { knownApp, readActivity } from '../../operations/apps.ts';
import { ListedServers } from '../../operations/import.ts';
import { readUsed } from '../../operations/operation.ts';
import type { Surface } from '../../operations/operation.ts';
import { changeGatewayPort } from '../../operations/settings.ts';
import { readAppEntries, wantedTakeOver } from '../../operations/take-over.ts';
import { AppFileFault } from '../../app-ports.ts';
import { windowWords } from '../../window-words.ts';
import type { PreviewedChanges } from '../apps/previewed-changes.ts';
import { storeImportedEntry } from '../attempts/sign-in-attempts.ts';
import type { DesktopContext } from '../desktop-context.ts';

type AppHandlers = Pick<
  IpcHandlers,
  Exclude<Extract<keyof IpcHandlers, `app:${string}`>, 'app:pasted' | 'app:pause' | 'app:revoke'>
>;
type UseInput = IpcInput<'app:preview'>['changes'][number];

/** Changes to app configurations are previewed first, and made exactly as previewed or not at all. */
export function appHandlers(
  context: DesktopContext,
  shown: PreviewedChanges,
  surface: Pick<Surface, 'changed'>,
): AppHandlers {
  const { ports, apps, openApps, changed, shell, gateway } = context;

  return {
    'app:find': async () => {
      changed('apps');
      return null;
    },
    'app:preview': async ({ changes }) => await shown.preview((await Promise.all(changes.map(wantedChanges))).flat()),
    'app:previewOther': async ({ name, integration, isHttp }) =>
      await shown.preview([wantedUse(context, otherApp(name), () => readUsed(context, [integration]), { isHttp })]),
    'app:previewUndo': async ({ changes }) =>
      await shown.preview(await Promise.all(changes.map((change) => prepareUndo(context, change)))),
    'app:look': async ({ app }) => await inspectEntries(context, await knownApp(apps, app)),
    'app:previewTakeOver': async ({ entry }) => await shown.preview([takeOverOf(context, entry)]),
    'app:previewLeaving': async (what) => {
      const leaving = await removalOf(what);
      if (!leaving) return { previews: [], refused: [] };
      return await shown.previewNeeded(await wantedLeaving(await openApps(), leaving));
    },
    'app:previewPort': async ({ port }) => await shown.previewNeeded(await wantedPort(context, await openApps(), port)),
    'app:changePort': async ({ port, tokens }) =>
      await changeGatewayPort({ ports, ...surface }, port, shown.prepare(tokens, false)),
    'app:openPort': async () => {
      await gateway?.changed();
      return { isOpen: gateway?.httpError === undefined };
    },
    'app:change': async ({ tokens }) => {
      try {
        return await shown.make(tokens);
      } finally {
        await surface.changed('apps');
      }
    },
    'app:copyLines': async ({ token }) => {
      shell.copyText(shown.linesOf(token));
      return null;
    },
  };

  /** `undefined`: the list is unreadable, so there is nothing to remove. Errors: NOT_FOUND, APP_NOT_FOUND. */
  async function removalOf(what: IpcInput<'app:previewLeaving'>): Promise<Removal | undefined> {
    if ('app' in what) return { kind: 'app', app: await knownApp(apps, what.app) };
    if (!('integrations' in what)) {
      const servers = await readList(ports);
      return servers && { kind: 'everything', servers };
    }
    return { kind: 'servers', servers: await readUsed(context, what.integrations) };
  }

  async function wantedChanges({ app: appId, integrations, use, editorProfile }: UseInput) {
    const app = await knownApp(apps, appId);
    const read = async () => await readUsed(context, integrations);
    if (!use) return await wantedUnuseEverywhere(await openApps(), app, read);
    const profiles = await profilesOf(app);
    const file = profiles.find((profile) => profile.id === editorProfile)?.file;
    // The profile was removed after the preview.
    if (editorProfile !== undefined && !file) throw new PosternError('APP_FILE_CHANGED', { stage: 'apps' });
    return [{ ...wantedUse(context, app, read, { file }), profiles }];
  }

  /** Editor profiles with a list of their own; none if they cannot be determined. */
  async function profilesOf(app: App): Promise<readonly EditorProfile[]> {
    const profiles = await editorProfiles(await openApps(), app).catch(orNone);
    return profiles.filter(({ file }) => file.editorProfile !== undefined);
  }
}

function orNone(error: unknown): readonly never[] {
  if (!(error instanceof AppFileFault)) throw error;
  return [];
}

/** Characters of a displayed URL or command. */
const shownLength = 2_000;

/**
 * The entries in an app's file that are not Postern's, without values of headers and variables, arguments, or URL
 * queries. Errors: APP_NOT_FOUND, APP_FILE_*, KC_*.
 */
async function inspectEntries({ openApps, ports, imports }: DesktopContext, app: App): Promise<IpcOutput<'app:look'>> {
  const { content, entries, unread, excludedBy } = await readAppEntries(await openApps(), app);
  const values = new Map(content.entries);
  imports.clear();
  const servers = new ListedServers(ports, await ports.store.list());
  const leftOut = Array.from(excludedBy, ([name, setting]) => ({
    name: displayText(name),
    setting: displayText(setting),
  }));
  return {
    ...(leftOut.length > 0 && { excludedBy: leftOut }),
    ...(unread.length > 0 && { unread: unread.map(describeUnread) }),
    entries: await Promise.all(
      entries.map(async ({ name, server }) => {
        const { command, headers, env } = describeEntry(
          name,
          server.project === undefined ? values.get(name) : ofProject(server),
        );
        // For an entry that uses mcp-remote, the URL behind it.
        const { url } = describeEntry(name, server);
        const secrets = new Set([...headers, ...env, ...(server.headers ?? []).map((header) => header.name)]);
        const found = await servers.find(server);
        const connected = found.kind === 'here' ? found.integration : undefined;
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

/** Replaces an entry by Postern's entry for the same server. Errors: APP_FILE_CHANGED, those of `wantedTakeOver`. */
function takeOverOf(context: DesktopContext, entry: string): WantedChange {
  const { ports, imports } = context;
  const { place, server: listed } = imports.get(entry) ?? {};
  if (!place || !listed) throw new PosternError('APP_FILE_CHANGED', { stage: 'apps' });
  return wantedTakeOver(context, place.app, [{ name: place.name, server: listed }], async ({ server }) => {
    const found = await new ListedServers(ports, await ports.store.list()).find(server);
    return found.kind === 'here' ? found.integration : undefined;
  });
}

function ofProject({ command }: Importable['server']): unknown {
  const { words: [word] = [], variables = [] } = command ?? {};
  return { command: word, env: Object.fromEntries(variables.map(({ name }) => [name, ''])) };
}

/** Exports the calls that the window shows as CSV. */
export function activityHandlers(context: DesktopContext): Pick<IpcHandlers, 'activity:export'> {
  return {
    'activity:export': async ({ calls: wanted }) => {
      const { first, calls } = await readActivity(context, { after: 0 });
      // Calls that were deleted meanwhile are skipped.
      const shown = wanted.flatMap((number) => calls[number - first] ?? []);
      return { saved: await context.shell.saveFile(windowWords.exportedActivity, activityCsv(shown)) };
    },
  };
}

/** Calls as CSV (RFC 4180), in the given order. */
export function activityCsv(calls: readonly ActivityView[]): string {
  const rows = calls.map(
    ({ at, app = '', appName = app, serverName, method, tool = '', outcome, ms, bytesIn, bytesOut, protocol }) => [
      new Date(at).toISOString(),
      ...[appName, serverName, method, tool, outcome].map(asText),
      ...[ms, bytesIn, bytesOut].map(String),
      protocol,
    ],
  );
  const { time, app, server, method, tool, outcome, took, asked, answered, wire } = windowWords.activityColumns;
  const head = [time, app, server, method, tool, outcome, `${took} (ms)`, `${asked} (B)`, `${answered} (B)`, wire];
  return [head, ...rows].map((row) => `${row.map(asField).join(',')}\r\n`).join('');
}

/**
 * Prevents formula injection: servers choose tool names. Depending on the locale, spreadsheets also treat a semicolon
 * as a cell separator, even in quotes.
 */
function asText(text: string): string {
  if (/^-?\d+$/u.test(text)) return text;
  return text.replaceAll(/(?<=^|[;\t\r\n])(?=\s*[=+\-@\t\r＝＋－＠])/gu, "'");
}

function asField(text: string): string {
  return /[",\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
