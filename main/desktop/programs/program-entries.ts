import type { IpcOutput } from '../../../shared/ipc-contract.ts';
import type { Integration } from '../../../shared/integration.ts';
import { displayText } from '../../address/display-text.ts';
import { parseTypedAddress } from '../../address/parse-typed-address.ts';
import { keepHeaders, lacksCredential } from '../../integration/connect/keep-headers.ts';
import { PosternError } from '../../postern-error.ts';
import { describeEntry } from '../../programs/entry/describe-entry.ts';
import { type Importable, importableEntries } from '../../programs/import/importable.ts';
import { planTakeOver } from '../../programs/plan/plan-take-over.ts';
import { fileToChange } from '../../programs/plan/plan-use.ts';
import { readFile } from '../../programs/plan/planned-change.ts';
import type { Program } from '../../programs/table/program.ts';
import { newId, type ProgramEngine } from '../../programs/program-engine.ts';
import type { DesktopContext } from '../desktop-context.ts';
import { keepEntry } from '../lists/imported-entry.ts';
import type { WantedChange } from './shown-changes.ts';

/** Characters that are shown of an address or a command. */
const shownLength = 2_000;

/**
 * What stands in a program's file beside the entries of Postern: no value of a header or variable, no argument, no
 * query of an address. Errors: PROGRAM_NOT_FOUND, PROGRAM_FILE_*.
 */
export async function lookAtEntries(
  { openPrograms, ports, imports }: DesktopContext,
  program: Program,
): Promise<IpcOutput<'program:look'>> {
  const engine = await openPrograms();
  const others = await readOthers(engine, program);
  const integrations = await ports.store.list();
  imports.clear();
  return {
    entries: others.map(({ name, server, value }) => {
      const { command, headers, env } = describeEntry(name, value);
      // Of one that goes through mcp-remote, what that leads to.
      const { url } = describeEntry(name, server);
      const secrets = new Set([...headers, ...env, ...(server.headers ?? []).map((header) => header.name)]);
      const place = server.url === undefined ? undefined : { program, name, url: server.url };
      const connected = findConnected(integrations, server.url);
      return {
        ...keepEntry(imports, server, place),
        name: displayText(name),
        kind: server.kind,
        ...(url !== undefined && { url: displayText(url, shownLength) }),
        ...(server.kind === 'local' && command !== undefined && { command: displayText(command, shownLength) }),
        secrets: [...secrets].map((each) => displayText(each)),
        ...(connected && { connectedAs: connected.id, lacksCredential: lacksCredential(connected) }),
      };
    }),
  };
}

/** One of them, replaced by the entry of Postern that leads to the same address. Errors: PROGRAM_FILE_CHANGED. */
export function wantedTakeOver({ ports, programs, imports }: DesktopContext, entry: string): WantedChange {
  const { place, header } = imports.get(entry) ?? {};
  if (!place) throw new PosternError('PROGRAM_FILE_CHANGED', { stage: 'programs' });
  const { program, name, url } = place;
  const record = newId(programs, 8);
  return {
    program,
    // The key of the entry is all that there is, and it goes with the entry.
    async prepare() {
      const integration = findConnected(await ports.store.list(), url);
      if (header && integration) await keepHeaders(ports, integration, header, new AbortController().signal);
    },
    plan: async (engine) => {
      const file = await fileToChange(engine, program);
      const standing = (await readOthers(engine, program)).find((each) => each.name === name);
      const changed = { stage: 'programs', detail: { file: file.path } } as const;
      if (standing?.server.url !== url) throw new PosternError('PROGRAM_FILE_CHANGED', changed);
      const integration = findConnected(await ports.store.list(), url);
      if (!integration) throw new PosternError('NOT_FOUND', { stage: 'app', detail: { count: 0 } });
      return await planTakeOver(engine, program, file, [{ name, integration }], record);
    },
  };
}

async function readOthers(
  engine: ProgramEngine,
  program: Program,
): Promise<readonly (Importable & { readonly value: unknown })[]> {
  const file = await fileToChange(engine, program);
  const { content } = await readFile(engine, program, file);
  const values = new Map(content.entries);
  const others = await importableEntries(engine, file.path, content);
  return others.map((each) => ({ ...each, value: values.get(each.name) }));
}

function findConnected(integrations: readonly Integration[], address: string | undefined): Integration | undefined {
  if (address === undefined) return undefined;
  try {
    const { href } = parseTypedAddress(address);
    return integrations.find(({ url }) => url === href);
  } catch (error) {
    if (!(error instanceof PosternError)) throw error;
    return undefined;
  }
}
