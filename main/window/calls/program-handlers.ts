import type { ActivityView } from '../../../shared/activity.ts';
import type { IpcHandlers, IpcInput, IpcOutput } from '../../../shared/ipc-contract.ts';
import { displayText } from '../../address/display-text.ts';
import { describeEntry } from '../../apps/entry/our-entries.ts';
import type { Importable } from '../../apps/import/importable.ts';
import { describeUnread } from '../../apps/import/read-mcp-json.ts';
import { editorProfiles } from '../../apps/plan/editor-profiles.ts';
import type { EditorProfile } from '../../apps/plan/editor-profiles.ts';
import type { Leaving } from '../../apps/plan/plan-leaving.ts';
import { otherProgram } from '../../apps/records/program-records.ts';
import type { Program } from '../../apps/table/program.ts';
import { lacksCredential } from '../../engine/connect/connect-with-key.ts';
import { readList } from '../../engine/leave/delete-everything.ts';
import { PosternError } from '../../errors/postern-error.ts';
import {
  wantedLeaving,
  wantedPort,
  wantedUndo,
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
import { ProgramFileFault } from '../../program-ports.ts';
import { windowWords } from '../../window-words.ts';
import type { ShownChanges } from '../apps/shown-changes.ts';
import { keepEntry } from '../connections/connections.ts';
import type { DesktopContext } from '../desktop-context.ts';

type ProgramHandlers = Pick<
  IpcHandlers,
  Exclude<Extract<keyof IpcHandlers, `program:${string}`>, 'program:pasted' | 'program:pause' | 'program:revoke'>
>;
type UseInput = IpcInput<'program:preview'>['changes'][number];

/** A change of a program is shown first, and made as it was shown or not at all. */
export function programHandlers(
  context: DesktopContext,
  shown: ShownChanges,
  surface: Pick<Surface, 'changed'>,
): ProgramHandlers {
  const { ports, programs, openPrograms, changed, shell, gateway } = context;

  return {
    'program:find': async () => {
      changed('programs');
      return null;
    },
    'program:preview': async ({ changes }) => await shown.show((await Promise.all(changes.map(wantedUses))).flat()),
    'program:previewOther': async ({ name, integration, isHttp }) =>
      await shown.show([wantedUse(context, otherProgram(name), () => readUsed(context, [integration]), { isHttp })]),
    'program:previewUndo': async ({ changes }) =>
      await shown.show(await Promise.all(changes.map((change) => wantedUndo(context, change)))),
    'program:look': async ({ program }) => await lookAtEntries(context, await knownApp(programs, program)),
    'program:previewTakeOver': async ({ entry }) => await shown.show([takeOverOf(context, entry)]),
    'program:previewLeaving': async (what) => {
      const leaving = await whatLeaves(what);
      if (!leaving) return { previews: [], refused: [] };
      return await shown.showNeeded(await wantedLeaving(await openPrograms(), leaving));
    },
    'program:previewPort': async ({ port }) =>
      await shown.showNeeded(await wantedPort(context, await openPrograms(), port)),
    'program:changePort': async ({ port, tokens }) =>
      await changeGatewayPort({ ports, ...surface }, port, shown.making(tokens, false)),
    'program:openPort': async () => {
      await gateway?.changed();
      return { isOpen: gateway?.httpTrouble === undefined };
    },
    'program:change': async ({ tokens }) => {
      try {
        return await shown.make(tokens);
      } finally {
        await surface.changed('programs');
      }
    },
    'program:copyLines': async ({ token }) => {
      shell.copyText(shown.linesOf(token));
      return null;
    },
  };

  /** `undefined`: the list cannot be read, and so names nobody. Errors: NOT_FOUND, PROGRAM_NOT_FOUND. */
  async function whatLeaves(what: IpcInput<'program:previewLeaving'>): Promise<Leaving | undefined> {
    if ('program' in what) return { kind: 'program', program: await knownApp(programs, what.program) };
    if (!('integrations' in what)) {
      const servers = await readList(ports);
      return servers && { kind: 'everything', servers };
    }
    return { kind: 'servers', servers: await readUsed(context, what.integrations) };
  }

  async function wantedUses({ program: programId, integrations, use, editorProfile }: UseInput) {
    const program = await knownApp(programs, programId);
    const read = async () => await readUsed(context, integrations);
    if (!use) return await wantedUnuseEverywhere(await openPrograms(), program, read);
    const profiles = await profilesOf(program);
    const file = profiles.find((profile) => profile.id === editorProfile)?.file;
    // It has gone since it was shown.
    if (editorProfile !== undefined && !file) throw new PosternError('PROGRAM_FILE_CHANGED', { stage: 'programs' });
    return [{ ...wantedUse(context, program, read, { file }), profiles }];
  }

  /** Those with a list of their own; none where it cannot be told which there are. */
  async function profilesOf(program: Program): Promise<readonly EditorProfile[]> {
    const profiles = await editorProfiles(await openPrograms(), program).catch(orNone);
    return profiles.filter(({ file }) => file.editorProfile !== undefined);
  }
}

function orNone(error: unknown): readonly never[] {
  if (!(error instanceof ProgramFileFault)) throw error;
  return [];
}

/** Characters that are shown of an address or a command. */
const shownLength = 2_000;

/**
 * What stands in a program's file beside the entries of Postern: no value of a header or variable, no argument, no
 * query of an address. Errors: PROGRAM_NOT_FOUND, PROGRAM_FILE_*, KC_*.
 */
async function lookAtEntries(
  { openPrograms, ports, imports }: DesktopContext,
  program: Program,
): Promise<IpcOutput<'program:look'>> {
  const { content, entries, unread, keptOut } = await readAppEntries(await openPrograms(), program);
  const values = new Map(content.entries);
  imports.clear();
  const servers = new ListedServers(ports, await ports.store.list());
  const leftOut = Array.from(keptOut, ([name, setting]) => ({
    name: displayText(name),
    setting: displayText(setting),
  }));
  return {
    ...(leftOut.length > 0 && { keptOut: leftOut }),
    ...(unread.length > 0 && { unread: unread.map(describeUnread) }),
    entries: await Promise.all(
      entries.map(async ({ name, server }) => {
        const { command, headers, env } = describeEntry(
          name,
          server.project === undefined ? values.get(name) : ofProject(server),
        );
        // Of one that goes through mcp-remote, what that leads to.
        const { url } = describeEntry(name, server);
        const secrets = new Set([...headers, ...env, ...(server.headers ?? []).map((header) => header.name)]);
        const found = await servers.find(server);
        const connected = found.kind === 'here' ? found.integration : undefined;
        return {
          ...keepEntry(imports, server, { program, name }),
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

/** One of them, replaced by Postern's entry for the same server. Errors: PROGRAM_FILE_CHANGED, as `wantedTakeOver`. */
function takeOverOf(context: DesktopContext, entry: string): WantedChange {
  const { ports, imports } = context;
  const { place, server: listed } = imports.get(entry) ?? {};
  if (!place || !listed) throw new PosternError('PROGRAM_FILE_CHANGED', { stage: 'programs' });
  return wantedTakeOver(context, place.program, [{ name: place.name, server: listed }], async ({ server }) => {
    const found = await new ListedServers(ports, await ports.store.list()).find(server);
    return found.kind === 'here' ? found.integration : undefined;
  });
}

function ofProject({ command }: Importable['server']): unknown {
  const { words: [word] = [], variables = [] } = command ?? {};
  return { command: word, env: Object.fromEntries(variables.map(({ name }) => [name, ''])) };
}

/** The calls that a window shows, saved as a table. */
export function activityHandlers(context: DesktopContext): Pick<IpcHandlers, 'activity:export'> {
  return {
    'activity:export': async ({ calls: wanted }) => {
      const { first, calls } = await readActivity(context, { after: 0 });
      // What was deleted meanwhile is gone.
      const shown = wanted.flatMap((number) => calls[number - first] ?? []);
      return { saved: await context.shell.saveFile(windowWords.exportedActivity, activityCsv(shown)) };
    },
  };
}

/** Calls as a table (RFC 4180), in the order given. */
export function activityCsv(calls: readonly ActivityView[]): string {
  const rows = calls.map(
    ({
      at,
      program = '',
      programName = program,
      serverName,
      method,
      tool = '',
      outcome,
      ms,
      bytesIn,
      bytesOut,
      era,
    }) => [
      new Date(at).toISOString(),
      ...[programName, serverName, method, tool, outcome].map(asText),
      ...[ms, bytesIn, bytesOut].map(String),
      era,
    ],
  );
  const { time, program, server, method, tool, outcome, took, asked, answered, wire } = windowWords.activityColumns;
  const head = [time, program, server, method, tool, outcome, `${took} (ms)`, `${asked} (B)`, `${answered} (B)`, wire];
  return [head, ...rows].map((row) => `${row.map(asField).join(',')}\r\n`).join('');
}

/**
 * A server names its tools: none of it is to be a formula where the table is opened. Many a spreadsheet goes by the
 * language of the computer, and takes a semicolon for the end of a cell, quoted or not.
 */
function asText(text: string): string {
  if (/^-?\d+$/u.test(text)) return text;
  return text.replaceAll(/(?<=^|[;\t\r\n])(?=\s*[=+\-@\t\r＝＋－＠])/gu, "'");
}

function asField(text: string): string {
  return /[",\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
