import { randomUUID } from 'node:crypto';
import { isAbout } from '../../shared/error-facts.ts';
import { isKeyHeaderName } from '../../shared/header-name.ts';
import type { Integration, IntegrationOptions } from '../../shared/integration.ts';
import { isToFillIn } from '../../shared/pasted/read-pasted.ts';
import { checkAddress } from '../address/check-address.ts';
import { classifyHost } from '../address/host.ts';
import { parseTypedAddress } from '../address/typed-address.ts';
import { fixedHeaders, sentHeaders } from '../apps/import/importable.ts';
import type { Importable } from '../apps/import/importable.ts';
import type { ListedServer } from '../apps/import/listed-server.ts';
import { needsInput, prepareListedCommand } from '../apps/import/listed-command.ts';
import type { ListedCommand } from '../apps/import/listed-command.ts';
import { findSameCommand, indexCommand, indexCommands, importLocal } from '../engine/connect/connect-local.ts';
import type { CommandIndex } from '../engine/connect/connect-local.ts';
import { saveHeaders, lacksCredential } from '../engine/connect/connect-with-key.ts';
import { openServerBatch } from '../engine/connect/server-batch.ts';
import type { ServerBatch } from '../engine/connect/server-batch.ts';
import { inspectServer } from '../engine/connect/inspect-server.ts';
import { withFreeName } from '../engine/connect/with-free-name.ts';
import type { EnginePorts } from '../engine/engine-ports.ts';
import { ServerIndex, signatureOf } from '../engine/records/find-integration.ts';
import type { KeysOf } from '../engine/records/find-integration.ts';
import { integrationPolicy } from '../engine/records/integration-policy.ts';
import { keysOfAddress } from '../engine/records/address-keys.ts';
import { readVaultOnce, keysIn, saveAddressKeys } from '../engine/records/stored-secrets.ts';
import type { Flow } from '../engine/sign-in/flow.ts';
import { createWorkQueue, pause, untilAborted } from '../engine/work-queue.ts';
import { isCancellation, PosternError } from '../errors/postern-error.ts';
import { UnsentRequest } from '../errors/request-error.ts';
import { deadline, importing } from '../limits.ts';
import type { Http, HttpResponse, RequestPurpose } from '../ports.ts';
import { splitAddress } from '../secret.ts';
import { connect, discover, needsNoConfirmation, loadKnownOptions } from './connect.ts';
import type { SignInScope, WantedServer } from './connect.ts';
import type { User } from './operation.ts';

/**
 * Outcome of an entry: `sign-in` was listed and needs a sign-in; `to-allow` is a listed command that the user has to
 * allow; `local` and `to-fill-in` were skipped.
 */
export type ImportResult =
  | { readonly outcome: 'imported' | 'sign-in' | 'to-allow'; readonly integration: Integration }
  | {
      readonly outcome: 'known';
      readonly integration: Integration;
      /** The entry's headers: stored with the integration, which had none, or ignored in favor of the existing ones. */
      readonly headers?: 'kept' | 'existing';
    }
  | { readonly outcome: 'local' | 'to-fill-in' }
  | { readonly outcome: 'failed'; readonly error: PosternError };

/** Listed, but unusable until the user signs in. */
export function waitsForSignIn(imported: ImportResult): boolean {
  if (imported.outcome === 'sign-in') return true;
  if (imported.outcome !== 'known') return false;
  return imported.integration.state === 'signedOut' && !lacksCredential(imported.integration);
}

/** Scope for an entry that the user follows: it pauses where the user has to decide. */
export interface FollowedScope extends SignInScope {
  readonly flow: Flow;
}

type EntryScope = FollowedScope | (SignInScope & { readonly flow?: undefined });

/** `undefined`: it is waiting for the user. */
type EntryWork<Scope> = (scope: Scope) => Promise<ImportResult | undefined>;

/**
 * `user`: for servers without a sign-in, so it only gets steps; a server with one is listed and waits. `follow`:
 * instead runs each entry as an attempt of its own, which the user sees, cancels and continues.
 */
type ImportUser =
  | { readonly user: Required<Pick<User, 'signIn'>>; readonly follow?: undefined }
  | {
      readonly follow: (
        entry: Importable,
        ports: EnginePorts,
        work: EntryWork<FollowedScope>,
      ) => Promise<ImportResult | undefined>;
    };

export type ImportEngine = ImportUser & {
  readonly ports: EnginePorts;
  readonly surface: string;
  readonly signal: AbortSignal;
  /** Where the list is, shown when the user has to allow one of its commands. */
  readonly from: string;
  /** Gets the number of processed entries. */
  readonly onProgress: (done: number) => void;
};

type EntryEngine = ImportEngine & {
  /** Errors of hosts that do not exist. */
  readonly hostErrors: ReadonlyMap<string, PosternError>;
  readonly servers: ListedServers;
};

/** An entry and its future name. */
export interface WantedEntry {
  readonly entry: Importable;
  readonly name: string;
  readonly options: IntegrationOptions;
}

export interface ImportedEntry {
  readonly entry: Importable;
  readonly imported: ImportResult;
}

/**
 * Connects entries: several in parallel, those with one address in order. If the user follows them, each is stored at
 * once; otherwise they are stored together, every `importing.writeInterval` milliseconds and when the import ends
 * early. Returns the outcomes of processed entries that are not waiting for the user. Errors: those of `importEntry`.
 */
export async function importAll(
  engine: ImportEngine,
  wanted: readonly WantedEntry[],
): Promise<readonly ImportedEntry[]> {
  const { ports: held, write } = engine.follow ? unbatched(engine.ports) : await openServerBatch(engine.ports);
  // A list may have a hundred servers of one service with the same metadata documents.
  const ports = { ...held, http: withSharedDocuments(held.http, engine.signal) };
  const there = await ports.store.list();
  const hostErrors = new Map<string, PosternError>();
  // Existing servers only get headers if the user consented to that list.
  const takers = engine.follow ? [] : there;
  const each = { ...engine, ports, servers: new ListedServers(ports, there, undefined, takers), hostErrors };
  const results: (ImportResult | undefined)[] = [];
  const queue = createWorkQueue(importing.concurrent);
  const lookups = createWorkQueue(importing.lookups);
  const failures: unknown[] = [];
  /** Consecutive errors of an unresponsive service, by host. */
  const unanswered = new Map<string, PosternError[]>();
  let done = 0;
  let written = ports.clock.monotonic();
  let writing: Promise<void> = Promise.resolve();
  const writeFinished = (): Promise<void> => {
    written = ports.clock.monotonic();
    writing = writing.then(() =>
      write(results.flatMap((fate) => (fate && 'integration' in fate ? [fate.integration.id] : []))),
    );
    return writing;
  };
  const isOver = (): boolean => failures.length > 0 || engine.signal.aborted;
  const importNext = async (index: number, one: WantedEntry): Promise<void> => {
    const host = hostOf(one.entry.server.url);
    const [error, ...more] = unanswered.get(host) ?? [];
    const fate: ImportResult | undefined =
      error && more.length > 0 ? { outcome: 'failed', error } : await importEntry(each, one);
    const isUnanswered = fate && 'error' in fate && isAbout(fate.error, 'unanswered');
    if (host !== '') unanswered.set(host, isUnanswered ? [...(unanswered.get(host) ?? []), fate.error] : []);
    results[index] = fate;
    engine.onProgress((done += 1));
    if (ports.clock.monotonic() - written >= importing.writeInterval) await writeFinished();
  };
  const groups = Map.groupBy(wanted.entries(), ([, { entry }]) => groupKey(entry));
  const importGroup = async (group: readonly (readonly [number, WantedEntry])[]): Promise<void> => {
    try {
      for (const [index, one] of group) {
        if (isOver()) return;
        await importNext(index, one);
      }
    } catch (error) {
      failures.push(error);
    }
  };
  const lookUp = createLookup(engine);
  for (const [host, places] of Map.groupBy(groups, ([place]) => hostOf(place)))
    lookups.add(host, async () => {
      const first = places[0]?.[1][0]?.[1];
      const error = isOver() || !first ? undefined : await lookUp(places[0]?.[0] ?? '', first.options);
      if (error) hostErrors.set(host, error);
      for (const [place, group] of places) queue.add(place, () => importGroup(group));
    });
  await lookups.idle();
  await queue.idle();
  await writeFinished();
  if (failures.length > 0 && !engine.signal.aborted) throw failures[0];
  // Re-read, since names and aliases are assigned on writing.
  const listed = new Map((await engine.ports.store.list()).map((integration) => [integration.id, integration]));
  return wanted.flatMap(({ entry }, index) => {
    const fate = results[index];
    if (!fate) return [];
    const now = 'integration' in fate ? listed.get(fate.integration.id) : undefined;
    return [{ entry, imported: now && 'integration' in fate ? { ...fate, integration: now } : fate }];
  });
}

function hostOf(url = ''): string {
  return URL.parse(url)?.host ?? '';
}

/**
 * Looks up hosts before any request: few requests run at once, and an unknown name can take a resolver seconds. Returns
 * why a name was not found. If the resolver answered none of many, the rest is not looked up.
 */
function createLookup({ ports: { http, clock }, signal }: ImportEngine) {
  async function locate(place: string, options: IntegrationOptions): Promise<void> {
    const { href } = parseTypedAddress(place);
    const url = checkAddress(new URL(href), integrationPolicy(href, options), 'probe');
    // Without a typed host in the policy, so that it is looked up.
    const unnamed = { local: options.local, typedHost: '', allowedHosts: [], allowHttp: false };
    await http.resolveHost({
      purpose: 'probe',
      stage: 'probe',
      url,
      policy: unnamed,
      signal,
      deadline: deadline.discovery,
    });
  }
  let unanswered: PosternError[] = [];
  let turn = 0;
  return async (place: string, options: IntegrationOptions): Promise<PosternError | undefined> => {
    if (classifyHost(URL.parse(place)?.hostname ?? '') !== 'name') return undefined;
    if (unanswered.length >= importing.lookups) return unanswered[0];
    const wait = turn - clock.monotonic();
    if (turn > 0) turn = Math.max(turn, clock.monotonic()) + importing.lookupInterval;
    if (wait > 0) await pause(clock, wait);
    const began = clock.monotonic();
    const error = await locate(place, options).then(
      () => undefined,
      (reason: unknown) => (reason instanceof UnsentRequest && isAbout(reason, 'unanswered') ? reason : undefined),
    );
    if (turn === 0 && clock.monotonic() - began >= importing.slowLookup) turn = clock.monotonic();
    unanswered = error && error.fault !== 'name-not-found' ? [...unanswered, error] : [];
    return error;
  };
}

const documents: readonly RequestPurpose[] = ['protected-resource-metadata', 'authorization-server-metadata'];

/** Stores each server immediately, not in a batch. */
function unbatched(ports: EnginePorts): ServerBatch {
  return { ports, write: async () => {} };
}

/** Requests each metadata document of a service once, until `signal` aborts. Failed ones are requested again. */
function withSharedDocuments(http: Http, signal: AbortSignal): Http {
  const answers = new Map<string, Promise<HttpResponse>>();
  return {
    ...http,
    async exchange(request) {
      if (!documents.includes(request.purpose)) return await http.exchange(request);
      // The policy is part of the key: not every server may request local addresses.
      const key = `${request.policy.local} ${request.url}`;
      const known = answers.get(key);
      // This entry waits for another entry's request.
      const goOn = known && request.onWait?.();
      const answer = known ?? http.exchange({ ...request, signal });
      if (!known) {
        answers.set(key, answer);
        answer.catch(() => answers.delete(key));
      }
      // Stopping one entry must not end what others wait for.
      const own = request.signal ?? signal;
      return await untilAborted(answer, own)
        .catch((error: unknown) => {
          throw own.aborted ? new PosternError('USER_CANCELLED', { stage: request.stage, cause: error }) : error;
        })
        .finally(goOn);
    },
  };
}

/** Commands send no requests and run in order, as one group. */
function groupKey({ server: { url, command } }: Importable): string {
  const address = command ? undefined : URL.parse(url ?? '');
  return address ? splitAddress(address.href).href : '';
}

/**
 * Imports one entry with the checks of every address. Header values go to the vault, under the address they came with.
 * Errors: those not specific to this entry.
 */
async function importEntry(engine: EntryEngine, wanted: WantedEntry): Promise<ImportResult | undefined> {
  const { entry, name } = wanted;
  const { url, command, headers, notes } = entry.server;
  if (isToFillIn(notes)) return { outcome: 'to-fill-in' };
  try {
    if (command) return await addCommand(engine, name, command);
    if (url === undefined) return { outcome: 'local' };
    const known = await engine.servers.findRemote({ url, headers });
    const imported = known
      ? await useExisting(engine, known, headers)
      : await attempt(engine, entry, (scope) => connectEntry(engine, scope, wanted, url));
    const isNews = imported && (imported.outcome !== 'known' || imported.headers === 'kept');
    if (isNews && 'integration' in imported) engine.servers.index.put(imported.integration);
    return imported;
  } catch (error) {
    if (!(error instanceof PosternError) || engine.signal.aborted || isSystemic(error)) throw error;
    // The user cancelled this entry alone: it waits as before.
    if (engine.follow && isCancellation(error)) return undefined;
    return { outcome: 'failed', error };
  }
}

async function attempt(
  engine: EntryEngine,
  entry: Importable,
  work: EntryWork<EntryScope>,
): Promise<ImportResult | undefined> {
  const { ports, signal } = engine;
  return engine.follow ? await engine.follow(entry, ports, work) : await work({ ports, user: engine.user, signal });
}

/** Errors that would affect every other entry too. */
function isSystemic(error: PosternError): boolean {
  return isAbout(error, 'profile') || isAbout(error, 'bug');
}

interface Remote {
  readonly url: string | undefined;
  readonly headers: Importable['server']['headers'] | undefined;
}

/** How an entry matches what is listed. */
type ListedMatch =
  | {
      readonly kind: 'here';
      readonly integration: Integration;
      /** Whether its command may run; true without one. */
      readonly isAllowed: boolean;
    }
  | { readonly kind: 'new' }
  /** An invalid address, or a command that cannot run here: it will not be connected. */
  | { readonly kind: 'unusable' };

/**
 * Listed servers by the addresses, commands and keys of entries. The vault is read once, on demand. `keysOf`: defaults
 * to the keys in the vault. `takers`: servers without headers that an entry's headers may go to; defaults to all.
 */
export class ListedServers {
  readonly index: ServerIndex;
  readonly commands: CommandIndex;
  readonly #ports: Pick<EnginePorts, 'local'>;
  readonly #vault: ReturnType<typeof readVaultOnce>;
  readonly #takers: ReadonlySet<string>;

  constructor(
    ports: Pick<EnginePorts, 'vault' | 'local'>,
    integrations: readonly Integration[],
    keysOf: KeysOf = keysIn(ports.vault),
    takers: readonly Integration[] = integrations,
  ) {
    this.index = new ServerIndex(integrations, keysOf);
    this.commands = indexCommands(integrations);
    this.#ports = ports;
    this.#vault = readVaultOnce(ports.vault);
    this.#takers = new Set(takers.map(({ id }) => id));
  }

  /** Finds an entry by address and keys, or by command and values. Errors: KC_*, CFG_*. */
  async find({ url, headers, command }: ListedServer): Promise<ListedMatch> {
    if (command) return await this.#findCommand(command);
    const address = addressOf(url);
    if (!address) return { kind: 'unusable' };
    const integration = await this.#findAddress(address, headers);
    return integration ? { kind: 'here', integration, isAllowed: true } : { kind: 'new' };
  }

  /** The same for an address. Errors: those of `parseTypedAddress`, KC_*, CFG_*. */
  async findRemote({ url = '', headers }: Remote): Promise<Integration | undefined> {
    return await this.#findAddress(parseTypedAddress(url), headers);
  }

  async #findAddress(address: URL, headers: Remote['headers']): Promise<Integration | undefined> {
    return await this.index.findSame({ address, headers: sentHeaders(headers) }, ({ id }) => this.#takers.has(id));
  }

  async #findCommand(command: ListedCommand): Promise<ListedMatch> {
    if (needsInput(command)) return { kind: 'unusable' };
    if (this.commands.size === 0) return { kind: 'new' };
    const prepared = await prepareListedCommand(this.#ports, command, '').catch((error: unknown) => {
      // Its executable is not on this computer.
      if (error instanceof UnsentRequest) return undefined;
      throw error;
    });
    if (!prepared) return { kind: 'unusable' };
    const same = await findSameCommand(this.#vault, prepared, this.commands);
    return same ? { kind: 'here', ...same } : { kind: 'new' };
  }
}

/** `undefined`: not a valid address. */
function addressOf(url = ''): URL | undefined {
  try {
    return parseTypedAddress(url);
  } catch (error) {
    if (!(error instanceof PosternError)) throw error;
    return undefined;
  }
}

/** True if it has keys in headers or address: with other keys it is another server. */
export function bringsKeys({ url, headers }: ListedServer): boolean {
  const address = url === undefined ? undefined : addressOf(url);
  if (!address) return false;
  return sentHeaders(headers).length > 0 || splitAddress(address.href).parts.length > 0;
}

/** An earlier entry that becomes the same server. */
interface SameServer<Entry> {
  readonly first: Entry;
  /** False: it has no headers and uses the earlier entry's. */
  readonly hasSameHeaders: boolean;
}

/** Entries with the address of an earlier one and no other keys, in order. */
export function sameServers<Entry extends { readonly server: ListedServer }>(
  entries: readonly Entry[],
): ReadonlyMap<Entry, SameServer<Entry>> {
  /** By address, then by headers. */
  const before = new Map<string, Map<string, Entry>>();
  const same = new Map<Entry, SameServer<Entry>>();
  for (const entry of entries) {
    const { url, headers } = entry.server;
    const address = url === undefined ? undefined : addressOf(url);
    if (!address) continue;
    const sent = sentHeaders(headers);
    const signature = signatureOf(sent);
    const alike = before.get(address.href) ?? new Map<string, Entry>();
    before.set(address.href, alike);
    const exact = alike.get(signature);
    const [first] = sent.length === 0 ? alike.values() : [];
    if (exact) same.set(entry, { first: exact, hasSameHeaders: true });
    else if (first) same.set(entry, { first, hasSameHeaders: false });
    else alike.set(signature, entry);
  }
  return same;
}

/** Headers of an entry for an existing server without a credential: the user is asked first. */
interface HeadersForExisting {
  readonly name: string;
  readonly known: Integration;
  readonly headers: readonly string[];
}

export async function headersForExisting(
  entries: readonly Importable[],
  servers: ListedServers,
): Promise<readonly HeadersForExisting[]> {
  const given: HeadersForExisting[] = [];
  for (const { name, server } of entries.filter(isImportable)) {
    const headers = sentHeaders(server.headers);
    const found = headers.length === 0 ? undefined : await servers.find(server);
    if (found?.kind === 'here' && lacksCredential(found.integration))
      given.push({ name, known: found.integration, headers: headers.map((header) => header.name) });
  }
  return given;
}

/** True if the entry is complete enough to connect. */
export function isImportable({ server }: Importable): boolean {
  return server.kind === 'remote' && server.url !== undefined && !isToFillIn(server.notes);
}

/** Lists a command without running it: consent to a list is not consent to each command. */
async function addCommand(
  { ports, from, servers }: EntryEngine,
  name: string,
  listed: ListedCommand,
): Promise<ImportResult> {
  const request = { name, ...(await prepareListedCommand(ports, listed, from)) };
  const same = await findSameCommand(ports.vault, request, servers.commands);
  if (same) return { outcome: same.isAllowed ? 'known' : 'to-allow', integration: same.integration };
  const integration = await importLocal(ports, request);
  indexCommand(servers.commands, integration, request.command);
  return { outcome: 'to-allow', integration };
}

/** Gives an entry's headers to a listed server that has none. */
async function useExisting(
  { ports, signal }: EntryEngine,
  known: Integration,
  headers: Remote['headers'],
): Promise<ImportResult> {
  const { first, further } = fixedHeaders(headers);
  if (!first) return { outcome: 'known', integration: known };
  const kept = await saveHeaders(ports, known, { ...first, further }, signal);
  return { outcome: 'known', integration: (await ports.store.read(known.id)) ?? known, headers: kept };
}

async function connectEntry(
  { surface, hostErrors }: EntryEngine,
  scope: EntryScope,
  { entry, name, options: chosen }: WantedEntry,
  url: string,
): Promise<ImportResult | undefined> {
  const { ports, signal, flow } = scope;
  const options = { ...chosen, ...(await loadKnownOptions())(url) };
  const { first, further, leftOut } = fixedHeaders(entry.server.headers);
  const gone = hostErrors.get(hostOf(url));
  if (gone) throw gone;
  // Without its key the server cannot be used.
  if (!first && leftOut.some(isKeyHeaderName)) throw new PosternError('API_KEY_INVALID', { stage: 'address' });
  const wanted = { url, name, surface, ...(flow && { flow, listedKeys: sentHeaders(entry.server.headers) }) };
  const use = async (more: Pick<WantedServer, 'options' | 'key' | 'inspection'>): Promise<ImportResult> => {
    const { integration, isListed } = await connect(scope, { ...wanted, ...more });
    return { outcome: isListed ? 'known' : 'imported', integration };
  };
  const key = first && { value: first.value, further };
  const keyed = { options: { ...options, headerName: first?.name }, key };
  if (flow) {
    // `isTyped`: the user can correct the address.
    const inspection = await discover(scope, { url, options, isTyped: true, bringsKey: key !== undefined, flow });
    if (!needsNoConfirmation(inspection.discovery, options)) return undefined;
    if (key) return await use(keyed);
    return inspection.open ? await use({ options, inspection }) : undefined;
  }
  if (key) return await use(keyed);
  const inspection = await inspectServer(ports, { url, options }, () => {}, signal);
  const { discovery, keys } = inspection;
  if (discovery.method === 'NoAuth') return await use({ options, inspection });
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
