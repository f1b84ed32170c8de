import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { withAliases } from '../../shared/entry-name.ts';
import type { Integration, IntegrationOptions } from '../../shared/integration.ts';
import { needsUserInput } from '../../shared/pasted/read-pasted.ts';
import { parseTypedAddress } from '../address/typed-address.ts';
import { refuseUnsupported } from '../apps/entry/entry-settings.ts';
import { fixedHeaders, importableEntries, sentHeaders } from '../apps/import/importable.ts';
import type { Importable, ImportableList } from '../apps/import/importable.ts';
import type { FileContent } from '../apps/list/entry-list.ts';
import { findExcludedEntries } from '../apps/plan/excluded-entries.ts';
import type { ExcludedEntries } from '../apps/plan/excluded-entries.ts';
import { fileToChange, planTakeOver } from '../apps/plan/plan-use.ts';
import { readAppFile } from '../apps/plan/planned-change.ts';
import type { PlannedChange } from '../apps/plan/planned-change.ts';
import { newId } from '../apps/app-dependencies.ts';
import type { AppDependencies, AppReader } from '../apps/app-dependencies.ts';
import type { App } from '../apps/table/app.ts';
import { saveHeaders, lacksCredential } from '../engine/connect/connect-with-key.ts';
import { freeNames } from '../engine/connect/with-free-name.ts';
import type { EnginePorts } from '../engine/engine-ports.ts';
import { usesApiKey } from '../engine/records/api-key.ts';
import type { KeysOf } from '../engine/records/find-integration.ts';
import { requireAllowed } from '../engine/records/local-consent.ts';
import { keysIn } from '../engine/records/stored-secrets.ts';
import { PosternError } from '../errors/postern-error.ts';
import type { FixedHeader } from '../mcp/http/credential-gate.ts';
import { AppFileFault } from '../app-ports.ts';
import type { AppFile } from '../app-ports.ts';
import { isSecretName } from '../secret.ts';
import type { ProposedChange } from './app-changes.ts';
import { isImportable, ListedServers, sameServers } from './import.ts';

/** Entries of an app's file other than Postern's. */
interface AppEntries extends ImportableList {
  readonly file: AppFile;
  readonly content: FileContent;
  /** Includes Postern's own entries. */
  readonly excludedBy: ExcludedEntries;
}

/** Errors: APP_NOT_FOUND if the app is not installed, APP_FILE_*, CFG_*. */
export async function readAppEntries(engine: AppDependencies, app: App): Promise<AppEntries> {
  const file = await fileToChange(engine, app);
  const { content } = await readAppFile(engine, app, file);
  const { entries, unreadable } = await importableEntries(engine, file.path, content);
  const excludedBy = await findExcludedEntries(engine, app, file, content, content.entries ?? []);
  const withSetting = (entry: Importable): Importable => {
    const setting = entry.server.project === undefined ? excludedBy.get(entry.name) : undefined;
    return { ...entry, ...(setting !== undefined && { excludedBy: setting }) };
  };
  return { file, content, entries: entries.map(withSetting), unreadable, excludedBy };
}

/** New servers in apps' files. */
interface CountedServers {
  /** Each counted once, however many apps have it. */
  readonly servers: number;
  /** Ids of the apps that have them. */
  readonly apps: string[];
}

/** Files that cannot be read are skipped. Errors: KC_*, CFG_*. */
export async function countNewServers(
  engine: AppDependencies,
  apps: readonly App[],
  listed: ListedServers,
): Promise<CountedServers> {
  const found: { readonly app: string; readonly server: Importable['server'] }[] = [];
  for (const app of apps) {
    const entries = await readAppEntries(engine, app).then(
      (read) => read.entries,
      (error: unknown) => {
        if (error instanceof PosternError || error instanceof AppFileFault) return [];
        throw error;
      },
    );
    for (const { server } of entries)
      if ((await listed.find(server)).kind === 'new') found.push({ app: app.id, server });
  }
  const commands = new Set(found.flatMap(({ server }) => (server.command ? [JSON.stringify(server.command)] : [])));
  const remote = found.filter(({ server }) => !server.command);
  return {
    servers: commands.size + remote.length - sameServers(remote).size,
    apps: [...new Set(found.map(({ app }) => app))],
  };
}

/** True if a Postern entry can replace it; a project's entry is elsewhere in the file. */
export function canBeTakenOver({ server }: Importable): boolean {
  return server.project === undefined && isFullyRead(server);
}

/** True if replacing the entry loses nothing. */
export function isFullyRead({ notes }: Importable['server']): boolean {
  return !notes.includes('members-unsupported');
}

/** Headers that each client sets itself. */
const clientHeaders =
  /^(?:accept(?:-\w+)?|connection|content-\w+|host|keep-alive|user-agent|mcp-(?:protocol-version|session-id))$/iu;

/**
 * Names of an entry's headers that would not be sent for `integration`: those no request may have, and with a token all
 * except keys, which the token replaces.
 */
export function lostHeaders({ headers }: Importable['server'], integration: Integration): readonly string[] {
  const { leftOut } = fixedHeaders(headers);
  const hasToken = !usesApiKey(integration) && !lacksCredential(integration);
  const unsent = hasToken ? sentHeaders(headers).filter(({ name }) => !isSecretName(name)) : [];
  return [...leftOut.filter((name) => !clientHeaders.test(name)), ...unsent.map((header) => header.name)];
}

interface TakeOverScope {
  readonly ports: EnginePorts;
  readonly apps: Pick<AppReader, 'random'>;
}

/**
 * Replaces an app's entries with Postern entries for the servers that `serverOf` returns; an entry without a server
 * stays. Errors of its plan: APP_FILE_CHANGED if an entry has changed since it was read, APP_FILE_LAYOUT if something
 * would be lost, NOT_FOUND if none has a server; of its preparation: LOCAL_CONSENT, and those of `saveHeaders`.
 */
export function proposeTakeOver(
  { ports, apps }: TakeOverScope,
  app: App,
  entries: readonly Importable[],
  serverOf: (entry: Importable) => Promise<Integration | undefined>,
): ProposedChange {
  const record = newId(apps, 8);
  return {
    app,
    async prepare() {
      for (const entry of entries) {
        const integration = await serverOf(entry);
        // To the app, a server whose command is not allowed would look broken.
        if (integration?.command) await requireAllowed(ports, { ...integration, command: integration.command });
        const { first, further } = fixedHeaders(entry.server.headers);
        // The entry contains the only copy of the key.
        if (first && integration)
          await saveHeaders(ports, integration, { ...first, further }, new AbortController().signal);
      }
    },
    async plan(engine) {
      const { file, entries: currentEntries } = await readAppEntries(engine, app);
      const replaced: { readonly name: string; readonly integration: Integration }[] = [];
      for (const entry of entries) {
        const { name, server } = entry;
        const current = currentEntries.find((each) => each.name === name && each.server.project === server.project);
        if (server.project !== undefined || !isDeepStrictEqual(current?.server, server))
          throw new PosternError('APP_FILE_CHANGED', { stage: 'apps', detail: { file: file.path } });
        refuseUnsupported(file.path, name, server.settings);
        const integration = await serverOf(entry);
        if (!integration) continue;
        refuseUnsupported(file.path, name, { unsupported: lostHeaders(server, integration) });
        replaced.push({ name, integration });
      }
      if (replaced.length === 0) throw new PosternError('NOT_FOUND', { stage: 'postern', detail: { count: 0 } });
      return await planTakeOver(engine, app, file, replaced, record);
    },
  };
}

/** True if it only makes changes that were shown, for as many entries as were connected. */
export function isSubsetOf(shown: PlannedChange, { before, method, edits }: PlannedChange): boolean {
  const isShown = edits.every((edit) => shown.edits.some((each) => isDeepStrictEqual(each, edit)));
  return isShown && before === shown.before && method === shown.method;
}

/** The server that an entry will become. */
interface ExpectedServer {
  readonly entry: Importable;
  /** With its future name and alias; an app's entry shows the alias. */
  readonly integration: Integration;
  /** The listed server, if it exists. */
  readonly known: Integration | undefined;
  /** Names of the entry's headers. */
  readonly headers: readonly string[];
}

/**
 * Predicts the servers that an app's entries will point to once imported, in entry order: the listed one for an address
 * or allowed command, else a new one. Entries that are not imported are left out. If the first of two entries with one
 * address cannot be connected, the second still gets its name, since that was shown. Errors: KC_*, CFG_*.
 */
export async function expectServers(
  ports: EnginePorts,
  entries: readonly Importable[],
  options: IntegrationOptions,
): Promise<readonly ExpectedServer[]> {
  const integrations = await ports.store.list();
  const before = new Map(integrations.map((each) => [each.id, each]));
  const newServers: Integration[] = [];
  const nameFor = freeNames(integrations);
  /** Headers that entries bring, by the server's ID. */
  const assigned = new Map<string, readonly FixedHeader[]>();
  const vaultKeys = keysIn(ports.vault);
  const keysOf: KeysOf = async (integration) => assigned.get(integration.id) ?? (await vaultKeys(integration));
  const servers = new ListedServers(ports, integrations, keysOf);
  const expected: ExpectedServer[] = [];
  for (const entry of entries) {
    const { name, server } = entry;
    if (needsUserInput(server.notes)) continue;
    const found = await servers.find(server);
    const current = found.kind === 'listed' && found.isAllowed ? found.integration : undefined;
    if (!current && !(found.kind === 'new' && isImportable(entry))) continue;
    const sent = sentHeaders(server.headers);
    const headers = sent.map((header) => header.name);
    const [headerName] = headers;
    const known = current && before.get(current.id);
    const integration = current ?? newIntegration({ name, address: server.url ?? '', options }, nameFor);
    if (!current) newServers.push(integration);
    expected.push({ entry, integration, known, headers });
    const getsHeaders = !current || (known !== undefined && !assigned.has(known.id) && lacksCredential(known));
    const isKeyed = getsHeaders && headerName !== undefined;
    if (isKeyed) assigned.set(integration.id, sent);
    if (isKeyed) servers.index.put({ ...integration, options: { ...integration.options, headerName } });
    else if (!current) servers.index.put(integration);
  }
  const listed = new Map(withAliases([...integrations, ...newServers]).map((each) => [each.id, each]));
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
