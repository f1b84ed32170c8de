import { randomUUID } from 'node:crypto';
import { isAbout } from '../../shared/error-facts.ts';
import { isKeyHeaderName } from '../../shared/header-name.ts';
import type { Integration, IntegrationOptions } from '../../shared/integration.ts';
import { parseTypedAddress } from '../address/typed-address.ts';
import { findSameCommand, indexCommands, listLocal } from '../engine/connect/connect-local.ts';
import type { CommandIndex } from '../engine/connect/connect-local.ts';
import { connectServer } from '../engine/connect/connect-server.ts';
import { connectWithKey, keepHeaders, lacksCredential } from '../engine/connect/connect-with-key.ts';
import { holdNew } from '../engine/connect/hold-new.ts';
import { inspectServer } from '../engine/connect/inspect-server.ts';
import { withFreeName } from '../engine/connect/new-integration.ts';
import type { EnginePorts } from '../engine/engine-ports.ts';
import { ServerIndex } from '../engine/kept/find-integration.ts';
import { keysOfAddress } from '../engine/kept/seal-plain-secrets.ts';
import { asReadOnce, keysIn, saveAddressKeys } from '../engine/kept/stored-secrets.ts';
import type { SignInInteraction } from '../engine/sign-in/sign-in-interaction.ts';
import { createWorkQueue } from '../engine/work-queue.ts';
import { importsAtOnce } from '../limits.ts';
import { commandHash } from '../local-ports.ts';
import type { FixedHeader } from '../mcp/http/credential-gate.ts';
import type { Http, HttpResponse, RequestPurpose } from '../ports.ts';
import { PosternError } from '../errors/postern-error.ts';
import { fixedHeaders } from '../apps/import/importable.ts';
import type { Importable } from '../apps/import/importable.ts';
import { prepareListed } from '../apps/import/listed-command.ts';
import type { ListedCommand } from '../apps/import/listed-command.ts';
import { UnsentRequest } from '../errors/request-error.ts';
import { splitAddress } from '../secret.ts';

/**
 * What became of an entry: `sign-in` is listed and waits for one, `to-allow` is a command that is listed and that nobody
 * has allowed; `local` and `to-fill-in` were left where they are.
 */
export type Imported =
  | { readonly outcome: 'imported' | 'sign-in' | 'to-allow'; readonly integration: Integration }
  | {
      readonly outcome: 'known';
      readonly integration: Integration;
      /** What became of the entry's own: kept with the integration, which had none, or left for what it has. */
      readonly headers?: 'kept' | 'existing';
    }
  | { readonly outcome: 'local' | 'to-fill-in' }
  | { readonly outcome: 'failed'; readonly error: PosternError };

/** It is listed, and of no use before a person signs in. */
export function waitsForSignIn(imported: Imported): boolean {
  if (imported.outcome === 'sign-in') return true;
  if (imported.outcome !== 'known') return false;
  return imported.integration.state === 'signedOut' && !lacksCredential(imported.integration);
}

export interface ImportEngine {
  readonly ports: EnginePorts;
  readonly options: IntegrationOptions;
  /** For servers that are told of no sign-in, and so ask nobody. */
  readonly interaction: SignInInteraction;
  readonly signal: AbortSignal;
  /** Where the list is, for whoever is to allow a command of it. */
  readonly from: string;
  /** How many entries have been dealt with. */
  readonly onProgress: (done: number) => void;
}

interface EntryEngine extends ImportEngine {
  readonly commands: CommandIndex;
  readonly servers: KnownServers;
}

/** An entry and what became of it. */
interface ImportedEntry {
  readonly entry: Importable;
  readonly imported: Imported;
}

/**
 * Entries under the names that they are to have, all of them in one write, with what was done when something ends it
 * early; nothing where it was cancelled. Several servers are asked at once, those with one address in their order. Errors: those of `importEntry`.
 */
export async function importAll(
  engine: ImportEngine,
  wanted: readonly { readonly entry: Importable; readonly name: string }[],
): Promise<readonly ImportedEntry[]> {
  const { ports: held, write } = await holdNew(engine.ports);
  // A list may have a hundred servers of one service, whose documents are the same for all of them.
  const ports = { ...held, http: askedOnce(held.http) };
  const there = await ports.store.list();
  const each = { ...engine, ports, commands: indexCommands(there), servers: knownServers(there, ports) };
  const fates: Imported[] = [];
  const queue = createWorkQueue(importsAtOnce);
  const failures: unknown[] = [];
  /** By its host: errors in a row of a service that does not answer. */
  const unanswered = new Map<string, PosternError[]>();
  let done = 0;
  const importNext = async (index: number, { entry, name }: (typeof wanted)[number]): Promise<void> => {
    const host = URL.parse(entry.server.url ?? '')?.host ?? '';
    const [error, ...more] = unanswered.get(host) ?? [];
    const fate: Imported =
      error && more.length > 0 ? { outcome: 'failed', error } : await importEntry(each, { ...entry, name });
    const isUnanswered = 'error' in fate && isAbout(fate.error, 'unanswered');
    if (host !== '') unanswered.set(host, isUnanswered ? [...(unanswered.get(host) ?? []), fate.error] : []);
    fates[index] = fate;
    engine.onProgress((done += 1));
  };
  const groups = Map.groupBy(wanted.entries(), ([, { entry }]) => placeOf(entry));
  for (const [place, group] of groups)
    queue.add(place, async () => {
      for (const [index, one] of group) {
        if (failures.length > 0) return;
        try {
          await importNext(index, one);
        } catch (error) {
          failures.push(error);
        }
      }
    });
  await queue.idle();
  if (engine.signal.aborted) throw failures[0] ?? new PosternError('USER_CANCELLED', { stage: 'programs' });
  await write(fates.flatMap((fate) => ('integration' in fate ? [fate.integration.id] : [])));
  if (failures.length > 0) throw failures[0];
  // As they are listed now: names and aliases come with that.
  const listed = new Map((await engine.ports.store.list()).map((integration) => [integration.id, integration]));
  return wanted.flatMap(({ entry }, index) => {
    const fate = fates[index];
    if (!fate) return [];
    const now = 'integration' in fate ? listed.get(fate.integration.id) : undefined;
    return [{ entry, imported: now && 'integration' in fate ? { ...fate, integration: now } : fate }];
  });
}

const documents: readonly RequestPurpose[] = ['protected-resource-metadata', 'authorization-server-metadata'];

/** The same, which asks for each document of a service once. What failed is asked for again. */
function askedOnce(http: Http): Http {
  const answers = new Map<string, Promise<HttpResponse>>();
  return {
    ...http,
    exchange(request) {
      if (!documents.includes(request.purpose)) return http.exchange(request);
      const known = answers.get(request.url);
      if (known) return known;
      const answer = http.exchange(request);
      answers.set(request.url, answer);
      answer.catch(() => answers.delete(request.url));
      return answer;
    },
  };
}

/** Commands ask nobody, and go in their order. */
function placeOf({ server: { url, command } }: Importable): string {
  const address = command ? undefined : URL.parse(url ?? '');
  return address ? splitAddress(address.href).href : '';
}

/**
 * One entry as an integration, by the checks that every address goes through; values of headers go to the vault, under
 * the address that they came with. Errors: what is not about this entry.
 */
async function importEntry(engine: EntryEngine, { name, server }: Importable): Promise<Imported> {
  const { url, command, headers } = server;
  if (hasGaps(server)) return { outcome: 'to-fill-in' };
  try {
    if (command) return await list(engine, name, command);
    if (url === undefined) return { outcome: 'local' };
    const imported = await connect(engine, name, { url, headers });
    const isNews = imported.outcome !== 'known' || imported.headers === 'kept';
    if (isNews && 'integration' in imported) engine.servers.index.put(imported.integration);
    return imported;
  } catch (error) {
    if (!(error instanceof PosternError) || engine.signal.aborted || isOfSettings(error)) throw error;
    return { outcome: 'failed', error };
  }
}

/** It would be the same with every other entry. */
function isOfSettings(error: PosternError): boolean {
  return isAbout(error, 'profile') || isAbout(error, 'bug');
}

interface Remote {
  readonly url: string | undefined;
  readonly headers: Importable['server']['headers'] | undefined;
}

export interface KnownServers {
  readonly index: ServerIndex;
  /** Those that headers of an entry may be for, though they have none. */
  readonly before: ReadonlySet<string>;
}

/** `keysOf`: left out, those in the vault. */
export function knownServers(
  integrations: readonly Integration[],
  { vault }: Pick<EnginePorts, 'vault'>,
  keysOf = keysIn(vault),
): KnownServers {
  return { index: new ServerIndex(integrations, keysOf), before: new Set(integrations.map(({ id }) => id)) };
}

/** What is used with the address and the keys of an entry. Errors: those of `parseTypedAddress`, KC_*, CFG_*. */
async function findServer(
  { index, before }: KnownServers,
  { url = '', headers }: Remote,
): Promise<Integration | undefined> {
  const entry = { address: parseTypedAddress(url), headers: sentHeaders(headers) };
  return await index.findSame(entry, ({ id }) => before.has(id));
}

/** Those of an entry that a server can be sent. */
export function sentHeaders(headers: Importable['server']['headers']): readonly FixedHeader[] {
  const { first, further } = fixedHeaders(headers);
  return first ? [first, ...further] : [];
}

/** Headers of an entry for a connection that is there and has no credential: a person is asked first. */
interface HeadersToGive {
  readonly name: string;
  readonly known: Integration;
  readonly headers: readonly string[];
}

export async function headersToGive(
  entries: readonly Importable[],
  servers: KnownServers,
): Promise<readonly HeadersToGive[]> {
  const given: HeadersToGive[] = [];
  for (const { name, server } of entries.filter(isImportable)) {
    const headers = sentHeaders(server.headers);
    const known = headers.length === 0 ? undefined : await findExpected(servers, server);
    if (known !== undefined && known !== 'nothing' && lacksCredential(known))
      given.push({ name, known, headers: headers.map((header) => header.name) });
  }
  return given;
}

/** The same for an address that was not checked yet. `nothing`: it is none, and will not be connected. */
export async function findExpected(
  servers: KnownServers,
  server: Importable['server'],
): Promise<Integration | 'nothing' | undefined> {
  try {
    parseTypedAddress(server.url ?? '');
  } catch (error) {
    if (!(error instanceof PosternError)) throw error;
    return 'nothing';
  }
  return await findServer(servers, { url: server.url, headers: server.headers });
}

/** Whether it has all that it takes to connect it. */
export function isImportable({ server }: Importable): boolean {
  return server.kind === 'remote' && server.url !== undefined && !hasGaps(server);
}

function hasGaps({ notes }: Importable['server']): boolean {
  return notes.some(
    (note) => note === 'url-to-fill-in' || note === 'header-to-fill-in' || note === 'command-to-fill-in',
  );
}

/** Nothing of it runs: whoever says yes to a list has not said yes to each command in it. */
async function list({ ports, from, commands }: EntryEngine, name: string, listed: ListedCommand): Promise<Imported> {
  const request = { name, ...(await prepareListed(ports, listed, from)) };
  const same = await findSameCommand(ports.vault, request, commands);
  if (same) return { outcome: same.isAllowed ? 'known' : 'to-allow', integration: same.integration };
  const integration = await listLocal(ports, request);
  const hash = commandHash(request.command);
  commands.set(hash, [...(commands.get(hash) ?? []), integration]);
  return { outcome: 'to-allow', integration };
}

async function connect(
  engine: EntryEngine,
  name: string,
  { url, headers }: Remote & { readonly url: string },
): Promise<Imported> {
  const { ports, options, interaction, signal, servers } = engine;
  const { first, further, leftOut } = fixedHeaders(headers);
  const known = await findServer(servers, { url, headers });
  if (known) {
    if (!first) return { outcome: 'known', integration: known };
    const kept = await keepHeaders(ports, known, { ...first, further }, signal);
    return { outcome: 'known', integration: (await ports.store.read(known.id)) ?? known, headers: kept };
  }
  if (first) {
    const keyed = { url, name, options: { ...options, headerName: first.name }, key: first.value, further };
    return { outcome: 'imported', integration: (await connectWithKey(ports, keyed, signal)).integration };
  }
  // Nothing but its key can be what it was used with.
  if (leftOut.some(isKeyHeaderName)) throw new PosternError('API_KEY_INVALID', { stage: 'address' });
  const inspection = await inspectServer(ports, { url, options }, () => {}, signal);
  const { discovery, keys } = inspection;
  if (discovery.method === 'NoAuth') {
    const request = { url, name, options, inspection, surface: 'command-line' };
    return { outcome: 'imported', integration: (await connectServer(ports, request, interaction, signal)).integration };
  }
  const { method } = discovery;
  const id = randomUUID();
  const { url: listed } = keysOfAddress({ url: discovery.url, options });
  await withFreeName(ports, { name, url: listed }, async (freeName) =>
    ports.store.write({
      id,
      name: freeName,
      url: listed,
      method,
      state: 'signedOut',
      createdAt: ports.clock.now(),
      notes: [],
      options: { ...options, ...(await saveAddressKeys(ports.vault, { id, url: listed }, keys)) },
    }),
  );
  const integration = await ports.store.read(id);
  if (!integration) throw new PosternError('NOT_FOUND', { stage: 'settings' });
  return { outcome: 'sign-in', integration };
}

/** Commands of `entries` that were imported before and that a person has allowed, by their entries. */
export async function allowedCommands(
  ports: EnginePorts,
  entries: readonly Importable[],
  from: string,
): Promise<ReadonlyMap<Importable, Integration>> {
  const allowed = new Map<Importable, Integration>();
  const vault = asReadOnce(ports.vault);
  const commands = indexCommands(await ports.store.list());
  for (const entry of entries) {
    const { server } = entry;
    if (!server.command || hasGaps(server)) continue;
    const request = await prepareListed(ports, server.command, from).catch((error: unknown) => {
      // Its program is not on this computer.
      if (error instanceof UnsentRequest) return undefined;
      throw error;
    });
    const same = request && (await findSameCommand(vault, request, commands));
    if (same?.isAllowed) allowed.set(entry, same.integration);
  }
  return allowed;
}
