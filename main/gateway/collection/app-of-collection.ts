import type { PosternError } from '../../errors/postern-error.ts';
import { uncounted } from '../../gateway-ports.ts';
import type { Holding, ProgramLine, ProgramSession } from '../../gateway-ports.ts';
import { tooLongText } from '../answers/answers.ts';
import type { AnswersByHttp, Refusal, SendAbout } from '../answers/answers.ts';
import { NewerProgram } from '../bridge/newer-program.ts';
import { isOfNewerWire } from '../bridge/revisions.ts';
import { cancelledId, readEnvelope, readInTurn } from '../messages/envelope.ts';
import type { Envelope } from '../messages/envelope.ts';
import type { CollectionSession, CollectionSessionPorts } from './collection-session.ts';

interface ProgramOfCollectionPorts extends Pick<ProgramLine, 'giveBack'> {
  readonly send: SendAbout;
  /** Left out at the socket. */
  readonly answers?: AnswersByHttp;
  /** Left out by HTTP, where the door counts it. */
  readonly reading?: Holding;
  readonly newId: () => string;
  readonly refuse: (error: PosternError) => Refusal;
  /** It is used; left out at the socket, where nobody is ended for others. */
  readonly touch?: (session: CollectionSession) => void;
  /** Ends the session of the collection. Never rejects. */
  readonly close: (session: CollectionSession) => Promise<void>;
}

/** Opens the session; what it has of its program. Errors: those of opening. */
type Open = (program: Pick<CollectionSessionPorts, 'send' | 'giveBack'>) => Promise<CollectionSession>;

/** One program that uses a collection, of whichever revision: the first request tells. */
export class ProgramOfCollection implements ProgramSession {
  readonly #ports: ProgramOfCollectionPorts;
  readonly #session: CollectionSession;
  readonly #way: { newer: NewerProgram | undefined };

  private constructor(
    ports: ProgramOfCollectionPorts,
    session: CollectionSession,
    way: { newer: NewerProgram | undefined },
  ) {
    this.#ports = ports;
    this.#session = session;
    this.#way = way;
  }

  static async open(open: Open, ports: ProgramOfCollectionPorts): Promise<ProgramOfCollection> {
    const way: { newer: NewerProgram | undefined } = { newer: undefined };
    const session = await open({
      send: (message, about) => (way.newer ? way.newer.take(message, about) : ports.send(message, about)),
      giveBack: (message) => (way.newer ? way.newer.takeBack(Buffer.from(message)) : ports.giveBack(message)),
    });
    return new ProgramOfCollection(ports, session, way);
  }

  get reading(): Holding {
    return this.#ports.reading ?? uncounted;
  }

  get isIdle(): boolean {
    return this.#session.isIdle && this.#way.newer?.isIdle !== false;
  }

  async receive(bytes: Buffer): Promise<void> {
    await this.take(await readInTurn(bytes));
  }

  /** `about`: what a request is known by, where that is not its id. Never rejects. */
  async take(message: Envelope, about?: string): Promise<void> {
    if (!this.#way.newer && isOfNewerWire(message)) {
      const pass = (bytes: Buffer): Promise<void> => this.#session.take(readEnvelope(bytes));
      this.#way.newer = new NewerProgram({ ...this.#ports, pass });
    }
    if (this.#way.newer) return await this.#way.newer.receive(message, about);
    await this.#session.take(message);
    if (message.kind === 'notification' && message.method === 'notifications/cancelled')
      this.#ports.answers?.end(cancelledId(message.bytes));
  }

  /** Of a program of the newer wire: nobody waits for this request. Never rejects. */
  async cancel(about: string): Promise<void> {
    await this.#way.newer?.cancel(about);
  }

  touch(): void {
    this.#ports.touch?.(this.#session);
  }

  async refuseLong(beginning: Buffer): Promise<void> {
    await this.#ports.send(tooLongText(beginning));
  }

  async rest(): Promise<void> {
    await this.#session.rest();
  }

  async close(): Promise<void> {
    await this.#ports.close(this.#session);
  }
}
