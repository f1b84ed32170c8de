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
import type { ListedServer } from '../apps/import/list-server.ts';
import { hasGap, prepareListed } from '../apps/import/listed-command.ts';
import type { ListedCommand } from '../apps/import/listed-command.ts';
import { findSameCommand, indexCommand, indexCommands, listLocal } from '../engine/connect/connect-local.ts';
import type { CommandIndex } from '../engine/connect/connect-local.ts';
import { keepHeaders, lacksCredential } from '../engine/connect/connect-with-key.ts';
import { holdNew } from '../engine/connect/hold-new.ts';
import type { HeldServers } from '../engine/connect/hold-new.ts';
import { inspectServer } from '../engine/connect/inspect-server.ts';
import { withFreeName } from '../engine/connect/new-integration.ts';
import type { EnginePorts } from '../engine/engine-ports.ts';
import { ServerIndex, signatureOf } from '../engine/kept/find-integration.ts';
import type { KeysOf } from '../engine/kept/find-integration.ts';
import { integrationPolicy } from '../engine/kept/integration-policy.ts';
import { keysOfAddress } from '../engine/kept/address-keys.ts';
import { asReadOnce, keysIn, saveAddressKeys } from '../engine/kept/stored-secrets.ts';
import type { Flow } from '../engine/sign-in/flow.ts';
import { createWorkQueue, pause, untilAborted } from '../engine/work-queue.ts';
import { isCancellation, PosternError } from '../errors/postern-error.ts';
import { UnsentRequest } from '../errors/request-error.ts';
import { deadline, importing } from '../limits.ts';
import type { Http, HttpResponse, RequestPurpose } from '../ports.ts';
import { splitAddress } from '../secret.ts';
import { connect, discover, isSettled, loadKnownOptions } from './connect.ts';
import type { SignInScope, WantedServer } from './connect.ts';
import type { User } from './operation.ts';

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

/** Where an entry is connected that the user follows: it rests with what is theirs to decide. */
export interface FollowedScope extends SignInScope {
  readonly flow: Flow;
}

type EntryScope = FollowedScope | (SignInScope & { readonly flow?: undefined });

/** `undefined`: it waits for the user. */
type EntryWork<Scope> = (scope: Scope) => Promise<Imported | undefined>;

/**
 * `user`: of servers that need no sign-in, and so told of steps alone; what wants one is listed, and waits there.
 * `follow`: each entry is an attempt of its own instead, which the user sees, ends and goes on with.
 */
type ImportUser =
  | { readonly user: Required<Pick<User, 'signIn'>>; readonly follow?: undefined }
  | {
      readonly follow: (
        entry: Importable,
        ports: EnginePorts,
        work: EntryWork<FollowedScope>,
      ) => Promise<Imported | undefined>;
    };

export type ImportEngine = ImportUser & {
  readonly ports: EnginePorts;
  /** Where the user is. */
  readonly surface: string;
  readonly signal: AbortSignal;
  /** Where the list is, for whoever is to allow a command of it. */
  readonly from: string;
  /** How many entries have been dealt with. */
  readonly onProgress: (done: number) => void;
};

type EntryEngine = ImportEngine & {
  /** Hosts that are not there. */
  readonly unfound: ReadonlyMap<string, PosternError>;
  readonly servers: ListedServers;
};

/** An entry under the name that it is to have. */
export interface WantedEntry {
  readonly entry: Importable;
  readonly name: string;
  readonly options: IntegrationOptions;
}

/** An entry and what became of it. */
export interface ImportedEntry {
  readonly entry: Importable;
  readonly imported: Imported;
}

/**
 * Connects entries, several at once and those with one address in their order. They are stored one by one where the user
 * follows them, else in one write or one every `importing.write` milliseconds, and with what was done when something ends
 * it early. Answers what became of each that was dealt with and does not wait for the user. Errors: those of
 * `importEntry`.
 */
export async function importAll(
  engine: ImportEngine,
  wanted: readonly WantedEntry[],
): Promise<readonly ImportedEntry[]> {
  const { ports: held, write } = engine.follow ? storedAtOnce(engine.ports) : await holdNew(engine.ports);
  // A list may have a hundred servers of one service, whose documents are the same for all of them.
  const ports = { ...held, http: askedOnce(held.http, engine.signal) };
  const there = await ports.store.list();
  const unfound = new Map<string, PosternError>();
  // Headers go to a server that is there already only where the user has agreed to that list.
  const takers = engine.follow ? [] : there;
  const each = { ...engine, ports, servers: new ListedServers(ports, there, undefined, takers), unfound };
  const fates: (Imported | undefined)[] = [];
  const queue = createWorkQueue(importing.atOnce);
  const lookups = createWorkQueue(importing.lookups);
  const failures: unknown[] = [];
  /** By its host: errors in a row of a service that does not answer. */
  const unanswered = new Map<string, PosternError[]>();
  let done = 0;
  let written = ports.clock.monotonic();
  let writing: Promise<void> = Promise.resolve();
  const writeDecided = (): Promise<void> => {
    written = ports.clock.monotonic();
    writing = writing.then(() =>
      write(fates.flatMap((fate) => (fate && 'integration' in fate ? [fate.integration.id] : []))),
    );
    return writing;
  };
  const isOver = (): boolean => failures.length > 0 || engine.signal.aborted;
  const importNext = async (index: number, one: WantedEntry): Promise<void> => {
    const host = hostOf(one.entry.server.url);
    const [error, ...more] = unanswered.get(host) ?? [];
    const fate: Imported | undefined =
      error && more.length > 0 ? { outcome: 'failed', error } : await importEntry(each, one);
    const isUnanswered = fate && 'error' in fate && isAbout(fate.error, 'unanswered');
    if (host !== '') unanswered.set(host, isUnanswered ? [...(unanswered.get(host) ?? []), fate.error] : []);
    fates[index] = fate;
    engine.onProgress((done += 1));
    if (ports.clock.monotonic() - written >= importing.write) await writeDecided();
  };
  const groups = Map.groupBy(wanted.entries(), ([, { entry }]) => placeOf(entry));
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
      if (error) unfound.set(host, error);
      for (const [place, group] of places) queue.add(place, () => importGroup(group));
    });
  await lookups.idle();
  await queue.idle();
  await writeDecided();
  if (failures.length > 0 && !engine.signal.aborted) throw failures[0];
  // As they are listed now: names and aliases come with that.
  const listed = new Map((await engine.ports.store.list()).map((integration) => [integration.id, integration]));
  return wanted.flatMap(({ entry }, index) => {
    const fate = fates[index];
    if (!fate) return [];
    const now = 'integration' in fate ? listed.get(fate.integration.id) : undefined;
    return [{ entry, imported: now && 'integration' in fate ? { ...fate, integration: now } : fate }];
  });
}

function hostOf(url = ''): string {
  return URL.parse(url)?.host ?? '';
}

/**
 * Looks up hosts before anything is asked of them: of these requests few may run at once, and a name that is nowhere
 * can take its resolver seconds. Answers why a name was not found. Where the resolver has answered none of many, the
 * rest is not asked for.
 */
function createLookup({ ports: { http, clock }, signal }: ImportEngine) {
  async function locate(place: string, options: IntegrationOptions): Promise<void> {
    const { href } = parseTypedAddress(place);
    const url = checkAddress(new URL(href), integrationPolicy(href, options), 'probe');
    // A host that the user named is not looked up where its name alone is asked for.
    const unnamed = { local: options.local, typedHost: '', allowedHosts: [], allowHttp: false };
    await http.locate({ purpose: 'probe', stage: 'probe', url, policy: unnamed, signal, deadline: deadline.discovery });
  }
  let unanswered: PosternError[] = [];
  let turn = 0;
  return async (place: string, options: IntegrationOptions): Promise<PosternError | undefined> => {
    if (classifyHost(URL.parse(place)?.hostname ?? '') !== 'name') return undefined;
    if (unanswered.length >= importing.lookups) return unanswered[0];
    const wait = turn - clock.monotonic();
    if (turn > 0) turn = Math.max(turn, clock.monotonic()) + importing.gap;
    if (wait > 0) await pause(clock, wait);
    const began = clock.monotonic();
    const error = await locate(place, options).then(
      () => undefined,
      (reason: unknown) => (reason instanceof UnsentRequest && isAbout(reason, 'unanswered') ? reason : undefined),
    );
    if (turn === 0 && clock.monotonic() - began >= importing.slow) turn = clock.monotonic();
    unanswered = error && error.fault !== 'name-not-found' ? [...unanswered, error] : [];
    return error;
  };
}

const documents: readonly RequestPurpose[] = ['protected-resource-metadata', 'authorization-server-metadata'];

/** What is new is stored by whoever connects it. */
function storedAtOnce(ports: EnginePorts): HeldServers {
  return { ports, write: async () => {} };
}

/** The same, which asks for each document of a service once, until `signal` aborts. What failed is asked for again. */
function askedOnce(http: Http, signal: AbortSignal): Http {
  const answers = new Map<string, Promise<HttpResponse>>();
  return {
    ...http,
    async exchange(request) {
      if (!documents.includes(request.purpose)) return await http.exchange(request);
      // What a server of this computer may ask for, another one may not.
      const key = `${request.policy.local} ${request.url}`;
      const known = answers.get(key);
      // It waits for the turn of another one.
      const goOn = known && request.onWait?.();
      const answer = known ?? http.exchange({ ...request, signal });
      if (!known) {
        answers.set(key, answer);
        answer.catch(() => answers.delete(key));
      }
      // Whoever is stopped alone ends nothing that others wait for.
      const own = request.signal ?? signal;
      return await untilAborted(answer, own)
        .catch((error: unknown) => {
          throw own.aborted ? new PosternError('USER_CANCELLED', { stage: request.stage, cause: error }) : error;
        })
        .finally(goOn);
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
async function importEntry(engine: EntryEngine, wanted: WantedEntry): Promise<Imported | undefined> {
  const { entry, name } = wanted;
  const { url, command, headers, notes } = entry.server;
  if (isToFillIn(notes)) return { outcome: 'to-fill-in' };
  try {
    if (command) return await list(engine, name, command);
    if (url === undefined) return { outcome: 'local' };
    const known = await engine.servers.findRemote({ url, headers });
    const imported = known
      ? await useKnown(engine, known, headers)
      : await attempt(engine, entry, (scope) => connectEntry(engine, scope, wanted, url));
    const isNews = imported && (imported.outcome !== 'known' || imported.headers === 'kept');
    if (isNews && 'integration' in imported) engine.servers.index.put(imported.integration);
    return imported;
  } catch (error) {
    if (!(error instanceof PosternError) || engine.signal.aborted || isOfSettings(error)) throw error;
    // One entry alone, by the user who follows it: it waits for them as before.
    if (engine.follow && isCancellation(error)) return undefined;
    return { outcome: 'failed', error };
  }
}

async function attempt(
  engine: EntryEngine,
  entry: Importable,
  work: EntryWork<EntryScope>,
): Promise<Imported | undefined> {
  const { ports, signal } = engine;
  return engine.follow ? await engine.follow(entry, ports, work) : await work({ ports, user: engine.user, signal });
}

/** It would be the same with every other entry. */
function isOfSettings(error: PosternError): boolean {
  return isAbout(error, 'profile') || isAbout(error, 'bug');
}

interface Remote {
  readonly url: string | undefined;
  readonly headers: Importable['server']['headers'] | undefined;
}

/** What an entry of a list is here already. */
type Listed =
  | {
      readonly kind: 'here';
      readonly integration: Integration;
      /** Whether its command may run; true where it has none. */
      readonly isAllowed: boolean;
    }
  | { readonly kind: 'new' }
  /** Its address is none, or its command cannot run here: it will not be connected. */
  | { readonly kind: 'unusable' };

/**
 * The servers of a list of this computer, by the addresses, commands and keys that entries have. The vault is read once,
 * where it is needed. `keysOf`: left out, those in the vault. `takers`: those that headers of an entry may be for, though
 * they have none; left out, all.
 */
export class ListedServers {
  readonly index: ServerIndex;
  readonly commands: CommandIndex;
  readonly #ports: Pick<EnginePorts, 'local'>;
  readonly #vault: ReturnType<typeof asReadOnce>;
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
    this.#vault = asReadOnce(ports.vault);
    this.#takers = new Set(takers.map(({ id }) => id));
  }

  /** By its address and keys, or by its command and the values of its variables. Errors: KC_*, CFG_*. */
  async find({ url, headers, command }: ListedServer): Promise<Listed> {
    if (command) return await this.#findCommand(command);
    const address = addressOf(url);
    if (!address) return { kind: 'unusable' };
    const integration = await this.#findAddress(address, headers);
    return integration ? { kind: 'here', integration, isAllowed: true } : { kind: 'new' };
  }

  /** The same for what is certainly an address. Errors: those of `parseTypedAddress`, KC_*, CFG_*. */
  async findRemote({ url = '', headers }: Remote): Promise<Integration | undefined> {
    return await this.#findAddress(parseTypedAddress(url), headers);
  }

  async #findAddress(address: URL, headers: Remote['headers']): Promise<Integration | undefined> {
    return await this.index.findSame({ address, headers: sentHeaders(headers) }, ({ id }) => this.#takers.has(id));
  }

  async #findCommand(command: ListedCommand): Promise<Listed> {
    if (hasGap(command)) return { kind: 'unusable' };
    if (this.commands.size === 0) return { kind: 'new' };
    const prepared = await prepareListed(this.#ports, command, '').catch((error: unknown) => {
      // Its program is not on this computer.
      if (error instanceof UnsentRequest) return undefined;
      throw error;
    });
    if (!prepared) return { kind: 'unusable' };
    const same = await findSameCommand(this.#vault, prepared, this.commands);
    return same ? { kind: 'here', ...same } : { kind: 'new' };
  }
}

/** `undefined`: it is none. */
function addressOf(url = ''): URL | undefined {
  try {
    return parseTypedAddress(url);
  } catch (error) {
    if (!(error instanceof PosternError)) throw error;
    return undefined;
  }
}

/** Whether it brings keys, in headers or in its address: whatever has others is another server. */
export function bringsKeys({ url, headers }: ListedServer): boolean {
  const address = url === undefined ? undefined : addressOf(url);
  if (!address) return false;
  return sentHeaders(headers).length > 0 || splitAddress(address.href).parts.length > 0;
}

/** The entry before one that becomes the same server. */
interface SameServer<Entry> {
  readonly first: Entry;
  /** Else it brings no headers, and goes by those of the other. */
  readonly hasSameHeaders: boolean;
}

/** Those of `entries` that have the address of one before them, and no other keys, in their order. */
export function sameServers<Entry extends { readonly server: ListedServer }>(
  entries: readonly Entry[],
): ReadonlyMap<Entry, SameServer<Entry>> {
  /** By their headers, by their addresses. */
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

/** Headers of an entry for a connection that is there and has no credential: a person is asked first. */
interface HeadersToGive {
  readonly name: string;
  readonly known: Integration;
  readonly headers: readonly string[];
}

export async function headersToGive(
  entries: readonly Importable[],
  servers: ListedServers,
): Promise<readonly HeadersToGive[]> {
  const given: HeadersToGive[] = [];
  for (const { name, server } of entries.filter(isImportable)) {
    const headers = sentHeaders(server.headers);
    const found = headers.length === 0 ? undefined : await servers.find(server);
    if (found?.kind === 'here' && lacksCredential(found.integration))
      given.push({ name, known: found.integration, headers: headers.map((header) => header.name) });
  }
  return given;
}

/** Whether it has all that it takes to connect it. */
export function isImportable({ server }: Importable): boolean {
  return server.kind === 'remote' && server.url !== undefined && !isToFillIn(server.notes);
}

/** Nothing of it runs: whoever says yes to a list has not said yes to each command in it. */
async function list({ ports, from, servers }: EntryEngine, name: string, listed: ListedCommand): Promise<Imported> {
  const request = { name, ...(await prepareListed(ports, listed, from)) };
  const same = await findSameCommand(ports.vault, request, servers.commands);
  if (same) return { outcome: same.isAllowed ? 'known' : 'to-allow', integration: same.integration };
  const integration = await listLocal(ports, request);
  indexCommand(servers.commands, integration, request.command);
  return { outcome: 'to-allow', integration };
}

/** Headers of an entry for a server that is listed: it keeps them where it has none. */
async function useKnown(
  { ports, signal }: EntryEngine,
  known: Integration,
  headers: Remote['headers'],
): Promise<Imported> {
  const { first, further } = fixedHeaders(headers);
  if (!first) return { outcome: 'known', integration: known };
  const kept = await keepHeaders(ports, known, { ...first, further }, signal);
  return { outcome: 'known', integration: (await ports.store.read(known.id)) ?? known, headers: kept };
}

async function connectEntry(
  { surface, unfound }: EntryEngine,
  scope: EntryScope,
  { entry, name, options: chosen }: WantedEntry,
  url: string,
): Promise<Imported | undefined> {
  const { ports, signal, flow } = scope;
  const options = { ...chosen, ...(await loadKnownOptions())(url) };
  const { first, further, leftOut } = fixedHeaders(entry.server.headers);
  const gone = unfound.get(hostOf(url));
  if (gone) throw gone;
  // Nothing but its key can be what it was used with.
  if (!first && leftOut.some(isKeyHeaderName)) throw new PosternError('API_KEY_INVALID', { stage: 'address' });
  const wanted = { url, name, surface, ...(flow && { flow, listedKeys: sentHeaders(entry.server.headers) }) };
  const use = async (more: Pick<WantedServer, 'options' | 'key' | 'inspection'>): Promise<Imported> => {
    const { integration, isListed } = await connect(scope, { ...wanted, ...more });
    return { outcome: isListed ? 'known' : 'imported', integration };
  };
  const key = first && { value: first.value, further };
  const keyed = { options: { ...options, headerName: first?.name }, key };
  if (flow) {
    // Who follows it can correct its address.
    const inspection = await discover(scope, { url, options, isTyped: true, bringsKey: key !== undefined, flow });
    if (!isSettled(inspection.discovery, options)) return undefined;
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
