// The session of one app with a collection (several servers behind one entry).

import type { PosternError } from '../../errors/postern-error.ts';
import { unlimited } from '../../gateway-ports.ts';
import type { Reservation, AppConnection, GatewaySession } from '../../gateway-ports.ts';
import { tooLongText } from '../responses/responses.ts';
import type { HttpResponses, Refusal, SendToApp } from '../responses/responses.ts';
import { StatelessAppBridge } from '../bridge/stateless-app-bridge.ts';
import { isStatelessMessage } from '../bridge/revisions.ts';
import { cancelledId, readEnvelope, readInSlices } from '../messages/envelope.ts';
import type { Envelope } from '../messages/envelope.ts';
import type { CollectionSession, CollectionSessionPorts } from './collection-session.ts';

interface CollectionAppSessionPorts extends Pick<AppConnection, 'requeue'> {
  readonly send: SendToApp;
  /** Absent at the socket. */
  readonly httpResponses?: HttpResponses;
  /** Absent over HTTP, where the endpoint accounts for it. */
  readonly reading?: Reservation;
  readonly newId: () => string;
  readonly refuse: (error: PosternError) => Refusal;
  /** Marks the session as used. Absent at the socket, where sessions are never evicted. */
  readonly touch?: (session: CollectionSession) => void;
  /** Closes the collection's session. Never rejects. */
  readonly close: (session: CollectionSession) => Promise<void>;
}

/** Opens the collection session with the app's callbacks. Errors: GATEWAY_BUSY, CFG_*. */
type Open = (app: Pick<CollectionSessionPorts, 'send' | 'requeue'>) => Promise<CollectionSession>;

/** Set once the app turns out to be stateless. */
interface BridgeRef {
  current: StatelessAppBridge | undefined;
}

/** One app's session with a collection. Its first request shows whether the app is stateless. */
export class CollectionAppSession implements GatewaySession {
  readonly #ports: CollectionAppSessionPorts;
  readonly #session: CollectionSession;
  readonly #bridge: BridgeRef;

  private constructor(ports: CollectionAppSessionPorts, session: CollectionSession, bridge: BridgeRef) {
    this.#ports = ports;
    this.#session = session;
    this.#bridge = bridge;
  }

  static async open(open: Open, ports: CollectionAppSessionPorts): Promise<CollectionAppSession> {
    const bridge: BridgeRef = { current: undefined };
    const session = await open({
      send: (message, requestId) =>
        bridge.current ? bridge.current.handleCollectionMessage(message, requestId) : ports.send(message, requestId),
      requeue: (message) => (bridge.current ? bridge.current.requeue(Buffer.from(message)) : ports.requeue(message)),
    });
    return new CollectionAppSession(ports, session, bridge);
  }

  get reading(): Reservation {
    return this.#ports.reading ?? unlimited;
  }

  get isIdle(): boolean {
    return this.#session.isIdle && this.#bridge.current?.isIdle !== false;
  }

  async receive(bytes: Buffer): Promise<void> {
    await this.handle(await readInSlices(bytes));
  }

  /** `requestKey`: identifies a request, if its id does not. Never rejects. */
  async handle(message: Envelope, requestKey?: string): Promise<void> {
    if (!this.#bridge.current && isStatelessMessage(message)) {
      const sendToCollection = (bytes: Buffer): Promise<void> => this.#session.handleAppMessage(readEnvelope(bytes));
      this.#bridge.current = new StatelessAppBridge({ ...this.#ports, sendToApp: this.#ports.send, sendToCollection });
    }
    if (this.#bridge.current) return await this.#bridge.current.handleAppMessage(message, requestKey);
    await this.#session.handleAppMessage(message);
    if (message.kind === 'notification' && message.method === 'notifications/cancelled')
      this.#ports.httpResponses?.end(cancelledId(message.bytes));
  }

  /** A stateless app no longer waits for this request. Never rejects. */
  async cancel(requestKey: string): Promise<void> {
    await this.#bridge.current?.cancel(requestKey);
  }

  touch(): void {
    this.#ports.touch?.(this.#session);
  }

  async refuseOversized(beginning: Buffer): Promise<void> {
    await this.#ports.send(tooLongText(beginning));
  }

  async drain(): Promise<void> {
    await this.#session.drain();
  }

  async close(): Promise<void> {
    await this.#ports.close(this.#session);
  }
}
