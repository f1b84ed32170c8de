import { ambiguousText, errorText, rpcCode, tooLongText, unusableText } from '../answers/answers.ts';
import { isCatalogued } from '../messages/catalogue.ts';
import { cancelledId, onOneLine, readEnvelope, statedRevision } from '../messages/envelope.ts';
import type { Envelope, RequestEnvelope } from '../messages/envelope.ts';
import { Behind } from './behind.ts';
import { Listening } from './listening.ts';
import { MessageOrder } from './message-order.ts';
import { Requests } from './requests.ts';
import { OpenQuestions } from './open-questions.ts';
import type { SessionPorts } from './session-ports.ts';
import { Untold } from '../limits/untold.ts';
import type { CallOutcome } from '../log/call-log.ts';
import { lacksId } from '../permissions/offer-of.ts';
import { PosternError } from '../../postern-error.ts';

const invalid: CallOutcome = `${rpcCode.notARequest}`;

/** One program that uses one server: its messages and the server's, each passed on as it came. */
export class Session {
  readonly #ports: SessionPorts;
  readonly #order: MessageOrder;
  readonly #behind = new Behind();
  readonly #listening: Listening;
  readonly #requests: Requests;
  readonly #questions = new OpenQuestions();
  readonly #untold: Untold;
  /** Of the newer wire, the last one of the program that may be asked again: it changes nothing. */
  #question: RequestEnvelope | undefined;
  #isClosed = false;

  constructor(ports: SessionPorts) {
    this.#ports = ports;
    this.#order = new MessageOrder(ports.budget);
    this.#untold = new Untold(ports.budget);
    this.#listening = new Listening(ports, this.#behind);
    this.#requests = new Requests(ports, this.#order, this.#behind, this.#listening);
  }

  get isIdle(): boolean {
    return this.#requests.isIdle;
  }

  /** Whether the program has been told what the server did not say, or something could not be fetched. */
  get isBehind(): boolean {
    return this.#behind.is;
  }

  /**
   * A message of the program, without the end of its line; `isGoingOn`: of a call that the server has asked something
   * for. Never rejects; resolves when the next may come.
   */
  async receive(bytes: Buffer, isGoingOn = false): Promise<void> {
    const message = readEnvelope(bytes);
    if (this.#ports.permits.refuses(message)) return await this.#refuseAmbiguous(message);
    if (message.kind === 'notification' && lacksId(message.method)) return this.#note(message, invalid);
    switch (message.kind) {
      case 'unusable':
        return await this.#send(unusableText(message.id, message.reason));
      case 'request':
        if (isCatalogued(message.method) && statedRevision(message.params) !== undefined) this.#question = message;
        return await this.#requests.begin(message, isGoingOn);
      case 'notification':
        void this.#untold.during(message.bytes.byteLength, () => this.#tellInTurn(message));
        return await this.#untold.room();
      case 'answer':
        // What nobody has asked, or what is answered, is no answer.
        if (!this.#questions.settle(message.id)) return this.#ports.onMisfit('program-answer');
        // Never behind a request: a server may ask before it answers.
        void this.#untold.during(message.bytes.byteLength, () => this.#tell(message));
        return await this.#untold.room();
    }
  }

  /** Of a message that is too long only the beginning is there: enough, as a rule, to find out whose answer this is. */
  async refuseLong(beginning: Buffer): Promise<void> {
    await this.#send(tooLongText(beginning));
  }

  /** A message of the server; resolves when the next may come. */
  async take(message: Envelope): Promise<void> {
    switch (message.kind) {
      case 'request':
        if (!this.#questions.open(message.id)) return await this.#refuseQuestion(message.id);
        return await this.#send(onOneLine(message.bytes));
      case 'notification':
        if (message.method === 'notifications/cancelled') this.#questions.settle(cancelledId(message.bytes));
        // Of a stream that is another one for the server alone, which is there again.
        if (this.#listening.isRepeated(message)) return await this.announce();
        return await this.#send(onOneLine(message.bytes));
      case 'answer':
        return await this.#requests.take(message);
      case 'unusable':
        if (message.id !== undefined) await this.#requests.takeUnusable(message.id, message.reason);
    }
  }

  /**
   * The server may be there again: finds out, and says what may have changed. The newer wire has no ping, and each of its
   * requests says who asks and what they can do (MCP 2026-07-28, request metadata): there a question of the program's own
   * is asked once more. Never rejects.
   */
  async catchUp(reason: 'signed-in' | 'perhaps'): Promise<void> {
    const { upstream, answersAgain } = this.#ports;
    try {
      if (upstream.isOlder || reason === 'signed-in') await upstream.reach();
      else if (!this.#question) return this.#listening.lookAgain();
      else if (!(await answersAgain(this.#question))) return;
    } catch {
      return;
    }
    await this.announce();
  }

  /** Tells the program to ask again for what it was told without the server. */
  async announce(): Promise<void> {
    await this.#requests.announce();
  }

  /** The person has changed which tools the program may call: it asks for them again, where it has asked. */
  async tellToolsChanged(): Promise<void> {
    if (!this.#isClosed) await this.#listening.tell(this.#behind.toolsChanged());
  }

  /** Lets no further request leave for the server. Never rejects. */
  async rest(): Promise<void> {
    await this.#requests.rest();
  }

  /** Ends what is under way. Never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#ports.onClosed();
    this.#requests.close();
    await this.#ports.upstream.close();
  }

  async #tellInTurn(message: Extract<Envelope, { kind: 'notification' }>): Promise<void> {
    switch (message.method) {
      case 'notifications/initialized':
        return await this.#order.keepUntil(() => this.#tellAdmitted(message));
      case 'notifications/cancelled': {
        const id = cancelledId(message.bytes);
        if (this.#requests.isGivenBack(id)) return await this.#ports.giveBack(message.bytes);
        // The newer wire ends the request's stream; the older one is told, and may answer all the same.
        const { isOlder } = this.#ports.upstream;
        const hasLeft = this.#requests.hasLeft(id);
        this.#requests.cancel(id, { stillSent: isOlder });
        if (!isOlder) return;
        // What has left before a pause goes on, and can be stopped.
        return await (hasLeft ? this.#tell(message) : this.#tellAdmitted(message));
      }
      default:
        return await this.#order.inTurn(() => this.#tellAdmitted(message));
    }
  }

  /** Whoever is paused tells the server nothing; that the session has begun it is told with the next request. */
  async #tellAdmitted(message: Extract<Envelope, { kind: 'notification' }>): Promise<void> {
    try {
      this.#ports.admit();
    } catch (error) {
      if (message.method === 'notifications/initialized') this.#ports.upstream.noteInitialized(message);
      return this.#note(message, error instanceof PosternError ? error.code : 'INTERNAL');
    }
    await this.#tell(message);
  }

  #note(message: Extract<Envelope, { kind: 'notification' }>, outcome: CallOutcome): void {
    this.#ports.calls.begin(message).end(outcome, 0);
  }

  async #tell(message: Exclude<Envelope, { kind: 'unusable' | 'request' }>): Promise<void> {
    // There is nobody to tell that it failed; the next request finds out.
    await this.#ports.upstream.tell(message).catch(() => {});
  }

  async #refuseAmbiguous(message: Envelope): Promise<void> {
    if (message.kind === 'request') await this.#send(ambiguousText(message.id));
    if (message.kind === 'notification') this.#note(message, invalid);
  }

  /** In the place of the program, which has enough of them, or this very one. */
  async #refuseQuestion(id: string): Promise<void> {
    const text = errorText(id, rpcCode.implementation, 'Too many questions wait for an answer.');
    const answer = readEnvelope(Buffer.from(text));
    if (answer.kind === 'answer') await this.#tell(answer);
  }

  async #send(message: Buffer | string): Promise<void> {
    if (!this.#isClosed) await this.#ports.send(message);
  }
}
