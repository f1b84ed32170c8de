import type { PosternError } from '../../errors/postern-error.ts';
import { unlimited } from '../../gateway-ports.ts';
import type { Reservation, AppConnection, GatewaySession } from '../../gateway-ports.ts';
import { tooLongText } from '../responses/responses.ts';
import type { HttpResponses, Refusal, SendToApp } from '../responses/responses.ts';
import { StatelessApp } from '../bridge/stateless-app.ts';
import { isStatelessMessage } from '../bridge/revisions.ts';
import { cancelledId, readEnvelope, readInTurn } from '../messages/envelope.ts';
import type { Envelope } from '../messages/envelope.ts';
import type { CollectionSession, CollectionSessionPorts } from './collection-session.ts';

interface AppOfCollectionPorts extends Pick<AppConnection, 'requeue'> {
  readonly send: SendToApp;
  /** Absent at the socket. */
  readonly answers?: HttpResponses;
  /** Absent over HTTP, where the endpoint counts it. */
  readonly reading?: Reservation;
  readonly newId: () => string;
  readonly refuse: (error: PosternError) => Refusal;
  /** Marks it as used. Absent at the socket, where no session is ended for others. */
  readonly touch?: (session: CollectionSession) => void;
  /** Closes the collection's session. Never rejects. */
  readonly close: (session: CollectionSession) => Promise<void>;
}

/** Opens the session with the app's callbacks. Errors: those of opening. */
type Open = (app: Pick<CollectionSessionPorts, 'send' | 'requeue'>) => Promise<CollectionSession>;

/** One app that uses a collection; its first request shows which protocol form it speaks. */
export class AppOfCollection implements GatewaySession {
  readonly #ports: AppOfCollectionPorts;
  readonly #session: CollectionSession;
  readonly #way: { newer: StatelessApp | undefined };

  private constructor(
    ports: AppOfCollectionPorts,
    session: CollectionSession,
    way: { newer: StatelessApp | undefined },
  ) {
    this.#ports = ports;
    this.#session = session;
    this.#way = way;
  }

  static async open(open: Open, ports: AppOfCollectionPorts): Promise<AppOfCollection> {
    const way: { newer: StatelessApp | undefined } = { newer: undefined };
    const session = await open({
      send: (message, about) => (way.newer ? way.newer.take(message, about) : ports.send(message, about)),
      requeue: (message) => (way.newer ? way.newer.requeue(Buffer.from(message)) : ports.requeue(message)),
    });
    return new AppOfCollection(ports, session, way);
  }

  get reading(): Reservation {
    return this.#ports.reading ?? unlimited;
  }

  get isIdle(): boolean {
    return this.#session.isIdle && this.#way.newer?.isIdle !== false;
  }

  async receive(bytes: Buffer): Promise<void> {
    await this.take(await readInTurn(bytes));
  }

  /** `about`: identifies a request, if its id does not. Never rejects. */
  async take(message: Envelope, about?: string): Promise<void> {
    if (!this.#way.newer && isStatelessMessage(message)) {
      const pass = (bytes: Buffer): Promise<void> => this.#session.take(readEnvelope(bytes));
      this.#way.newer = new StatelessApp({ ...this.#ports, pass });
    }
    if (this.#way.newer) return await this.#way.newer.receive(message, about);
    await this.#session.take(message);
    if (message.kind === 'notification' && message.method === 'notifications/cancelled')
      this.#ports.answers?.end(cancelledId(message.bytes));
  }

  /** Stateless apps: nothing waits for this request any more. Never rejects. */
  async cancel(about: string): Promise<void> {
    await this.#way.newer?.cancel(about);
  }

  touch(): void {
    this.#ports.touch?.(this.#session);
  }

  async refuseLong(beginning: Buffer): Promise<void> {
    await this.#ports.send(tooLongText(beginning));
  }

  async drain(): Promise<void> {
    await this.#session.drain();
  }

  async close(): Promise<void> {
    await this.#ports.close(this.#session);
  }
}
