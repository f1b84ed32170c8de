import type { ActivityCall } from '../shared/activity.ts';
import type { Collection } from '../shared/collection.ts';
import type { ErrorCode } from '../shared/error-codes.ts';
import type { RemovedCollection } from '../shared/pending-deletion.ts';
import type { AppRecord } from '../shared/app-record.ts';

/** The interfaces between the gateway and its surroundings: endpoints, stores and the user. */

/** Version of the non-MCP lines between a pipe and Postern. A pipe with another version gets an error. */
export const pipeProtocol = 1;

/** The first line from a pipe: which app started it, and which server it wants. */
export interface Hello {
  /** In another version, everything else may be missing. */
  readonly protocol: number;
  /** Id, name or alias of an integration. */
  readonly server: string;
  /** Id of an app record. */
  readonly app?: string | undefined;
  /** Name of the parent process, as the pipe reports it. Only for display. */
  readonly parent?: string | undefined;
}

/** Writes one message, without a line end, to an app; resolves when there is room for another. Never rejects. */
export type Send = (message: Buffer | string) => Promise<void>;

/** The connection to one app. */
export interface AppConnection {
  readonly send: Send;
  /** Returns a message that was not sent to the server, so that the next gateway gets it. */
  readonly requeue: Send;
  /** Closes the connection. The app may reconnect, and then gets the reason. */
  readonly hangUp: () => void;
}

/** The session with one app. */
export interface GatewaySession {
  /** Accounts for the bytes of a message that is still incomplete. */
  readonly reading: Reservation;
  /** Handles one message. Resolves when the next may be read; never rejects. */
  receive(bytes: Buffer): Promise<void>;
  /** Refuses a message over the size limit, given its beginning. Never rejects. */
  refuseOversized(beginning: Buffer): Promise<void>;
  /** Sends nothing more to the server: unsent requests, and any that still arrive, are requeued. */
  drain(): Promise<void>;
  /** True if no request is in flight. */
  readonly isIdle: boolean;
  /** Aborts requests in flight, and ends the session at the server. Never rejects. */
  close(): Promise<void>;
}

/** Opens a session. If it is refused, the session itself responds with the reason. Never rejects. */
export type OpenSession = (hello: Hello, connection: AppConnection) => Promise<GatewaySession>;

/** One HTTP request from an app. */
export interface AppRequest {
  readonly method: 'POST' | 'GET' | 'DELETE';
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
  /** Aborts when the app no longer waits; the reason is `responseSent` if it got the whole response. */
  readonly signal: AbortSignal;
}

/** Abort reason of a request whose response was sent completely. */
export const responseSent = Symbol('response sent');

export interface AppResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | ReadableStream<Uint8Array> | undefined;
  /** Set if Postern itself responded instead of the server. A number is a JSON-RPC error code. */
  readonly code?: ErrorCode | `${number}`;
}

/** Whether an app with this secret may use the server, and if so, how its requests are handled. */
export type Admission =
  | { readonly kind: 'unknown' | 'not-allowed' }
  | {
      readonly kind: 'admitted';
      /** Id of the app record. */
      readonly app: string;
      /** Accounts for the body of one request; `hangUp` closes its connection. */
      readonly openReading: (hangUp: () => void) => Reservation;
      readonly respond: (request: AppRequest) => Promise<AppResponse>;
    };

/** `server`: an alias. Never rejects. */
export type AdmitBearer = (secret: string, server: string) => Promise<Admission>;

/** Where apps connect: the socket or HTTP. */
export interface Endpoint {
  /** Errors: CFG_*. */
  listen(): Promise<void>;
  /** True if no request is in flight. Meaningful after `stopAccepting`. */
  readonly isIdle: boolean;
  /** New apps have to wait, and so do new requests if the transport shows that they were not sent. */
  stopAccepting(): void;
  /** Ends every session. Never rejects. */
  close(): Promise<void>;
}

/** An app that the user has not allowed wants to use an integration. */
export interface AccessRequest {
  /** Its record, if there is one. */
  readonly record: AppRecord | undefined;
  /** The id in its configuration entry, or that of its record. */
  readonly entry: string | undefined;
  /** Its self-reported names, and its parent process. Untrusted: sanitize before display. */
  readonly ownNames: readonly string[];
  readonly parent: string | undefined;
  readonly integration: { readonly id: string; readonly name: string };
}

/** `app`: which known app the user says it is. */
export type AccessDecision =
  | { readonly kind: 'once' | 'no' }
  | { readonly kind: 'always'; readonly app: { readonly id: string; readonly name: string } };

/** Asks the user. `no` if they do not answer in time. Never rejects. */
export type AskForAccess = (request: AccessRequest) => Promise<AccessDecision>;

/** A tool call that the user wants to confirm. */
export interface CallToConfirm {
  /** Absent if the app was not added to Postern. */
  readonly app: AppRecord | undefined;
  readonly integration: { readonly id: string; readonly name: string };
  /** As the app sent it. Untrusted like `input`: sanitize before display. */
  readonly tool: string;
  /** The server's `readOnlyHint`. */
  readonly readOnly: boolean;
  readonly input: unknown;
  /** Whether it can be allowed beyond this session. */
  readonly canLast: boolean;
  /** Aborts when the decision no longer matters. */
  readonly signal: AbortSignal;
}

/** `missed`: the user did not answer in time. */
export type CallDecision = 'once' | 'session' | 'always' | 'no' | 'missed';

/** Asks the user. Never rejects. */
export type AskForCall = (call: CallToConfirm) => Promise<CallDecision>;

/** The user, whose consent AI apps need. If a member is absent, such requests are refused. */
export interface AppUser {
  /** Decides whether an app without permission may use a server. */
  readonly allowUse?: AskForAccess;
  /** Decides whether a tool call that needs confirmation may run. */
  readonly allowCall?: AskForCall;
}

/** The last listings that a server sent to apps. */
export interface CachedCatalog {
  /** Identifies the sign-in that received the listings; they are discarded with it. */
  readonly owner: string;
  /** JSON text of each request and its response. */
  readonly entries: readonly (readonly [request: string, response: string])[];
}

/** Cached listings on disk, by integration id. Errors: CFG_* (stage `storage`). */
export interface CatalogStore {
  /** `undefined`: nothing is cached, or it is unreadable. Never rejects. */
  read(id: string): Promise<CachedCatalog | undefined>;
  write(id: string, catalog: CachedCatalog): Promise<void>;
  /** Never rejects. */
  forget(id: string): Promise<void>;
  /** Deletes the listings of all integrations that are not in `ids`. Never rejects. */
  retain(ids: ReadonlySet<string>): Promise<void>;
}

/** Records which app called what. */
export interface ActivityStore {
  /** Best effort: returns at once and never throws. */
  add(call: ActivityCall): void;
}

/** App permissions, stored next to the integration list. Errors: CFG_* with stage `settings`. */
export interface AppRecords {
  list(): Promise<readonly AppRecord[]>;
  /** Reads, changes and writes atomically under the profile lock. Returns the new records. */
  change(work: (records: readonly AppRecord[]) => readonly AppRecord[]): Promise<readonly AppRecord[]>;
}

/**
 * Collections (several servers behind one entry), stored next to the integration list and watched like it
 * (`watchProfile`). Errors: CFG_* with stage `settings`.
 */
export interface Collections {
  list(): Promise<readonly Collection[]>;
  /** Like `AppRecords.change`. Removing a collection also removes the apps' permission to use it. */
  change(work: (collections: readonly Collection[]) => readonly Collection[]): Promise<readonly Collection[]>;
  /** Removed collections that can still be restored; not those whose name was reused. */
  removed(): Promise<readonly RemovedCollection[]>;
  /** Changes both lists atomically. Permissions stay as they are. */
  changeBoth(work: (both: CollectionLists) => CollectionLists): Promise<void>;
}

export interface CollectionLists {
  readonly collections: readonly Collection[];
  readonly removed: readonly RemovedCollection[];
}

/** Memory that is reserved for an incoming message while it is read. */
export interface Reservation {
  /** Sets the reservation to `bytes`; resolves once there is room. Shrinking is immediate. Never rejects. */
  reserve(bytes: number): Promise<void>;
}

/** For readers that need no accounting, because what they read is bounded anyway. */
export const unlimited: Reservation = { reserve: async () => {} };
