import type { ErrorCode, Stage } from '../shared/error-codes.ts';
import type { Integration, IssuerKey } from '../shared/integration.ts';
import type { PendingDeletion } from '../shared/pending-deletion.ts';
import type { SettingName, Settings } from '../shared/settings.ts';
import type { KeptSignIn, ServerEvent, ServerHistory, TracePurpose } from '../shared/trace.ts';
import type { AddressPolicy, CheckedAddress } from './address/check-address.ts';
import { PosternError } from './errors/postern-error.ts';
import type { PosternErrorOptions } from './errors/postern-error.ts';
import type { Secret } from './secret.ts';

/** What the engine needs from the world. `user-agent/`, `storage/` and the composition roots implement these. */
export interface Clock {
  /** Wall clock, milliseconds since 1970. A person can set it. */
  now(): number;
  /** Milliseconds that only grow; not touched by setting the wall clock. */
  monotonic(): number;
  /** Runs `run` once after `milliseconds` (clamped to what a timer can hold); answers its cancellation. */
  after(milliseconds: number, run: () => void): () => void;
}

export interface Random {
  /** Cryptographically secure. */
  bytes(length: number): Uint8Array<ArrayBuffer>;
}

/** What a request is for: the trace shows it, and the log names it. */
export type RequestPurpose = Exclude<TracePurpose, 'authorization'>;

export interface HttpRequest {
  readonly purpose: RequestPurpose;
  readonly stage: Stage;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: CheckedAddress;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Which hosts this integration may reach; checked on the name, on the resolved address and on each redirect. */
  readonly policy: AddressPolicy;
  /** `same-origin` follows at most 3 hops of a GET; `none` answers REDIRECT_REFUSED to any. */
  readonly redirects: 'same-origin' | 'none';
  /** Milliseconds over the whole exchange, once it is its turn (`onWait`). */
  readonly deadline: number;
  /** Bytes after decoding. */
  readonly bodyLimit: number;
  readonly signal?: AbortSignal | undefined;
  /** Told when it has to wait for its turn, before anything is sent. What it answers is called once it does not. */
  readonly onWait?: (() => () => void) | undefined;
  /** Told when it leaves. */
  readonly onSent?: (() => void) | undefined;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The address that answered, after redirects. */
  readonly url: string;
  readonly body: Uint8Array;
}

/** One HTTP client for everything: manual redirects, whole-exchange deadlines, size limits, the address rule. */
export interface Http {
  /**
   * One exchange with its body read whole. Any status is an answer, not an error.
   * Errors: URL_*, HOST_BLOCKED, DNS_FAIL, DNS_REBIND, TLS_FAIL, CONNECT_FAIL, DEADLINE, REDIRECT_REFUSED,
   * REDIRECT_LOOP, HEADERS_TOO_LARGE, BODY_TOO_LARGE, BODY_ENCODING, USER_CANCELLED (when `signal` aborts).
   */
  exchange(request: HttpRequest): Promise<HttpResponse>;
  /**
   * MCP traffic: the same rules, but the body streams. `deadline` is until the headers of an event stream, else over
   * the whole exchange; each event, or the whole body, has a size limit (RESULT_TOO_LARGE). A 307 or 308
   * within the origin is followed, body and credentials with it: the server itself asks for the same request there.
   */
  stream(request: StreamRequest): Promise<Response>;
  /**
   * Looks up a host and contacts nobody: each of its addresses has to be one that the policy allows. A host that the
   * user named passes unasked, and so does one whose name a proxy looks up.
   * Errors: URL_*, HOST_BLOCKED, DNS_FAIL, DNS_REBIND, DEADLINE, USER_CANCELLED (when `signal` aborts).
   */
  locate(request: LocateRequest): Promise<void>;
}

export type LocateRequest = Pick<HttpRequest, 'purpose' | 'stage' | 'url' | 'policy' | 'deadline' | 'signal'>;

export interface StreamRequest extends Omit<HttpRequest, 'bodyLimit' | 'redirects' | 'body'> {
  /** Of bytes no copy is made: a message may be long, and its answer take its time. */
  readonly body?: string | Uint8Array;
  /** The header fields for another address that the request is sent on to, where they are not the same for each. */
  readonly headersAt?: ((url: URL) => Promise<Readonly<Record<string, string>>>) | undefined;
  /** Bytes, where the reader takes more than usual: of one event or of a whole body, and of all events together. */
  readonly limits?: { readonly message: number; readonly stream: number } | undefined;
}

/** The operating system's keychain: a few short strings by account name. Errors: KC_*. */
export interface Keychain {
  /** `null`: there is no such entry, and the keychain has been shown to be usable. */
  read(account: string): Promise<string | null>;
  write(account: string, value: string): Promise<void>;
  delete(account: string): Promise<void>;
  /** Shows by an entry of its own, of which nothing stays, that one can be kept. It may ask a person. */
  prove(): Promise<void>;
  /** Ends the child process, if one runs. */
  close(): Promise<void>;
}

/** Names one sealed record. All of it is associated data: the record opens under no other name. */
export type VaultKey =
  | {
      readonly kind: 'tokens' | 'credentials' | 'registration';
      /** Integration id; for a registration the redirect URI that it belongs to. */
      readonly owner: string;
      readonly issuerKey: IssuerKey;
    }
  | {
      readonly kind: 'header';
      readonly owner: string;
      /** URL of the server that the header is for: an API key has no issuer. */
      readonly server: string;
    }
  | {
      readonly kind: 'environment';
      readonly owner: string;
      /** Hash of the command that the variables are for, and that a person has allowed. */
      readonly command: string;
    }
  | {
      readonly kind: 'program';
      /** `program:` and the id of the record of a program, which shows it to Postern over HTTP. */
      readonly owner: string;
    };

export type VaultRecordToWrite = readonly [key: VaultKey, value: unknown];

/** Secrets at rest. Values are JSON. Errors: KC_*, CFG_* with stage `storage`. */
export interface Vault {
  /** False: kept in memory only, since the person chose so or no keychain can be used. */
  readonly persistent: boolean;
  /** Makes sure that a record can be written: the key is there or is made now. For before a sign-in, not after it. */
  ready(): Promise<void>;
  read(key: VaultKey): Promise<unknown>;
  /** The same for many records, as they are now: what is written later is not in it. */
  snapshot(): Promise<(key: VaultKey) => Promise<unknown>>;
  /** Resolves only after the record has been read back from where it is kept. */
  write(key: VaultKey, value: unknown): Promise<void>;
  /** The same for records that belong together: after a crash all of them are there, or none. */
  writeTogether(records: readonly VaultRecordToWrite[]): Promise<void>;
  /** All of them in one step; those that are not there are no error. */
  delete(...keys: VaultKey[]): Promise<void>;
  /** Keys of every record of these, for removal. */
  keysOf(...owners: readonly string[]): Promise<readonly VaultKey[]>;
  /** Who has records, for finding those whose owner is gone. */
  owners(): Promise<readonly string[]>;
  /**
   * What could not be written and must not be lost while this vault is open, by the caller's names. `replaces` tells
   * the record apart that it replaces: any other one that is there is newer than both.
   */
  readonly unsaved: Map<string, { readonly record: unknown; readonly replaces: string }>;
  /**
   * When this process has written a record that it received, by its monotonic clock, which means nothing to others; by
   * the caller's names. `received` tells the record apart.
   */
  readonly receipts: Map<string, { readonly received: string; readonly monotonic: number }>;
}

/** Kernel locks across processes, by name. */
export interface Locks {
  /** Holds `name`, once it is free, while `work` runs. Errors: what `work` throws, USER_CANCELLED, CFG_CONFLICT. */
  hold<Result>(name: string, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result>;
}

/** That a sign-in is the newest of its integration, as far as other processes of the profile go. */
interface SignInLease {
  /** Another process held the lease: its sign-in ends now, or ended without giving it up. */
  readonly supersedes: boolean;
  /** Looks now. False from the moment at which another process has taken it, done with it or not. */
  isNewest(): boolean;
  /** Never rejects. */
  release(): Promise<void>;
}

/** Which process has the newest sign-in of an integration. */
export interface SignInLeases {
  /** Takes the lease of `name` over from other processes; sign-ins of this one share it. Never rejects. */
  take(name: string): Promise<SignInLease>;
}

/** JSON lines with redaction by allow-list: only these fields, and never a URL's query. */
export interface Log {
  write(event: string, fields?: Readonly<Record<string, string | number | boolean | undefined>>): void;
}

/** What is connected, and what is being deleted. One that is signed out stands in both. */
interface ServerList {
  readonly integrations: readonly Integration[];
  readonly pendingDeletions: readonly PendingDeletion[];
}

/** Settings and integration list on disk. Errors: CFG_* with stage `settings`. Every change holds the profile lock. */
export interface IntegrationStore {
  list(): Promise<readonly Integration[]>;
  /** Whoever is not in the list is nobody's, and what was kept for it may go. */
  listIsWhole(): Promise<boolean>;
  read(id: string): Promise<Integration | undefined>;
  /** Inserts, or replaces the one with the same id; answers what is kept, its alias made here. */
  write(integration: Integration): Promise<Integration>;
  /** Re-reads, changes and writes in one step; `undefined` when there is no such integration. */
  update(id: string, ...change: EntryChange): Promise<Integration | undefined>;
  /** With what could still be taken back of them, in one step. */
  delete(...ids: readonly string[]): Promise<void>;
  pendingDeletions(): Promise<readonly PendingDeletion[]>;
  /** Re-reads, changes and writes both in one step. */
  changeList(change: (list: ServerList) => ServerList): Promise<void>;
  settings(): Promise<Settings>;
  updateSettings(change: (settings: Settings) => Settings): Promise<Settings>;
  /** Goes back to the default, also from a value that cannot be read. */
  resetSetting(name: SettingName): Promise<void>;
}

/** What brought a change of a server's entry about, where the entry itself does not tell: its history does. */
export type ChangeCause = Pick<ServerEvent, 'kind' | 'code'>;
type EntryChange = readonly [change: (integration: Integration) => Integration, because?: ChangeCause];

/** What happened to each server. It can be lost at any time, and is kept only of those in the list. None rejects. */
export interface HistoryStore {
  read(id: string): Promise<ServerHistory>;
  /** In the order in which they happened. */
  note(id: string, events: readonly ServerEvent[]): Promise<void>;
  /** The same for many servers, by their ids. */
  noteAll(events: ReadonlyMap<string, readonly ServerEvent[]>): Promise<void>;
  keepSignIn(id: string, signIn: KeptSignIn): Promise<void>;
  forget(...ids: readonly string[]): Promise<void>;
  /** Forgets all that are not in the list, and cannot come back. */
  sweep(): Promise<void>;
}

/** One tool as a server described it, to be told apart from what it says later. */
export interface SeenTool {
  readonly name: string;
  /** Hash of all that it says of itself: see `seeTool`. */
  readonly form: string;
  /** The same as text, as far as that is kept. */
  readonly text?: string | undefined;
}

/** A tool as a person has had it before them. */
export interface PinnedTool {
  readonly name: string;
  /** Those that the person has accepted, the newest last. */
  readonly forms: readonly string[];
  /** Of the newest. */
  readonly text?: string | undefined;
}

/** What a tool says otherwise, or one that is new; nobody has looked at it. */
export interface ChangedTool extends SeenTool {
  /** Milliseconds since 1970 at which it was seen. */
  readonly at: number;
}

/** What is remembered of the tools of one server. */
export interface ToolPins {
  /** All of them have been listed: whatever else comes is new. */
  readonly isWhole: boolean;
  readonly tools: readonly PinnedTool[];
  readonly changed: readonly ChangedTool[];
}

/** Keeps it on disk, by integration. */
export interface PinStore {
  /** `undefined`: nothing is kept. A file that cannot be read has all tools as new ones. Never rejects. */
  read(id: string): Promise<ToolPins | undefined>;
  /**
   * Re-reads, changes and writes in one step, where the integration is in the list; answers what is then kept.
   * Errors: CFG_* (stage `storage`).
   */
  change(id: string, edit: (pins: ToolPins | undefined) => ToolPins): Promise<ToolPins>;
  /** Never rejects. */
  forget(...ids: readonly string[]): Promise<void>;
  /** Forgets all that are not in the list, and cannot come back. Never rejects. */
  sweep(): Promise<void>;
}

/** Why a file that should hold an assertion is not read. `foreign`: somebody else can write what it says. */
export type AssertionFileFault = 'missing' | 'denied' | 'not-a-file' | 'large' | 'foreign';

/** Files that somebody else renews, and that say who this computer, or a person on it, is. */
export interface AssertionFiles {
  /** What stands in it now, without the white space around it. Never rejects. */
  read(path: string): Promise<Secret | AssertionFileFault>;
}

/** All that is kept of a person on this computer, to be deleted as a whole. Each step may be taken again. */
export interface KeptData {
  /**
   * Ends sign-ins of other processes before they store anything. Errors: CFG_NEWER before it touches any of it, CFG_*.
   */
  prepare(): Promise<void>;
  /**
   * Deletes each keychain entry, then its file, or only the records where it refuses. How many. Errors: KC_*, CFG_*.
   */
  deleteSecrets(): Promise<number>;
  /** Deletes settings, list, copies of damaged ones, logs, and what locks and sign-ins left. Errors: CFG_*. */
  deleteRest(): Promise<void>;
}

/**
 * What the page that the browser lands on says. `failed`: it was the callback of this sign-in, and its answer cannot
 * be trusted or used. `used`: its answer has come before. `superseded`: a newer sign-in was started. `opened-twice`: a
 * one-time link of it was used again.
 */
export type CallbackVerdict =
  'done' | 'refused' | 'expired' | 'failed' | 'used' | 'superseded' | 'opened-twice' | 'not-valid';

/** Where a one-time link leads, or why it leads nowhere. */
export type LinkAnswer = { readonly url: CheckedAddress } | Exclude<CallbackVerdict, 'done'>;

/** What the listener asks for each request that a browser may send; the answers choose its pages. */
export interface CallbackAnswers {
  /** The raw query (without `?`) of a GET of the callback path. */
  callback(query: string): CallbackVerdict;
  /** The word of a one-time link. */
  link(word: string): LinkAnswer;
}

export interface CallbackListener {
  /** The redirect URI, byte for byte as it is registered and sent. */
  readonly url: string;
  /** The one-time link with this word: 32 random bytes in base64url. */
  linkTo(word: string): string;
  close(): Promise<void>;
}

export interface CallbackReceiver {
  /**
   * Binds the address; for `localhost` both families, since a browser may take either. Only what a browser may send
   * when a person goes there is asked about. Errors: PORT_UNAVAILABLE.
   */
  listen(
    address: { readonly host: '127.0.0.1' | 'localhost'; readonly port: number },
    answers: CallbackAnswers,
  ): Promise<CallbackListener>;
  /** A port that is free now, to be stored as this profile's callback port. */
  freePort(): Promise<number>;
}

type EndVerdict = Extract<CallbackVerdict, 'refused' | 'expired' | 'superseded' | 'opened-twice'>;

const codeOf: Readonly<Record<EndVerdict, ErrorCode>> = {
  refused: 'USER_DENIED',
  expired: 'STATE_EXPIRED',
  superseded: 'FLOW_SUPERSEDED',
  'opened-twice': 'LINK_REUSED',
};

/** An end of a sign-in of which the page in the browser has its own word. */
export class SignInEnd extends PosternError {
  readonly verdict: EndVerdict;

  constructor(verdict: EndVerdict, options: PosternErrorOptions) {
    super(codeOf[verdict], options);
    this.verdict = verdict;
  }
}
