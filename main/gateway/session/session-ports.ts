import type { ServerProtocol } from '../../../shared/integration.ts';
import type { UnusablePart } from '../../../shared/mcp-view.ts';
import type { Send } from '../../gateway-ports.ts';
import type { Clock } from '../../ports.ts';
import type { HttpResponses, Refusal, SendToApp } from '../responses/responses.ts';
import type { Judgement } from '../responses/judge-failure.ts';
import type { AppBudget } from '../limits/message-budget.ts';
import type { CallLog } from '../responses/call-log.ts';
import { changeOf, changesOf, hasChanged, isHandshake } from '../messages/catalog.ts';
import type { Catalog } from '../messages/catalog.ts';
import type { ResponseEnvelope, RequestEnvelope } from '../messages/envelope.ts';
import type { Capabilities } from '../capabilities/capabilities.ts';
import type { UnexpectedMessage } from '../server/served-server.ts';
import type { SendOptions } from '../server/connection.ts';
import type { Upstream } from '../server/upstream.ts';
import type { MessageContext } from './pending-requests.ts';

/** What one session needs of the gateway. */
export interface SessionPorts {
  readonly clock: Pick<Clock, 'after'>;
  readonly upstream: Upstream;
  readonly catalog: Catalog;
  readonly calls: Pick<CallLog, 'begin'>;
  /** Called before anything of the app goes to the server. Errors: PosternError. */
  readonly admit: () => void;
  readonly capabilities: Capabilities;
  /** Of its app, across all sessions. */
  readonly budget: AppBudget;
  readonly send: SendToApp;
  /** Absent at the socket. */
  readonly answers?: HttpResponses | undefined;
  /** Shared by several processes of the app: a notification that none of them can receive waits for the next. */
  readonly isShared: boolean;
  /** Requeues a message that was not sent to the server. */
  readonly requeue: Send;
  /** How to report a failure, and whether the server may be back later. */
  readonly judge: (error: unknown) => Judgement;
  /** The same for what is reported to the app now, and to the user if only they can help. */
  readonly refuse: (error: unknown) => Refusal;
  /** The session is over. */
  readonly onClosed: () => void;
  /** A message came at the wrong time and is ignored. */
  readonly onUnexpected: (type: UnexpectedMessage) => void;
  /** Part of a response that the app does not get as it came. */
  readonly onUnusable: (part: UnusablePart) => void;
  /** The protocol form that the server's responses show. */
  readonly onProtocol: (protocol: ServerProtocol) => void;
  /** `response`: as it came. Never rejects. */
  readonly onTools: (response: Buffer) => Promise<unknown>;
  /**
   * Header fields that repeat arguments of a tool call (MCP 2026-07-28), or the app's own instead of all of Postern's.
   * Errors: PosternError.
   */
  readonly headersOf: (
    request: RequestEnvelope,
    again: boolean,
    own: MessageContext['fields'],
  ) => Promise<Pick<SendOptions, 'headers' | 'fields'>>;
  /** Whether the server has a result for this request of the app, repeated. Errors: PosternError. */
  readonly succeedsAgain: (request: RequestEnvelope) => Promise<boolean>;
  /** Whether the server is known to need sessions. */
  readonly isSessionServer: () => boolean;
  /** A local process: whether it works is known as soon as it has started. */
  readonly isLocal: boolean;
  /** Whether the server is known to be stateless, perhaps only that. */
  readonly isStatelessServer: () => boolean;
  /** Whether the bridge answers this handshake instead of the server. `isKnown`: whether the server has refused it. */
  readonly tryBridge: (initialize: RequestEnvelope, isKnown: 'refused' | 'unknown') => boolean;
}

/** What an app was told without its server, or could not be told: it asks again once the server is back. */
export class StaleResponses {
  /** Lists that this app has requested. */
  readonly #listed = new Set<string>();
  /** Requests answered from the cache and not yet by the server, with the response that the app got. */
  readonly #cached = new Map<RequestEnvelope, Buffer>();
  #isAway = false;

  get hasAny(): boolean {
    return this.#isAway || this.#cached.size > 0;
  }

  /** The app was answered from the cache; the server has yet to respond or fail. */
  noteCached(request: RequestEnvelope, given: Buffer): void {
    this.noteListing(request);
    this.#cached.set(request, given);
  }

  /**
   * The server has responded. Returns the notifications that the app needs if its response was different: the cache may
   * have that of another session by now.
   */
  noteResponse(request: RequestEnvelope, response: ResponseEnvelope): Iterable<string> {
    this.noteListing(request);
    const given = this.#cached.get(request);
    this.#cached.delete(request);
    if (!given || !hasChanged(given, request, response)) return [];
    return isHandshake(request.method) ? this.#changes() : changesOf([request.method]);
  }

  /** No response of the server will come. `isAway`: it could not be asked. */
  noteFailure(request: RequestEnvelope, isAway: boolean): void {
    const wasCached = this.#cached.delete(request);
    if (isAway || wasCached) this.markAway();
  }

  /** The server is unreachable, so what the app knows may be outdated. */
  markAway(): void {
    this.#isAway = true;
  }

  /** Nothing is stale once the app has these notifications. */
  takeNotifications(): Iterable<string> {
    const changes = this.hasAny ? this.#changes() : [];
    this.#isAway = false;
    this.#cached.clear();
    return changes;
  }

  /** The app has received this list. */
  noteListing({ method }: RequestEnvelope): void {
    if (changeOf(method) !== undefined) this.#listed.add(method);
  }

  /** Notifications for changed tools: none if the app has not listed them. */
  toolsChanged(): Iterable<string> {
    return this.#listed.has('tools/list') ? changesOf(['tools/list']) : [];
  }

  #changes(): Iterable<string> {
    return changesOf(this.#listed.size > 0 ? this.#listed : ['tools/list']);
  }
}
