import { randomUUID } from 'node:crypto';
import type { ConnectionView } from '../../../shared/connection-view.ts';
import type { IntegrationOptions } from '../../../shared/integration.ts';
import type { ImportNote } from '../../../shared/pasted/read-pasted.ts';
import { displayText } from '../../address/display-text.ts';
import { fixedHeaders } from '../../apps/import/importable.ts';
import type { ListedServer } from '../../apps/import/list-server.ts';
import type { Program } from '../../apps/table/program.ts';
import type { Flow } from '../../engine/sign-in/flow.ts';
import type {
  CredentialsAnswer,
  CredentialsRequest,
  DevicePage,
  HostsRequest,
  PendingAuthorization,
  TypedCredentials,
} from '../../engine/sign-in/sign-in-interaction.ts';
import type { Trace } from '../../engine/trace/trace.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { FixedHeader } from '../../mcp/http/credential-gate.ts';
import type { Secret } from '../../secret.ts';
import type { SignInPopup } from '../../window-ports.ts';

/** What a person has chosen for a connection so far; the next attempt starts from it. Replaced whole. */
export interface Wanted {
  /** As typed until it has been understood, then in canonical form. */
  readonly url: string;
  readonly name: string;
  readonly options: IntegrationOptions;
  /** The id of the entry of a list that the address came from. */
  readonly importEntry?: string | undefined;
  /** Typed, or from an imported list. */
  readonly header?: KeyHeader | undefined;
  /** They sign in on another device. */
  readonly onDevice?: boolean;
  /** An app of the person's own, so that it need not be typed again at the service that it was typed for. */
  readonly typed?: { readonly client: TypedCredentials; readonly callbackUrl: string } | undefined;
}

/** Whether headers came with the address, and are used before anything else. */
export function bringsKey({ importEntry, header }: Pick<Wanted, 'importEntry' | 'header'>): boolean {
  return importEntry !== undefined && header !== undefined;
}

/** What it is for: to connect a server, or to sign an integration in again. */
type Purpose =
  | { readonly kind: 'connect' }
  | { readonly kind: Exclude<ConnectionView['kind'], 'connect'>; readonly integrationId: string };

/** One discovery or sign-in that the window shows, from the typed address to its end. Main's memory alone. */
export interface Connection {
  readonly id: string;
  readonly purpose: Purpose;
  /** The window that started it. */
  readonly surface: string;
  /** Where it stands, and what has been found out. */
  readonly flow: Flow;
  wanted: Wanted;
  /** The last one, and what it waits for. */
  attempt: Attempt | undefined;
}

export function createConnection(start: Pick<Connection, 'purpose' | 'surface' | 'flow' | 'wanted'>): Connection {
  return { id: randomUUID(), ...start, attempt: undefined };
}

/** The integration that is signed in again, or that came of it. */
export function integrationOf({ purpose, flow }: Pick<Connection, 'purpose' | 'flow'>): string | undefined {
  if (purpose.kind !== 'connect') return purpose.integrationId;
  return flow.state.name === 'integrated' ? flow.state.integrationId : undefined;
}

/** Whether something goes on that only one of may go on for an integration. */
export function isRunning({ attempt }: Connection): boolean {
  return attempt?.running !== undefined && !attempt.hasEnded;
}

function isOfIntegration({ purpose }: Connection, integrationId: string): boolean {
  return purpose.kind !== 'connect' && purpose.integrationId === integrationId;
}

/** Connections that are kept in sight; the oldest that have ended go first. */
const mostKept = 50;

/** Every connection that the window shows. */
export class Connections {
  readonly #byId = new Map<string, Connection>();
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  add(connection: Connection): Connection {
    for (const known of this.#byId.values()) {
      if (this.#byId.size < mostKept) break;
      if (!isRunning(known)) this.#byId.delete(known.id);
    }
    this.#byId.set(connection.id, connection);
    this.#onChange();
    return connection;
  }

  /** Errors: NOT_FOUND. */
  get(id: string): Connection {
    const connection = this.#byId.get(id);
    if (!connection) throw new PosternError('NOT_FOUND', { stage: 'app', detail: { count: 0 } });
    return connection;
  }

  find(fits: (connection: Connection) => boolean): Connection | undefined {
    return [...this.#byId.values()].find(fits);
  }

  /** The sign-in that goes on for an integration: there is one at most. */
  ofIntegration(integrationId: string): Connection | undefined {
    return this.find((connection) => isOfIntegration(connection, integrationId) && isRunning(connection));
  }

  /** Drops checks that found nothing: once another address is checked, only an imported list leads back to one. */
  dropFailedChecks(): void {
    for (const known of this.#byId.values()) {
      const { id, purpose, flow, wanted } = known;
      if (purpose.kind !== 'connect' || flow.found.shown || wanted.importEntry !== undefined) continue;
      if (!isRunning(known)) this.remove(id);
    }
  }

  remove(id: string): void {
    if (this.#byId.delete(id)) this.#onChange();
  }

  /** Ends everything under way. */
  end(): void {
    for (const { attempt } of this.#byId.values()) attempt?.end();
  }

  /** Resolves when everything under way has ended. */
  async ended(): Promise<void> {
    await Promise.all(this.all().flatMap(({ attempt }) => attempt?.running ?? []));
  }

  all(): readonly Connection[] {
    return [...this.#byId.values()];
  }
}

/** One go at a connection: it can be ended while it runs, and its trace stays to be read. */
export class Attempt {
  /** When it began, milliseconds since 1970. */
  readonly at: number;
  readonly trace: Trace;
  /** Starts it once more, as it was started. */
  readonly again: () => void;
  /** What it has asked the person for last, and waits for. */
  waiting: Waiting | undefined;
  /** Its last page went to the person's browser, where nobody but them can close it. */
  usedBrowser = false;
  /** It is over for the person, who may begin the next; what is kept of it may still be written. */
  hasEnded = false;
  readonly #abort = new AbortController();
  #running: Promise<void> | undefined;

  constructor(at: number, trace: Trace, again: () => void) {
    this.at = at;
    this.trace = trace;
    this.again = again;
  }

  /** Settles when it is over, and never rejects; `undefined` once it is. */
  get running(): Promise<void> | undefined {
    return this.#running;
  }

  /** `work` never rejects. */
  run(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.#running = work(this.#abort.signal).finally(() => (this.#running = undefined));
    return this.#running;
  }

  end(): void {
    this.#abort.abort();
  }
}

/** What a sign-in waits for: the one thing that it has asked the person for last. */
export type Waiting =
  | {
      readonly for: 'credentials';
      readonly request: CredentialsRequest;
      readonly answer: (answer: CredentialsAnswer) => void;
    }
  | { readonly for: 'hosts'; readonly request: HostsRequest; readonly answer: (agrees: boolean) => void }
  | { readonly for: 'callback'; readonly authorization: PendingAuthorization; readonly page: SignInPage }
  | { readonly for: 'device'; readonly shown: DevicePage }
  | { readonly for: 'install'; readonly ticketId: string; readonly answer: (answer: InstallAnswer) => void };

/** Where the sign-in page is shown; `host` as it is displayed. */
export type SignInPage =
  | {
      readonly where: 'popup';
      readonly popup: SignInPopup;
      readonly host: string;
      /** NAV_BLOCKED: the page wanted to lead away from the web, last. */
      readonly blocked?: PosternError | undefined;
    }
  /** `opened`: false where no browser could be started; the link stays usable. */
  | { readonly where: 'browser'; readonly host: string; readonly opened: boolean };

interface InstallAnswer {
  readonly surface: string;
  readonly name?: string | undefined;
}

type WaitingFor<Kind extends Waiting['for']> = Extract<Waiting, { readonly for: Kind }>;

/** What is waited for, if it is of this kind. */
export function waitingFor<Kind extends Waiting['for']>(
  attempt: { readonly waiting: Waiting | undefined } | undefined,
  kind: Kind,
): WaitingFor<Kind> | undefined {
  const waiting = attempt?.waiting;
  return waiting && isWaitingFor(waiting, kind) ? waiting : undefined;
}

function isWaitingFor<Kind extends Waiting['for']>(waiting: Waiting, kind: Kind): waiting is WaitingFor<Kind> {
  return waiting.for === kind;
}

/** A fixed header that waits in main to be sent, bound to the server that it was typed or imported for. */
export interface KeyHeader {
  readonly name: string;
  readonly value: Secret;
  /** That go with it. */
  readonly further?: readonly FixedHeader[];
  /** Of that server. */
  readonly url: string;
}

/** The key if it is one for the server at `url`: same origin, same path. Any other server never sees it. */
export function keyFor(header: KeyHeader | undefined, url: string): KeyHeader | undefined {
  const [own, other] = [URL.parse(header?.url ?? ''), URL.parse(url)];
  if (!own || !other) return undefined;
  return own.origin === other.origin && own.pathname === other.pathname ? header : undefined;
}

/**
 * Sign-ins that answer an embedded window with an error page, each with who says so. Facebook's refusal is of Android's
 * web views alone, and Microsoft's pages take embedded windows, so neither is here.
 */
const hosts: ReadonlySet<string> = new Set([
  // 403 disallowed_useragent, for every embedded library since September 2021:
  // https://developers.googleblog.com/en/upcoming-security-changes-to-googles-oauth-20-authorization-endpoint-in-embedded-webviews
  'accounts.google.com',
  // The same sign-in, by way of YouTube: https://developers.google.com/identity/protocols/oauth2/policies#browsers
  'accounts.youtube.com',
]);

/** Whether the sign-in at `hostname` is known to work in a real browser only. */
export function refusesEmbeddedWindows(hostname: string): boolean {
  return hosts.has(hostname);
}

/** What of an entry of a list stays in main, until it is connected or taken over. */
export interface ImportedEntry {
  /** All of it, of which the window was shown no value. */
  readonly server: ListedServer;
  readonly header?: KeyHeader;
  /** Where it is listed, and as what; absent: it was pasted. */
  readonly place?: { readonly program: Program; readonly name: string };
}

/** Keeps an entry, and answers what a window may know of it. */
export function keepEntry(
  imports: Map<string, ImportedEntry>,
  server: ListedServer,
  place?: ImportedEntry['place'],
): { readonly id: string; readonly headerNames?: string[]; readonly notes: ImportNote[] } {
  const { url, headers, notes } = server;
  const id = randomUUID();
  const { first, further, leftOut } = fixedHeaders(headers);
  const key = first && url !== undefined && { ...first, further, url };
  imports.set(id, { server, ...(key && { header: key }), ...(place && { place }) });
  return {
    id,
    ...(first && { headerNames: [first, ...further].map((header) => displayText(header.name)) }),
    notes: [...notes, ...(leftOut.length > 0 ? (['header-unusable'] as const) : [])],
  };
}
