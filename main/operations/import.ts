import { randomUUID } from 'node:crypto';
import { hasTrait } from '../../shared/error-traits.ts';
import { isKeyHeaderName } from '../../shared/header-name.ts';
import type { Integration, IntegrationOptions } from '../../shared/integration.ts';
import { needsUserInput } from '../../shared/pasted/read-pasted.ts';
import type { RequestPurpose } from '../../shared/trace.ts';
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
import { deadline, importLimits } from '../limits.ts';
import type { Http, HttpResponse } from '../ports.ts';
import { splitAddress } from '../secret.ts';
import { connect, discover, needsNoConfirmation, loadKnownOptions } from './connect.ts';
import type { SignInScope, ConnectInput } from './connect.ts';
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
      readonly headers?: 'stored' | 'existing';
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
export interface EntryToImport {
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
 * once; otherwise they are stored together, about every `importLimits.writeInterval` milliseconds and when the import ends
 * early. Returns the outcomes of processed entries that are not waiting for the user. Errors: those of `importEntry`.
 */
export async function importAll(
  engine: ImportEngine,
  items: readonly EntryToImport[],
): Promise<readonly ImportedEntry[]> {
  const { ports: batched, write } = engine.follow ? unbatched(engine.ports) : await openServerBatch(engine.ports);
  // A list may have a hundred servers of one service with the same metadata documents.
  const ports = { ...batched, http: withSharedDocuments(batched.http, engine.signal) };
  const existing = await ports.store.list();
  const hostErrors = new Map<string, PosternError>();
  // Existing servers only get headers if the user consented to that list.
  const headerTargets = engine.follow ? [] : existing;
  const entryEngine = {
    ...engine,
    ports,
    servers: new ListedServers(ports, existing, undefined, headerTargets),
    hostErrors,
  };
  const results: (ImportResult | undefined)[] = [];
  const queue = createWorkQueue(importLimits.concurrent);
  const lookups = createWorkQueue(importLimits.lookups);
  const failures: unknown[] = [];
  /** Consecutive errors of an unresponsive service, by host. */
  const unanswered = new Map<string, PosternError[]>();
  let done = 0;
  let lastWriteAt = ports.clock.monotonic();
  let lastWriteTime = 0;
  let lastWrite: Promise<void> = Promise.resolve();
  const writeResults = (): Promise<void> => {
    const begunAt = ports.clock.monotonic();
    lastWriteAt = begunAt;
    lastWrite = lastWrite
      .then(() =>
        write(results.flatMap((result) => (result && 'integration' in result ? [result.integration.id] : []))),
      )
      .then(() => void (lastWriteTime = ports.clock.monotonic() - begunAt));
    return lastWrite;
  };
  /** Each write renders all servers so far, so writing has a fixed share of the time. */
  const isWriteDue = (): boolean =>
    ports.clock.monotonic() - lastWriteAt >=
    Math.max(importLimits.writeInterval, lastWriteTime / importLimits.writeShare);
  const hasEnded = (): boolean => failures.length > 0 || engine.signal.aborted;
  const importNext = async (index: number, item: EntryToImport): Promise<void> => {
    const host = hostOf(item.entry.server.url);
    const [error, ...more] = unanswered.get(host) ?? [];
    const result: ImportResult | undefined =
      error && more.length > 0 ? { outcome: 'failed', error } : await importEntry(entryEngine, item);
    const isUnanswered = result && 'error' in result && hasTrait(result.error, 'unanswered');
    if (host !== '') unanswered.set(host, isUnanswered ? [...(unanswered.get(host) ?? []), result.error] : []);
    results[index] = result;
    engine.onProgress((done += 1));
    if (isWriteDue()) await writeResults();
  };
  const groups = Map.groupBy(items.entries(), ([, { entry }]) => groupKey(entry));
  const importGroup = async (group: readonly (readonly [number, EntryToImport])[]): Promise<void> => {
    try {
      for (const [index, item] of group) {
        if (hasEnded()) return;
        await importNext(index, item);
      }
    } catch (error) {
      failures.push(error);
    }
  };
  const lookUp = createLookup(engine);
  for (const [host, addresses] of Map.groupBy(groups, ([address]) => hostOf(address)))
    lookups.add(host, async () => {
      const first = addresses[0]?.[1][0]?.[1];
      const error = hasEnded() || !first ? undefined : await lookUp(addresses[0]?.[0] ?? '', first.options);
      if (error) hostErrors.set(host, error);
      for (const [address, group] of addresses) queue.add(address, () => importGroup(group));
    });
  await lookups.idle();
  await queue.idle();
  await writeResults();
  if (failures.length > 0 && !engine.signal.aborted) throw failures[0];
  // Re-read, since names and aliases are assigned on writing.
  const listed = new Map((await engine.ports.store.list()).map((integration) => [integration.id, integration]));
  return items.flatMap(({ entry }, index) => {
    const result = results[index];
    if (!result) return [];
    const now = 'integration' in result ? listed.get(result.integration.id) : undefined;
    return [{ entry, imported: now && 'integration' in result ? { ...result, integration: now } : result }];
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
  async function locate(address: string, options: IntegrationOptions): Promise<void> {
    const { href } = parseTypedAddress(address);
    const url = checkAddress(new URL(href), integrationPolicy(href, options), 'probe');
    // Without a typed host in the policy, so that it is looked up.
    const policy = { local: options.local, typedHost: '', allowedHosts: [], allowHttp: false };
    await http.resolveHost({
      purpose: 'probe',
      stage: 'probe',
      url,
      policy,
      signal,
      deadline: deadline.discovery,
    });
  }
  let unanswered: PosternError[] = [];
  let nextLookupAt = 0;
  return async (address: string, options: IntegrationOptions): Promise<PosternError | undefined> => {
    if (classifyHost(URL.parse(address)?.hostname ?? '') !== 'name') return undefined;
    if (unanswered.length >= importLimits.lookups) return unanswered[0];
    const wait = nextLookupAt - clock.monotonic();
    if (nextLookupAt > 0) nextLookupAt = Math.max(nextLookupAt, clock.monotonic()) + importLimits.lookupInterval;
    if (wait > 0) await pause(clock, wait);
    const began = clock.monotonic();
    const error = await locate(address, options).then(
      () => undefined,
      (reason: unknown) => (reason instanceof UnsentRequest && hasTrait(reason, 'unanswered') ? reason : undefined),
    );
    if (nextLookupAt === 0 && clock.monotonic() - began >= importLimits.slowLookup) nextLookupAt = clock.monotonic();
    unanswered = error && error.fault !== 'name-not-found' ? [...unanswered, error] : [];
    return error;
  };
}

const sharedPurposes: readonly RequestPurpose[] = ['protected-resource-metadata', 'authorization-server-metadata'];

/** Stores each server immediately, not in a batch. */
function unbatched(ports: EnginePorts): ServerBatch {
  return { ports, write: async () => {} };
}

/** Requests each metadata document of a service once, until `signal` aborts. Failed ones are requested again. */
function withSharedDocuments(http: Http, signal: AbortSignal): Http {
  const responses = new Map<string, Promise<HttpResponse>>();
  return {
    ...http,
    async exchange(request) {
      if (!sharedPurposes.includes(request.purpose)) return await http.exchange(request);
      // The policy is part of the key: not every server may request local addresses.
      const key = `${request.policy.local} ${request.url}`;
      const known = responses.get(key);
      // This entry waits for another entry's request.
      const resume = known && request.onWait?.();
      const response = known ?? http.exchange({ ...request, signal });
      if (!known) {
        responses.set(key, response);
        response.catch(() => responses.delete(key));
      }
      // Stopping one entry must not end what others wait for.
      const entrySignal = request.signal ?? signal;
      return await untilAborted(response, entrySignal)
        .catch((error: unknown) => {
          throw entrySignal.aborted
            ? new PosternError('USER_CANCELLED', { stage: request.stage, cause: error })
            : error;
        })
        .finally(resume);
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
async function importEntry(engine: EntryEngine, item: EntryToImport): Promise<ImportResult | undefined> {
  const { entry, name } = item;
  const { url, command, headers, notes } = entry.server;
  if (needsUserInput(notes)) return { outcome: 'to-fill-in' };
  try {
    if (command) return await addCommand(engine, name, command);
    if (url === undefined) return { outcome: 'local' };
    const known = await engine.servers.findRemote({ url, headers });
    const imported = known
      ? await useExisting(engine, known, headers)
      : await attempt(engine, entry, (scope) => connectEntry(engine, scope, item, url));
    const isChange = imported && (imported.outcome !== 'known' || imported.headers === 'stored');
    if (isChange && 'integration' in imported) engine.servers.index.put(imported.integration);
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
  return hasTrait(error, 'profile') || hasTrait(error, 'bug');
}

interface Remote {
  readonly url: string | undefined;
  readonly headers: Importable['server']['headers'] | undefined;
}

/** How an entry matches what is listed. */
type ListedMatch =
  | {
      readonly kind: 'listed';
      readonly integration: Integration;
      /** Whether its command may run; true without one. */
      readonly isAllowed: boolean;
    }
  | { readonly kind: 'new' }
  /** An invalid address, or a command that cannot run here: it will not be connected. */
  | { readonly kind: 'unusable' };

/**
 * Listed servers by the addresses, commands and keys of entries. The vault is read once, on demand. `keysOf`: defaults
 * to the keys in the vault. `headerTargets`: servers without headers that may get an entry’s headers; defaults to all.
 */
export class ListedServers {
  readonly index: ServerIndex;
  readonly commands: CommandIndex;
  readonly #ports: Pick<EnginePorts, 'local'>;
  readonly #vault: ReturnType<typeof readVaultOnce>;
  readonly #headerTargets: ReadonlySet<string>;

  constructor(
    ports: Pick<EnginePorts, 'vault' | 'local'>,
    integrations: readonly Integration[],
    keysOf: KeysOf = keysIn(ports.vault),
    headerTargets: readonly Integration[] = integrations,
  ) {
    this.index = new ServerIndex(integrations, keysOf);
    this.commands = indexCommands(integrations);
    this.#ports = ports;
    this.#vault = readVaultOnce(ports.vault);
    this.#headerTargets = new Set(headerTargets.map(({ id }) => id));
  }

  /** Finds an entry by address and keys, or by command and values. Errors: KC_*, CFG_*. */
  async find({ url, headers, command }: ListedServer): Promise<ListedMatch> {
    if (command) return await this.#findCommand(command);
    const address = addressOf(url);
    if (!address) return { kind: 'unusable' };
    const integration = await this.#findAddress(address, headers);
    return integration ? { kind: 'listed', integration, isAllowed: true } : { kind: 'new' };
  }

  /** The same for an address. Errors: those of `parseTypedAddress`, KC_*, CFG_*. */
  async findRemote({ url = '', headers }: Remote): Promise<Integration | undefined> {
    return await this.#findAddress(parseTypedAddress(url), headers);
  }

  async #findAddress(address: URL, headers: Remote['headers']): Promise<Integration | undefined> {
    return await this.index.findSame({ address, headers: sentHeaders(headers) }, ({ id }) =>
      this.#headerTargets.has(id),
    );
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
    return same ? { kind: 'listed', ...same } : { kind: 'new' };
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
export function includesKeys({ url, headers }: ListedServer): boolean {
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
  const earlier = new Map<string, Map<string, Entry>>();
  const same = new Map<Entry, SameServer<Entry>>();
  for (const entry of entries) {
    const { url, headers } = entry.server;
    const address = url === undefined ? undefined : addressOf(url);
    if (!address) continue;
    const sent = sentHeaders(headers);
    const signature = signatureOf(sent);
    const byHeaders = earlier.get(address.href) ?? new Map<string, Entry>();
    earlier.set(address.href, byHeaders);
    const exact = byHeaders.get(signature);
    const [first] = sent.length === 0 ? byHeaders.values() : [];
    if (exact) same.set(entry, { first: exact, hasSameHeaders: true });
    else if (first) same.set(entry, { first, hasSameHeaders: false });
    else byHeaders.set(signature, entry);
  }
  return same;
}

/** What the user sees before entries are imported. */
interface ImportPreview {
  /** Entries that become one server with an earlier one, in import order. */
  readonly shared: readonly SharedAddress[];
  readonly headerUses: readonly HeaderUse[];
}

/** An entry with the same new address as an earlier one and no other key. */
export interface SharedAddress {
  readonly name: string;
  /** Name of the earlier entry. */
  readonly as: string;
  readonly headers: readonly string[];
  readonly fate: 'same';
}

/** Headers of an entry for an existing server without a credential: the user is asked first. */
interface HeaderUse {
  readonly name: string;
  readonly known: Integration;
  readonly headers: readonly string[];
}

/** Entries that cannot be imported are reported by their outcome. Errors: KC_*, CFG_*. */
export async function previewImport(ports: EnginePorts, entries: readonly Importable[]): Promise<ImportPreview> {
  const servers = new ListedServers(ports, await ports.store.list());
  const fresh: Importable[] = [];
  const headerUses: HeaderUse[] = [];
  for (const entry of entries.filter(isImportable)) {
    const found = await servers.find(entry.server);
    const headers = headerNames(entry);
    if (found.kind === 'new') fresh.push(entry);
    else if (found.kind === 'listed' && headers.length > 0 && lacksCredential(found.integration))
      headerUses.push({ name: entry.name, known: found.integration, headers });
  }
  const shared = Array.from(
    sameServers(fresh),
    ([entry, { first }]) => ({ name: entry.name, as: first.name, headers: headerNames(entry), fate: 'same' }) as const,
  );
  return { shared, headerUses };
}

/** Names of the headers that are sent. */
function headerNames({ server: { headers } }: Importable): readonly string[] {
  return sentHeaders(headers).map(({ name }) => name);
}

/** True if the entry is complete enough to connect. */
export function isImportable({ server }: Importable): boolean {
  return server.kind === 'remote' && server.url !== undefined && !needsUserInput(server.notes);
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
  const headerOutcome = await saveHeaders(ports, known, { ...first, further }, signal);
  return { outcome: 'known', integration: (await ports.store.read(known.id)) ?? known, headers: headerOutcome };
}

async function connectEntry(
  { surface, hostErrors }: EntryEngine,
  scope: EntryScope,
  { entry, name, options: chosen }: EntryToImport,
  url: string,
): Promise<ImportResult | undefined> {
  const { ports, signal, flow } = scope;
  const options = { ...chosen, ...(await loadKnownOptions())(url) };
  const { first, further, leftOut } = fixedHeaders(entry.server.headers);
  const hostError = hostErrors.get(hostOf(url));
  if (hostError) throw hostError;
  // Without its key the server cannot be used.
  if (!first && leftOut.some(isKeyHeaderName)) throw new PosternError('API_KEY_INVALID', { stage: 'address' });
  const item = { url, name, surface, ...(flow && { flow, listedKeys: sentHeaders(entry.server.headers) }) };
  const connectWith = async (more: Pick<ConnectInput, 'options' | 'key' | 'inspection'>): Promise<ImportResult> => {
    const { integration, isListed } = await connect(scope, { ...item, ...more });
    return { outcome: isListed ? 'known' : 'imported', integration };
  };
  const key = first && { value: first.value, further };
  const withKey = { options: { ...options, headerName: first?.name }, key };
  if (flow) {
    // `isTyped`: the user can correct the address.
    const inspection = await discover(scope, { url, options, isTyped: true, hasKey: key !== undefined, flow });
    if (!needsNoConfirmation(inspection.discovery, options)) return undefined;
    if (key) return await connectWith(withKey);
    return inspection.open ? await connectWith({ options, inspection }) : undefined;
  }
  if (key) return await connectWith(withKey);
  const inspection = await inspectServer(ports, { url, options }, () => {}, signal);
  const { discovery, keys } = inspection;
  if (discovery.method === 'NoAuth') return await connectWith({ options, inspection });
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
