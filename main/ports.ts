import type { ErrorCode, Stage } from '../shared/error-codes.ts';
import type { Integration, IssuerKey } from '../shared/integration.ts';
import type { PendingDeletion } from '../shared/pending-deletion.ts';
import type { SettingName, Settings } from '../shared/settings.ts';
import type { RequestPurpose, TracedSignIn, ServerEvent, ServerHistory } from '../shared/trace.ts';
import type { AddressPolicy, CheckedAddress } from './address/check-address.ts';
import { PosternError } from './errors/postern-error.ts';
import type { PosternErrorOptions } from './errors/postern-error.ts';
import type { Secret } from './secret.ts';

/** The engine's ports to the outside world, implemented in `net/`, `storage/` and `host/`. */
export interface Clock {
  /** Wall clock, in milliseconds since 1970. The user can set it. */
  now(): number;
  /** Milliseconds; never goes backwards, whatever happens to the wall clock. */
  monotonic(): number;
  /** Runs `run` once after `milliseconds` (clamped to what a timer can hold). Returns a function that cancels it. */
  after(milliseconds: number, run: () => void): () => void;
}

export interface Random {
  /** Cryptographically secure. */
  bytes(length: number): Uint8Array<ArrayBuffer>;
}

export interface HttpRequest {
  readonly purpose: RequestPurpose;
  readonly stage: Stage;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: CheckedAddress;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Which hosts this integration may reach. Checked for the name, the resolved address and every redirect. */
  readonly policy: AddressPolicy;
  /** `same-origin` follows at most 3 hops of a GET; `none` fails with REDIRECT_REFUSED. */
  readonly redirects: 'same-origin' | 'none';
  /** Milliseconds for the whole exchange, not counting time in the queue (`onWait`). */
  readonly deadline: number;
  /** Bytes after decoding. */
  readonly bodyLimit: number;
  readonly signal?: AbortSignal | undefined;
  /** Called before anything is sent if the request has to queue. The function it returns is called when it leaves. */
  readonly onWait?: (() => () => void) | undefined;
  /** Called when the request is sent. */
  readonly onSent?: (() => void) | undefined;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The final URL, after redirects. */
  readonly url: string;
  readonly body: Uint8Array;
}

/** The one HTTP client: manual redirects, whole-exchange deadlines, size limits and the address policy. */
export interface Http {
  /**
   * One exchange, with the body read completely. No status is an error.
   * Errors: URL_*, HOST_BLOCKED, DNS_FAIL, DNS_REBIND, TLS_FAIL, CONNECT_FAIL, DEADLINE, REDIRECT_REFUSED,
   * REDIRECT_LOOP, HEADERS_TOO_LARGE, BODY_TOO_LARGE, BODY_ENCODING, USER_CANCELLED (when `signal` aborts).
   */
  exchange(request: HttpRequest): Promise<HttpResponse>;
  /**
   * MCP traffic: same rules, but the body streams. `deadline` covers the headers of an event stream, or else the whole
   * exchange. Each event, or the whole body, has a size limit (RESULT_TOO_LARGE). A same-origin 307 or 308 is followed
   * with body and credentials, because it asks to repeat the same request.
   */
  stream(request: StreamRequest): Promise<Response>;
  /**
   * Resolves a host without connecting to it; the policy must allow every address. Skipped for a host that the user
   * named and for one that a proxy resolves.
   * Errors: URL_*, HOST_BLOCKED, DNS_FAIL, DNS_REBIND, DEADLINE, USER_CANCELLED (when `signal` aborts).
   */
  resolveHost(request: ResolveHostRequest): Promise<void>;
}

export type ResolveHostRequest = Pick<HttpRequest, 'purpose' | 'stage' | 'url' | 'policy' | 'deadline' | 'signal'>;

export interface StreamRequest extends Omit<HttpRequest, 'bodyLimit' | 'redirects' | 'body'> {
  /** Bytes are not copied: a message may be long, and its response slow. */
  readonly body?: string | Uint8Array;
  /** The headers for a redirect target, if they depend on the URL. */
  readonly headersAt?: ((url: URL) => Promise<Readonly<Record<string, string>>>) | undefined;
  /** Bytes, if the caller accepts more than usual: per event or whole body, and for all events together. */
  readonly limits?: { readonly message: number; readonly stream: number } | undefined;
}

/** The operating system's keychain: a few short strings, by account name. Errors: KC_*. */
export interface Keychain {
  /** `null`: there is no such entry, and the keychain is known to work. */
  read(account: string): Promise<string | null>;
  write(account: string, value: string): Promise<void>;
  delete(account: string): Promise<void>;
  /** Writes and removes a test entry, to check that the keychain works. The system may prompt the user. */
  probe(): Promise<void>;
  /** Stops the child process, if one is running. */
  close(): Promise<void>;
}

/** Identifies one sealed record. It is AEAD associated data, so the record cannot be opened under another key. */
export type VaultKey =
  | {
      readonly kind: 'tokens' | 'credentials' | 'registration';
      /** Integration id; for a registration, its redirect URI. */
      readonly owner: string;
      readonly issuerKey: IssuerKey;
    }
  | {
      readonly kind: 'header';
      readonly owner: string;
      /** URL of the server that gets the header: an API key has no issuer. */
      readonly server: string;
    }
  | {
      readonly kind: 'environment';
      readonly owner: string;
      /** Hash of the command that the user has allowed, and that gets the variables. */
      readonly command: string;
    }
  | {
      readonly kind: 'app';
      /** `program:` and the id of the app's record. The secret authenticates the app over HTTP. */
      readonly owner: string;
    };

export type VaultRecordToWrite = readonly [key: VaultKey, value: unknown];

/** Encrypted storage for secrets. Values are JSON. Errors: KC_*, CFG_* with stage `storage`. */
export interface Vault {
  /** False if secrets stay in memory, because the user chose so or no keychain works. */
  readonly isPersistent: boolean;
  /** Makes sure that records can be written, creating the key if needed. Call it before a sign-in, not after. */
  ready(): Promise<void>;
  read(key: VaultKey): Promise<unknown>;
  /** A reader for many records that does not see later writes. */
  snapshot(): Promise<(key: VaultKey) => Promise<unknown>>;
  /** Resolves only after the record has been read back from storage. */
  write(key: VaultKey, value: unknown): Promise<void>;
  /** Writes records atomically: after a crash, either all or none are there. */
  writeTogether(records: readonly VaultRecordToWrite[]): Promise<void>;
  /** Deletes all of them atomically. Missing records are not an error. */
  delete(...keys: VaultKey[]): Promise<void>;
  /** Keys of all records of these owners, for removal. */
  keysOf(...owners: readonly string[]): Promise<readonly VaultKey[]>;
  /** All owners that have records, to find orphaned ones. */
  owners(): Promise<readonly string[]>;
  /**
   * Records that could not be written and must survive while this vault is open, by names that the caller chooses.
   * `replaces` is a fingerprint of the record to be replaced: if another record is stored, it is newer than both.
   */
  readonly unsaved: Map<string, { readonly record: unknown; readonly replaces: string }>;
  /**
   * When this process stored a record that it received, by names that the caller chooses. `monotonic` has no meaning
   * in another process; `fingerprint` is that of the record.
   */
  readonly receipts: Map<string, { readonly fingerprint: string; readonly monotonic: number }>;
}

/** Named locks across processes, held in the kernel so that a crash releases them. */
export interface Locks {
  /** Waits for `name` and holds it while `work` runs. Errors: those of `work`, USER_CANCELLED, CFG_CONFLICT. */
  hold<Result>(name: string, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result>;
}

/** Held by the newest sign-in of an integration across all processes of the profile. */
interface SignInLease {
  /** True if another process held the lease. Its sign-in ends now, or has ended without releasing the lease. */
  readonly supersedes: boolean;
  /** Reads the current state. False once another process has taken the lease, even if it has released it since. */
  isNewest(): boolean;
  /** Never rejects. */
  release(): Promise<void>;
}

export interface SignInLeases {
  /** Takes the lease `name` over from other processes. Sign-ins in this process share it. Never rejects. */
  acquire(name: string): Promise<SignInLease>;
}

/** JSON lines, redacted by allow-list: only known fields, and never the query of a URL. */
export interface Log {
  write(event: string, fields?: Readonly<Record<string, string | number | boolean | undefined>>): void;
}

/** A signed-out server whose deletion is pending is in both lists. */
interface ServerList {
  readonly integrations: readonly Integration[];
  readonly pendingDeletions: readonly PendingDeletion[];
}

/** Settings and the integration list on disk. Changes hold the profile lock. Errors: CFG_* with stage `settings`. */
export interface IntegrationStore {
  list(): Promise<readonly Integration[]>;
  /** True if data of integrations that are not in the list may be deleted. */
  isListComplete(): Promise<boolean>;
  read(id: string): Promise<Integration | undefined>;
  /** Inserts or replaces by id. Assigns the alias, and returns the stored integration. */
  write(integration: Integration): Promise<Integration>;
  /** Reads, changes and writes atomically. `undefined`: there is no such integration. */
  update(id: string, ...change: EntryChange): Promise<Integration | undefined>;
  /** Deletes them and their pending deletions (which could still be undone) atomically. */
  delete(...ids: readonly string[]): Promise<void>;
  pendingDeletions(): Promise<readonly PendingDeletion[]>;
  /** Reads, changes and writes both lists atomically. */
  changeList(change: (list: ServerList) => ServerList): Promise<void>;
  settings(): Promise<Settings>;
  updateSettings(change: (settings: Settings) => Settings): Promise<Settings>;
  /** Resets to the default, even from an invalid value. */
  resetSetting(name: SettingName): Promise<void>;
}

/** Why an entry changed, for the server's history, if the entry itself does not show it. */
export type ChangeCause = Pick<ServerEvent, 'kind' | 'code'>;
type EntryChange = readonly [change: (integration: Integration) => Integration, cause?: ChangeCause];

/** Events of each listed server. Losing them is harmless. Nothing here rejects. */
export interface HistoryStore {
  read(id: string): Promise<ServerHistory>;
  /** Events are in the order in which they happened. */
  record(id: string, events: readonly ServerEvent[]): Promise<void>;
  /** The same for many servers, by id. */
  recordAll(events: ReadonlyMap<string, readonly ServerEvent[]>): Promise<void>;
  saveSignIn(id: string, signIn: TracedSignIn): Promise<void>;
  forget(...ids: readonly string[]): Promise<void>;
  /** Forgets all that are not in the list, and cannot come back. */
  sweep(): Promise<void>;
}

/** A tool as the server described it, to detect later changes. */
export interface SeenTool {
  readonly name: string;
  /** Hash of the whole description: see `fingerprintTool`. */
  readonly form: string;
  /** The description as text, if it was short enough to store. */
  readonly text?: string | undefined;
}

/** A tool that the user has reviewed. */
export interface PinnedTool {
  readonly name: string;
  /** Hashes that the user has accepted, newest last. */
  readonly forms: readonly string[];
  /** Text of the newest one. */
  readonly text?: string | undefined;
}

/** A changed or new tool that the user has not reviewed. */
export interface ChangedTool extends SeenTool {
  /** When it was seen, in milliseconds since 1970. */
  readonly at: number;
}

/** Tool pinning for one server: accepted descriptions, and changes to review. */
export interface ToolPins {
  /** When the whole list was last received, within the hour. Milliseconds since 1970. */
  readonly listedAt?: number | undefined;
  /** True once all tools have been listed: from then on an unknown tool is new. */
  readonly isWhole: boolean;
  readonly tools: readonly PinnedTool[];
  readonly changed: readonly ChangedTool[];
}

/** Tool pins on disk, by integration id. */
export interface PinStore {
  /** `undefined`: nothing is stored. If the file is unreadable, all tools count as new. Never rejects. */
  read(id: string): Promise<ToolPins | undefined>;
  /**
   * Reads, changes and writes atomically, if the integration is in the list. Returns what is then stored.
   * Errors: CFG_* (stage `storage`).
   */
  change(id: string, edit: (pins: ToolPins | undefined) => ToolPins): Promise<ToolPins>;
  /** Never rejects. */
  forget(...ids: readonly string[]): Promise<void>;
  /** Forgets all that are not in the list, and cannot come back. Never rejects. */
  sweep(): Promise<void>;
}

/** Why an assertion file is not used. `foreign`: another user can write to it. */
export type AssertionFileFault = 'missing' | 'denied' | 'not-a-file' | 'large' | 'foreign';

/** Assertion files that another program renews, and that identify this computer or a user of it. */
export interface AssertionFiles {
  /** The current content, trimmed. Never rejects. */
  read(path: string): Promise<Secret | AssertionFileFault>;
}

/** Deletes everything that Postern has stored on this computer. Every step is safe to repeat. */
export interface StoredData {
  /**
   * Ends sign-ins in other processes before they store anything. Errors: CFG_NEWER before anything is touched, CFG_*.
   */
  prepare(): Promise<void>;
  /**
   * Deletes each keychain entry and then its vault file, or empties the file if the keychain refuses. Returns the
   * number of keychain entries. Errors: KC_*, CFG_*.
   */
  deleteSecrets(): Promise<number>;
  /** Deletes settings, the list, copies of damaged files, logs, lock files and sign-in leftovers. Errors: CFG_*. */
  deleteRest(): Promise<void>;
}

/**
 * Which page the browser lands on. `failed`: the callback belongs to this sign-in, but its response cannot be trusted
 * or used. `used`: the response was already received. `superseded`: a newer sign-in was started. `opened-twice`: a
 * one-time link was opened again.
 */
export type CallbackVerdict =
  'done' | 'refused' | 'expired' | 'failed' | 'used' | 'superseded' | 'opened-twice' | 'not-valid';

/** Where a one-time link redirects to, or why it does not. */
export type LinkTarget = { readonly url: CheckedAddress } | Exclude<CallbackVerdict, 'done'>;

/** Called by the listener for each acceptable browser request; the result selects the page. */
export interface CallbackHandlers {
  /** `query`: the raw query, without `?`, of a GET to the callback path. */
  callback(query: string): CallbackVerdict;
  /** `token`: from the path of a one-time link. */
  link(token: string): LinkTarget;
}

export interface CallbackListener {
  /** The redirect URI, exactly as it is registered and sent. */
  readonly url: string;
  /** Builds a one-time link. `token`: 32 random bytes in base64url. */
  linkTo(token: string): string;
  close(): Promise<void>;
}

export interface CallbackReceiver {
  /**
   * Binds the address; for `localhost` both IPv4 and IPv6, because a browser may use either. Only requests that a
   * browser can send for a user's navigation reach the handlers. Errors: PORT_UNAVAILABLE.
   */
  listen(
    address: { readonly host: '127.0.0.1' | 'localhost'; readonly port: number },
    handlers: CallbackHandlers,
  ): Promise<CallbackListener>;
  /** A currently free port, to be stored as this profile's callback port. */
  freePort(): Promise<number>;
}

type EndVerdict = Extract<CallbackVerdict, 'refused' | 'expired' | 'superseded' | 'opened-twice'>;

const codeOf: Readonly<Record<EndVerdict, ErrorCode>> = {
  refused: 'USER_DENIED',
  expired: 'STATE_EXPIRED',
  superseded: 'FLOW_SUPERSEDED',
  'opened-twice': 'LINK_REUSED',
};

/** An end of a sign-in that has its own page in the browser. */
export class SignInEnd extends PosternError {
  readonly verdict: EndVerdict;

  constructor(verdict: EndVerdict, options: PosternErrorOptions) {
    super(codeOf[verdict], options);
    this.verdict = verdict;
  }
}
