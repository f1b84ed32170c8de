import { randomUUID } from 'node:crypto';
import type { ConnectionView } from '../../../shared/connection-view.ts';
import type { IntegrationOptions } from '../../../shared/integration.ts';
import type { ImportNote } from '../../../shared/pasted/read-pasted.ts';
import { displayText } from '../../address/display-text.ts';
import { fixedHeaders } from '../../apps/import/importable.ts';
import type { ListedServer } from '../../apps/import/listed-server.ts';
import type { App } from '../../apps/table/app.ts';
import type { Flow } from '../../engine/sign-in/flow.ts';
import type {
  CredentialsReply,
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

/** The user's choices for a sign-in attempt; the next run starts from them. Replaced as a whole. */
export interface SignInChoices {
  /** As typed until it was parsed, then in canonical form. */
  readonly url: string;
  readonly name: string;
  readonly options: IntegrationOptions;
  /** Id of the imported entry that the URL came from. */
  readonly importEntry?: string | undefined;
  /** Typed, or from an imported list. */
  readonly header?: KeyHeader | undefined;
  /** The user signs in on another device. */
  readonly onDevice?: boolean;
  /** The user's own OAuth app, so that it need not be typed again for the same service. */
  readonly typed?: { readonly client: TypedCredentials; readonly callbackUrl: string } | undefined;
}

/** Whether headers were imported with the URL. They are tried first. */
export function bringsKey({ importEntry, header }: Pick<SignInChoices, 'importEntry' | 'header'>): boolean {
  return importEntry !== undefined && header !== undefined;
}

/** Connect a new server, or sign an integration in again. */
type Purpose =
  | { readonly kind: 'connect' }
  | { readonly kind: Exclude<ConnectionView['kind'], 'connect'>; readonly integrationId: string };

/** One discovery or sign-in that the window shows, from the typed URL to its end. Exists only in main's memory. */
export interface SignInAttempt {
  readonly id: string;
  readonly purpose: Purpose;
  /** The window that started it. */
  readonly surface: string;
  /** Its state, and what discovery has found. */
  readonly flow: Flow;
  choices: SignInChoices;
  /** The latest run. */
  run: AttemptRun | undefined;
}

export function createAttempt(start: Pick<SignInAttempt, 'purpose' | 'surface' | 'flow' | 'choices'>): SignInAttempt {
  return { id: randomUUID(), ...start, run: undefined };
}

/** The integration that is signed in again, or that was created. */
export function integrationOf({ purpose, flow }: Pick<SignInAttempt, 'purpose' | 'flow'>): string | undefined {
  if (purpose.kind !== 'connect') return purpose.integrationId;
  return flow.state.name === 'integrated' ? flow.state.integrationId : undefined;
}

/** Whether it is running. There is at most one running sign-in per integration. */
export function isRunning({ run }: SignInAttempt): boolean {
  return run?.running !== undefined && !run.hasEnded;
}

function isOfIntegration({ purpose }: SignInAttempt, integrationId: string): boolean {
  return purpose.kind !== 'connect' && purpose.integrationId === integrationId;
}

/** Attempts that are retained; the oldest finished ones are dropped first. */
const maxAttempts = 50;

/** All sign-in attempts that the window shows. */
export class SignInAttempts {
  readonly #byId = new Map<string, SignInAttempt>();
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  add(attempt: SignInAttempt): SignInAttempt {
    for (const existing of this.#byId.values()) {
      if (this.#byId.size < maxAttempts) break;
      if (!isRunning(existing)) this.#byId.delete(existing.id);
    }
    this.#byId.set(attempt.id, attempt);
    this.#onChange();
    return attempt;
  }

  /** Errors: NOT_FOUND. */
  get(id: string): SignInAttempt {
    const attempt = this.#byId.get(id);
    if (!attempt) throw new PosternError('NOT_FOUND', { stage: 'postern', detail: { count: 0 } });
    return attempt;
  }

  find(matches: (attempt: SignInAttempt) => boolean): SignInAttempt | undefined {
    return [...this.#byId.values()].find(matches);
  }

  /** The running sign-in of an integration; there is at most one. */
  ofIntegration(integrationId: string): SignInAttempt | undefined {
    return this.find((attempt) => isOfIntegration(attempt, integrationId) && isRunning(attempt));
  }

  /**
   * Drops checks that have ended, once another URL is checked: those that found nothing, and verdicts that the user left
   * unused. Only an imported list leads back to its own.
   */
  dropEndedChecks(): void {
    for (const existing of this.#byId.values()) {
      const { id, purpose, flow, choices } = existing;
      if (purpose.kind !== 'connect' || choices.importEntry !== undefined) continue;
      const isUnused = flow.state.name === 'discovered' && !choices.header && !choices.typed;
      if (flow.findings.shownInspection && !isUnused) continue;
      if (!isRunning(existing)) this.remove(id);
    }
  }

  remove(id: string): void {
    if (this.#byId.delete(id)) this.#onChange();
  }

  /** Ends all runs. */
  endAll(): void {
    for (const { run } of this.#byId.values()) run?.end();
  }

  /** Resolves when all runs have ended. */
  async settled(): Promise<void> {
    await Promise.all(this.all().flatMap(({ run }) => run?.running ?? []));
  }

  all(): readonly SignInAttempt[] {
    return [...this.#byId.values()];
  }
}

/** One run of an attempt. It can be ended, and its trace remains readable. */
export class AttemptRun {
  /** When it started, in milliseconds since 1970. */
  readonly startedAt: number;
  readonly trace: Trace;
  /** Starts the same work as a new run. */
  readonly restart: () => void;
  /** What it is waiting for from the user. */
  waiting: Waiting | undefined;
  /** True if the last page opened in the user's browser, where only the user can close it. */
  usedBrowser = false;
  /** Finished for the user, who may start the next run; the trace may still be being saved. */
  hasEnded = false;
  readonly #abort = new AbortController();
  #running: Promise<void> | undefined;

  constructor(startedAt: number, trace: Trace, restart: () => void) {
    this.startedAt = startedAt;
    this.trace = trace;
    this.restart = restart;
  }

  /** Resolves when the run has ended, and never rejects; `undefined` afterwards. */
  get running(): Promise<void> | undefined {
    return this.#running;
  }

  /** `work` never rejects. */
  start(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.#running = work(this.#abort.signal).finally(() => (this.#running = undefined));
    return this.#running;
  }

  end(): void {
    this.#abort.abort();
  }
}

/** What a run is waiting for from the user. */
export type Waiting =
  | {
      readonly for: 'credentials';
      readonly request: CredentialsRequest;
      readonly answer: (answer: CredentialsReply) => void;
    }
  | { readonly for: 'hosts'; readonly request: HostsRequest; readonly answer: (agrees: boolean) => void }
  | { readonly for: 'callback'; readonly authorization: PendingAuthorization; readonly page: SignInPage }
  | { readonly for: 'device'; readonly devicePage: DevicePage }
  | { readonly for: 'install'; readonly ticketId: string; readonly answer: (answer: InstallAnswer) => void };

/** Where the sign-in page is shown. `host`: display form. */
export type SignInPage =
  | {
      readonly where: 'popup';
      readonly popup: SignInPopup;
      readonly host: string;
      /** NAV_BLOCKED, if the last navigation was blocked. */
      readonly blocked?: PosternError | undefined;
    }
  /** `opened`: false if no browser could be started; the link remains usable. */
  | { readonly where: 'browser'; readonly host: string; readonly opened: boolean };

interface InstallAnswer {
  readonly surface: string;
  readonly name?: string | undefined;
}

type WaitingFor<Kind extends Waiting['for']> = Extract<Waiting, { readonly for: Kind }>;

/** What the run is waiting for, if it is of this kind. */
export function waitingFor<Kind extends Waiting['for']>(
  run: { readonly waiting: Waiting | undefined } | undefined,
  kind: Kind,
): WaitingFor<Kind> | undefined {
  const waiting = run?.waiting;
  return waiting && isWaitingFor(waiting, kind) ? waiting : undefined;
}

function isWaitingFor<Kind extends Waiting['for']>(waiting: Waiting, kind: Kind): waiting is WaitingFor<Kind> {
  return waiting.for === kind;
}

/** A fixed header with a key, bound to the server that it was typed or imported for. */
interface KeyHeader {
  readonly name: string;
  readonly value: Secret;
  /** Further headers to send with it. */
  readonly further?: readonly FixedHeader[];
  /** URL of that server. */
  readonly url: string;
}

/** The key, if it is for the server at `url` (same origin and path). No other server ever gets it. */
export function keyFor(header: KeyHeader | undefined, url: string): KeyHeader | undefined {
  const [own, other] = [URL.parse(header?.url ?? ''), URL.parse(url)];
  if (!own || !other) return undefined;
  return own.origin === other.origin && own.pathname === other.pathname ? header : undefined;
}

/**
 * Sign-in hosts that refuse embedded windows, each with a source. Not listed: Facebook, which only refuses Android web
 * views, and Microsoft, which accepts embedded windows.
 */
const popupBlockingHosts: ReadonlySet<string> = new Set([
  // 403 disallowed_useragent, for every embedded library since September 2021:
  // https://developers.googleblog.com/en/upcoming-security-changes-to-googles-oauth-20-authorization-endpoint-in-embedded-webviews
  'accounts.google.com',
  // The same sign-in, reached through YouTube: https://developers.google.com/identity/protocols/oauth2/policies#browsers
  'accounts.youtube.com',
]);

/** Whether the sign-in at `hostname` is known to work only in a real browser. */
export function refusesEmbeddedWindows(hostname: string): boolean {
  return popupBlockingHosts.has(hostname);
}

/** An imported entry that main retains until it is connected or taken over. */
export interface ImportedEntry {
  /** The whole entry. The window gets none of its values. */
  readonly server: ListedServer;
  readonly header?: KeyHeader;
  /** The app and entry name that it came from; absent if it was pasted. */
  readonly source?: { readonly app: App; readonly name: string };
}

/** Stores an entry, and returns what a window may know about it. */
export function storeImportedEntry(
  imports: Map<string, ImportedEntry>,
  server: ListedServer,
  source?: ImportedEntry['source'],
): { readonly id: string; readonly headerNames?: string[]; readonly notes: ImportNote[] } {
  const { url, headers, notes } = server;
  const id = randomUUID();
  const { first, further, leftOut } = fixedHeaders(headers);
  const key = first && url !== undefined && { ...first, further, url };
  imports.set(id, { server, ...(key && { header: key }), ...(source && { source }) });
  return {
    id,
    ...(first && { headerNames: [first, ...further].map((header) => displayText(header.name)) }),
    notes: [...notes, ...(leftOut.length > 0 ? (['header-unusable'] as const) : [])],
  };
}
