// Sessions without a server: one waits for consent, the other reports why it was refused.

import type { Reservation, AppConnection, GatewaySession, Send } from '../../gateway-ports.ts';
import { accessRequests } from '../../limits.ts';
import { surveyInSlices } from '../../mcp/messages/survey-json.ts';
import { clientNamesOf } from '../capabilities/app-access.ts';
import { errorText, refusalOf, rpcCode, tooLongText, unusableText } from '../responses/responses.ts';
import type { Refusal } from '../responses/responses.ts';
import type { PendingConnections } from '../limits/open-sessions.ts';
import type { CallLog, CallOutcome } from '../responses/call-log.ts';
import { readEnvelope, readInSlices } from '../messages/envelope.ts';
import { isRequestMethod } from '../capabilities/method-rules.ts';

/** Requests consent for an app with these self-reported names. Never rejects. */
type BeginSession = (ownNames: readonly string[]) => Promise<GatewaySession>;

/** A session that waits for consent. Queues the app's messages, since reading them reveals when the app disconnects. */
export class WaitingSession implements GatewaySession {
  readonly reading: Reservation;
  readonly #connection: AppConnection;
  readonly #app: string | undefined;
  readonly #pending: PendingConnections;
  readonly #beginSession: BeginSession;
  /** Removes it from `PendingConnections`. */
  #leave: () => void;
  readonly #queued: Buffer[] = [];
  #queuedBytes = 0;
  #session: GatewaySession | undefined;
  #isDraining = false;
  #opening: Promise<void> | undefined;
  #isClosed = false;

  /** `app`: claimed record id. */
  constructor(
    { connection, reading }: { readonly connection: AppConnection; readonly reading: Reservation },
    app: string | undefined,
    pending: PendingConnections,
    beginSession: BeginSession,
  ) {
    this.reading = reading;
    this.#connection = connection;
    this.#app = app;
    this.#pending = pending;
    this.#beginSession = beginSession;
    // An app that sends no request is disconnected after a while.
    this.#leave = pending.enter(app, connection.hangUp);
  }

  get isIdle(): boolean {
    return this.#session?.isIdle ?? true;
  }

  /** Consent is requested with the app's first request. Never rejects. */
  async receive(bytes: Buffer): Promise<void> {
    await surveyInSlices(bytes);
    if (this.#session) return await this.#session.receive(bytes);
    if (this.#isDraining) return await this.#connection.requeue(bytes);
    if (!this.#opening) {
      const message = readEnvelope(bytes);
      if (message.kind === 'unusable') return await this.#connection.send(unusableText(message.id, message.reason));
      if (message.kind !== 'request') return;
      this.#restartTimeout();
      this.#opening = this.#begin(clientNamesOf(message));
    }
    this.#queued.push(Buffer.from(bytes));
    this.#queuedBytes += bytes.byteLength;
    if (this.#queuedBytes > accessRequests.bufferedBytes) await this.#opening;
  }

  async refuseOversized(beginning: Buffer): Promise<void> {
    await (this.#session?.refuseOversized(beginning) ?? this.#connection.send(tooLongText(beginning)));
  }

  /** Requeues everything: the next gateway requests consent again. */
  async drain(): Promise<void> {
    if (this.#session) return await this.#session.drain();
    this.#isDraining = true;
    for (let next = this.#queued.shift(); next; next = this.#queued.shift()) await this.#connection.requeue(next);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#leave();
    await this.#session?.close();
  }

  /** Restarts the timeout, so that the user has the whole time to decide. */
  #restartTimeout(): void {
    this.#leave();
    this.#leave = this.#pending.enter(this.#app, this.#connection.hangUp, true);
  }

  async #begin(ownNames: readonly string[]): Promise<void> {
    const session = await this.#beginSession(ownNames);
    this.#leave();
    if (this.#isClosed) return await session.close();
    for (let next = this.#queued.shift(); next; next = this.#queued.shift()) await session.receive(next);
    this.#session = session;
    if (this.#isDraining) await session.drain();
    if (this.#isClosed) await session.close();
  }
}

interface RefusedSessionOptions {
  readonly send: Send;
  readonly calls: CallLog;
  readonly leave: () => void;
  readonly reading: Reservation;
}

/** A refused session: every request is answered with the reason. */
export class RefusedSession implements GatewaySession {
  readonly isIdle = true;
  readonly reading: Reservation;
  readonly #refusal: Refusal;
  readonly #send: Send;
  readonly #calls: CallLog;
  readonly #leave: () => void;

  /** `leave`: called when it is closed. */
  constructor(refusal: Refusal, { send, calls, leave, reading }: RefusedSessionOptions) {
    this.#refusal = refusal;
    this.#send = send;
    this.#calls = calls;
    this.#leave = leave;
    this.reading = reading;
  }

  /** Never rejects. */
  async receive(bytes: Buffer): Promise<void> {
    const message = await readInSlices(bytes);
    if (message.kind === 'unusable') return await this.#send(unusableText(message.id, message.reason));
    if (message.kind === 'notification' && isRequestMethod(message.method))
      this.#calls.begin(message).end(this.#refusal.code, 0);
    if (message.kind !== 'request') return;
    const { id, method } = message;
    // Makes apps that support both kinds of revisions fall back to `initialize`, where they show the error.
    const isDiscovery = method === 'server/discover';
    const text = isDiscovery
      ? errorText(id, rpcCode.unknownMethod, 'Method not found')
      : refusalOf(id, method, this.#refusal);
    const outcome: CallOutcome = isDiscovery ? `${rpcCode.unknownMethod}` : this.#refusal.code;
    this.#calls.begin(message).end(outcome, Buffer.byteLength(text));
    await this.#send(text);
  }

  async refuseOversized(beginning: Buffer): Promise<void> {
    await this.#send(tooLongText(beginning));
  }

  async drain(): Promise<void> {}

  async close(): Promise<void> {
    this.#leave();
  }
}
