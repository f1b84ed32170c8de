import type { IpcOutput } from '../../../shared/ipc-contract.ts';
import { displayText } from '../../address/display-text.ts';
import { describeEntry } from '../../apps/entry/our-entries.ts';
import type { Importable } from '../../apps/import/importable.ts';
import { describeUnread } from '../../apps/import/read-mcp-json.ts';
import type { Program } from '../../apps/table/program.ts';
import { lacksCredential } from '../../engine/connect/connect-with-key.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { WantedChange } from '../../operations/app-changes.ts';
import { ListedServers } from '../../operations/import.ts';
import { readAppEntries, wantedTakeOver } from '../../operations/take-over.ts';
import { keepEntry } from '../connections/imported-entry.ts';
import type { DesktopContext } from '../desktop-context.ts';

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
export function takeOverOf(context: DesktopContext, entry: string): WantedChange {
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
