import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { withAliases } from '../../shared/entry-name.ts';
import type { Integration, IntegrationOptions } from '../../shared/integration.ts';
import { isToFillIn } from '../../shared/pasted/read-pasted.ts';
import { parseTypedAddress } from '../address/typed-address.ts';
import { refuseUnread } from '../apps/entry/entry-decisions.ts';
import { fixedHeaders, importableEntries, sentHeaders } from '../apps/import/importable.ts';
import type { Importable, ImportableList } from '../apps/import/importable.ts';
import type { FileContent } from '../apps/list/entry-list.ts';
import { findKeptOut } from '../apps/plan/kept-out.ts';
import type { KeptOut } from '../apps/plan/kept-out.ts';
import { fileToChange, planTakeOver } from '../apps/plan/plan-use.ts';
import { readFile } from '../apps/plan/planned-change.ts';
import type { PlannedChange } from '../apps/plan/planned-change.ts';
import { newId } from '../apps/program-engine.ts';
import type { ProgramEngine, ProgramsHere } from '../apps/program-engine.ts';
import type { Program } from '../apps/table/program.ts';
import { keepHeaders, lacksCredential } from '../engine/connect/connect-with-key.ts';
import { freeNames } from '../engine/connect/new-integration.ts';
import type { EnginePorts } from '../engine/engine-ports.ts';
import { usesApiKey } from '../engine/kept/api-key.ts';
import type { KeysOf } from '../engine/kept/find-integration.ts';
import { requireAllowed } from '../engine/kept/local-consent.ts';
import { keysIn } from '../engine/kept/stored-secrets.ts';
import { PosternError } from '../errors/postern-error.ts';
import type { FixedHeader } from '../mcp/http/credential-gate.ts';
import type { ProgramFile } from '../program-ports.ts';
import { isSecretName } from '../secret.ts';
import type { WantedChange } from './app-changes.ts';
import { isImportable, ListedServers } from './import.ts';

/** What an app's file lists beside the entries of Postern. */
export interface AppEntries extends ImportableList {
  readonly file: ProgramFile;
  readonly content: FileContent;
  /** Entries of Postern too. */
  readonly keptOut: KeptOut;
}

/** Errors: PROGRAM_NOT_FOUND where the app is not installed, PROGRAM_FILE_*, CFG_*. */
export async function readAppEntries(engine: ProgramEngine, program: Program): Promise<AppEntries> {
  const file = await fileToChange(engine, program);
  const { content } = await readFile(engine, program, file);
  const { entries, unread } = await importableEntries(engine, file.path, content);
  const keptOut = await findKeptOut(engine, program, file, content, content.entries ?? []);
  const withSetting = (entry: Importable): Importable => {
    const setting = entry.server.project === undefined ? keptOut.get(entry.name) : undefined;
    return { ...entry, ...(setting !== undefined && { keptOut: setting }) };
  };
  return { file, content, entries: entries.map(withSetting), unread, keptOut };
}

/** Whether an entry of Postern can take its place: one of a project is elsewhere in the file. */
export function isTakenOver({ server }: Importable): boolean {
  return server.project === undefined && isCarriedOver(server);
}

/** Nothing of the entry would be lost with it. */
export function isCarriedOver({ notes }: Importable['server']): boolean {
  return !notes.includes('members-unread');
}

/** Fields that each client sends as it needs them. */
const ofClient =
  /^(?:accept(?:-\w+)?|connection|content-\w+|host|keep-alive|user-agent|mcp-(?:protocol-version|session-id))$/iu;

/**
 * Names of headers of an entry that `integration` would not be sent: those that no request can have, and with a token all
 * but keys, which the token takes the place of.
 */
export function lostHeaders({ headers }: Importable['server'], integration: Integration): readonly string[] {
  const { leftOut } = fixedHeaders(headers);
  const hasToken = !usesApiKey(integration) && !lacksCredential(integration);
  const unsent = hasToken ? sentHeaders(headers).filter(({ name }) => !isSecretName(name)) : [];
  return [...leftOut.filter((name) => !ofClient.test(name)), ...unsent.map((header) => header.name)];
}

interface TakeOverScope {
  readonly ports: EnginePorts;
  readonly programs: Pick<ProgramsHere, 'random'>;
}

/**
 * Entries of an app, each replaced by one of Postern that leads to what `serverOf` answers for it; one without a server
 * stays. Errors of its plan: PROGRAM_FILE_CHANGED where an entry is no longer as it was read, PROGRAM_FILE_LAYOUT where
 * one has what would be lost, NOT_FOUND where none has a server; of its preparation LOCAL_CONSENT, and those of
 * `keepHeaders`.
 */
export function wantedTakeOver(
  { ports, programs }: TakeOverScope,
  program: Program,
  entries: readonly Importable[],
  serverOf: (entry: Importable) => Promise<Integration | undefined>,
): WantedChange {
  const record = newId(programs, 8);
  return {
    program,
    async prepare() {
      for (const entry of entries) {
        const integration = await serverOf(entry);
        // To the app, a server whose command nobody has allowed would look broken.
        if (integration?.command) await requireAllowed(ports, { ...integration, command: integration.command });
        const { first, further } = fixedHeaders(entry.server.headers);
        // The key of the entry is all that there is, and it goes with the entry.
        if (first && integration)
          await keepHeaders(ports, integration, { ...first, further }, new AbortController().signal);
      }
    },
    async plan(engine) {
      const { file, entries: there } = await readAppEntries(engine, program);
      const taken: { readonly name: string; readonly integration: Integration }[] = [];
      for (const entry of entries) {
        const { name, server } = entry;
        const standing = there.find((each) => each.name === name && each.server.project === server.project);
        if (server.project !== undefined || !isDeepStrictEqual(standing?.server, server))
          throw new PosternError('PROGRAM_FILE_CHANGED', { stage: 'programs', detail: { file: file.path } });
        refuseUnread(file.path, name, server.decisions);
        const integration = await serverOf(entry);
        if (!integration) continue;
        refuseUnread(file.path, name, { unread: lostHeaders(server, integration) });
        taken.push({ name, integration });
      }
      if (taken.length === 0) throw new PosternError('NOT_FOUND', { stage: 'app', detail: { count: 0 } });
      return await planTakeOver(engine, program, file, taken, record);
    },
  };
}

/** Whether nothing comes of it but what was shown, for as many of the entries as were connected. */
export function isPartOf(shown: PlannedChange, { before, way, edits }: PlannedChange): boolean {
  const isShown = edits.every((edit) => shown.edits.some((each) => isDeepStrictEqual(each, edit)));
  return isShown && before === shown.before && way === shown.way;
}

/** What an entry will become when it is imported. */
export interface Expected {
  readonly entry: Importable;
  /** With the name and alias that it will have, of which an entry of an app shows the alias. */
  readonly integration: Integration;
  /** It is there already. */
  readonly known: Integration | undefined;
  /** Names of the headers that come with the entry. */
  readonly headers: readonly string[];
}

/**
 * The servers that `entries` of an app lead to once they are imported, in the order in which they are: the one that is
 * there for an address or an allowed command, else one that is not there yet. What is not imported is left out. Where the
 * first of two with one address cannot be connected, the second has that name all the same, since its entry was shown to
 * lead there. Errors: KC_*, CFG_*.
 */
export async function expectServers(
  ports: EnginePorts,
  entries: readonly Importable[],
  options: IntegrationOptions,
): Promise<readonly Expected[]> {
  const integrations = await ports.store.list();
  const before = new Map(integrations.map((each) => [each.id, each]));
  const fresh: Integration[] = [];
  const nameFor = freeNames(integrations);
  /** Headers that come with an entry, by the id of what will have them. */
  const coming = new Map<string, readonly FixedHeader[]>();
  const inVault = keysIn(ports.vault);
  const keysOf: KeysOf = async (integration) => coming.get(integration.id) ?? (await inVault(integration));
  const servers = new ListedServers(ports, integrations, keysOf);
  const expected: Expected[] = [];
  for (const entry of entries) {
    const { name, server } = entry;
    if (isToFillIn(server.notes)) continue;
    const found = await servers.find(server);
    const there = found.kind === 'here' && found.isAllowed ? found.integration : undefined;
    if (!there && !(found.kind === 'new' && isImportable(entry))) continue;
    const sent = sentHeaders(server.headers);
    const headers = sent.map((header) => header.name);
    const [headerName] = headers;
    const known = there && before.get(there.id);
    const integration = there ?? newIntegration({ name, address: server.url ?? '', options }, nameFor);
    if (!there) fresh.push(integration);
    expected.push({ entry, integration, known, headers });
    const takes = !there || (known !== undefined && !coming.has(known.id) && lacksCredential(known));
    const isKeyed = takes && headerName !== undefined;
    if (isKeyed) coming.set(integration.id, sent);
    if (isKeyed) servers.index.put({ ...integration, options: { ...integration.options, headerName } });
    else if (!there) servers.index.put(integration);
  }
  const listed = new Map(withAliases([...integrations, ...fresh]).map((each) => [each.id, each]));
  return expected.map((each) => ({ ...each, integration: listed.get(each.integration.id) ?? each.integration }));
}

/** As it will be listed, as far as an entry shows it. */
function newIntegration(
  { name: wanted, address, options }: { name: string; address: string; options: IntegrationOptions },
  nameFor: ReturnType<typeof freeNames>,
): Integration {
  const { href: url } = parseTypedAddress(address);
  const name = nameFor({ name: wanted, url });
  return { id: randomUUID(), name, url, method: 'NoAuth', state: 'signedOut', createdAt: 0, notes: [], options };
}
