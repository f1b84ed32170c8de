import { isDeepStrictEqual } from 'node:util';
import type { IpcOutput } from '../../../shared/ipc-contract.ts';
import { displayText } from '../../address/display-text.ts';
import { keepHeaders, lacksCredential } from '../../engine/connect/connect-with-key.ts';
import { requireAllowed } from '../../engine/kept/local-consent.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { refuseUnread } from '../../apps/entry/entry-decisions.ts';
import { describeEntry } from '../../apps/entry/our-entries.ts';
import { importableEntries } from '../../apps/import/importable.ts';
import type { Importable } from '../../apps/import/importable.ts';
import { describeUnread } from '../../apps/import/read-mcp-json.ts';
import type { Unread } from '../../apps/import/read-mcp-json.ts';
import { findKeptOut } from '../../apps/plan/kept-out.ts';
import type { KeptOut } from '../../apps/plan/kept-out.ts';
import { fileToChange, planTakeOver } from '../../apps/plan/plan-use.ts';
import { readFile } from '../../apps/plan/planned-change.ts';
import { newId } from '../../apps/program-engine.ts';
import type { ProgramEngine } from '../../apps/program-engine.ts';
import type { Program } from '../../apps/table/program.ts';
import type { DesktopContext } from '../../window/desktop-context.ts';
import { keepEntry, listedFinder } from '../lists/imported-entry.ts';
import type { WantedChange } from '../../window/apps/shown-changes.ts';

/** Characters that are shown of an address or a command. */
const shownLength = 2_000;

/**
 * What stands in a program's file beside the entries of Postern: no value of a header or variable, no argument, no
 * query of an address. Errors: PROGRAM_NOT_FOUND, PROGRAM_FILE_*, KC_*.
 */
export async function lookAtEntries(
  { openPrograms, ports, imports }: DesktopContext,
  program: Program,
): Promise<IpcOutput<'program:look'>> {
  const engine = await openPrograms();
  const { others, unread, keptOut } = await readOthers(engine, program);
  imports.clear();
  const findListed = await listedFinder(ports);
  const leftOut = Array.from(keptOut, ([name, setting]) => ({
    name: displayText(name),
    setting: displayText(setting),
  }));
  return {
    ...(leftOut.length > 0 && { keptOut: leftOut }),
    ...(unread.length > 0 && { unread: unread.map(describeUnread) }),
    entries: await Promise.all(
      others.map(async ({ name, server, value }) => {
        const { command, headers, env } = describeEntry(name, value);
        // Of one that goes through mcp-remote, what that leads to.
        const { url } = describeEntry(name, server);
        const secrets = new Set([...headers, ...env, ...(server.headers ?? []).map((header) => header.name)]);
        const connected = await findListed(server);
        return {
          ...keepEntry(imports, server, { program, name, server }),
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

/** One of them, replaced by the entry of Postern that leads to the same. Errors: PROGRAM_FILE_CHANGED, LOCAL_CONSENT. */
export function wantedTakeOver({ ports, programs, imports }: DesktopContext, entry: string): WantedChange {
  const { place, header } = imports.get(entry) ?? {};
  // An entry of a project stands elsewhere in the file.
  if (!place || place.server.project !== undefined)
    throw new PosternError('PROGRAM_FILE_CHANGED', { stage: 'programs' });
  const { program, name, server } = place;
  const record = newId(programs, 8);
  return {
    program,
    // The key of the entry is all that there is, and it goes with the entry.
    async prepare() {
      const integration = await (await listedFinder(ports))(server);
      // To the program, a server whose command nobody has allowed would look broken.
      if (integration?.command) await requireAllowed(ports, { ...integration, command: integration.command });
      if (header && integration) await keepHeaders(ports, integration, header, new AbortController().signal);
    },
    plan: async (engine) => {
      const file = await fileToChange(engine, program);
      const standing = (await readOthers(engine, program)).others.find(
        (each) => each.name === name && each.server.project === server.project,
      );
      const changed = { stage: 'programs', detail: { file: file.path } } as const;
      if (!isDeepStrictEqual(standing?.server, server)) throw new PosternError('PROGRAM_FILE_CHANGED', changed);
      refuseUnread(file.path, name, server.decisions);
      const integration = await (await listedFinder(ports))(server);
      if (!integration) throw new PosternError('NOT_FOUND', { stage: 'app', detail: { count: 0 } });
      return await planTakeOver(engine, program, file, [{ name, integration }], record);
    },
  };
}

interface OtherEntry extends Importable {
  readonly value: unknown;
}

async function readOthers(
  engine: ProgramEngine,
  program: Program,
): Promise<{
  readonly others: readonly OtherEntry[];
  readonly unread: readonly Unread[];
  /** Entries of Postern too. */
  readonly keptOut: KeptOut;
}> {
  const file = await fileToChange(engine, program);
  const { content } = await readFile(engine, program, file);
  const values = new Map(content.entries);
  const { entries, unread } = await importableEntries(engine, file.path, content);
  const others = entries.map(({ name, server }): OtherEntry => {
    if (server.project === undefined) return { name, server, value: values.get(name) };
    const { words: [command] = [], variables = [] } = server.command ?? {};
    return { name, server, value: { command, env: Object.fromEntries(variables.map((each) => [each.name, ''])) } };
  });
  return { others, unread, keptOut: await findKeptOut(engine, program, file, content, content.entries ?? []) };
}
