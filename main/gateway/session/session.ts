import { PosternError } from '../../errors/postern-error.ts';
import { gatewaySession, messageBudget } from '../../limits.ts';
import { idKey } from '../../mcp/messages/message-headers.ts';
import { ambiguousText, errorText, refused, rpcCode, tooLongText, unusableText } from '../answers/answers.ts';
import type { Arrival } from '../answers/answers.ts';
import type { AppBudget } from '../limits/message-budget.ts';
import type { CallOutcome } from '../answers/call-log.ts';
import { isCatalogued } from '../messages/catalogue.ts';
import { cancelledId, onOneLine, readEnvelope, statedRevision } from '../messages/envelope.ts';
import type { Envelope, RequestEnvelope } from '../messages/envelope.ts';
import { lacksId } from '../permissions/offer-of.ts';
import { Listening } from './listening.ts';
import { MessageOrder, Requests } from './requests.ts';
import type { Coming, PendingRequest } from './pending-requests.ts';
import { Behind } from './session-ports.ts';
import type { SessionPorts } from './session-ports.ts';

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
    this.#listening = new Listening(
      ports,
      this.#behind,
      (pending) => (message, arrival) => this.take(message, pending, arrival),
    );
    this.#requests = new Requests(ports, this.#order, this.#behind, this.#listening);
  }

  get isIdle(): boolean {
    return this.#requests.isIdle;
  }

  /** Whether the program has been told what the server did not say, or something could not be fetched. */
  get isBehind(): boolean {
    return this.#behind.is;
  }

  /** A message of the program, without the end of its line. Never rejects; resolves when the next may come. */
  async receive(bytes: Buffer, coming: Coming = {}): Promise<void> {
    const message = readEnvelope(bytes);
    if (this.#ports.permits.refuses(message, coming.fields, coming.isAmbiguous))
      return await this.#refuseAmbiguous(message, coming);
    if (message.kind === 'notification' && lacksId(message.method)) return this.#note(message, invalid);
    switch (message.kind) {
      case 'unusable':
        return await this.#ports.send(unusableText(message.id, message.reason), coming.about ?? message.id, refused);
      case 'request':
        if (isCatalogued(message.method) && statedRevision(message.params) !== undefined) this.#question = message;
        return await this.#requests.begin(message, coming);
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

  /** The app has hung up on what it is known by, or has its answer. */
  drop(about: string): void {
    this.#requests.drop(about);
  }

  /** The app listens. */
  listen(): void {
    this.#ports.upstream.listen();
  }

  /** A message of the server; `of`: the request whose exchange it came with. Resolves when the next may come. */
  async take(message: Envelope, of?: PendingRequest, arrival?: Arrival): Promise<void> {
    if (this.#isClosed) return;
    switch (message.kind) {
      case 'request':
        if (!this.#questions.open(message.id)) return await this.#refuseQuestion(message.id);
        return await this.#send(onOneLine(message.bytes), of);
      case 'notification':
        if (message.method === 'notifications/cancelled') this.#questions.settle(cancelledId(message.bytes));
        // Of a stream that is another one for the server alone, which is there again.
        if (this.#listening.isRepeated(message, of)) return await this.announce();
        await this.#send(onOneLine(message.bytes), of);
        return await this.#listening.tellUntold();
      case 'answer':
        return await this.#requests.take(message, of, arrival);
      case 'unusable':
        if (message.id !== undefined) await this.#requests.takeUnusable(message.id, message.reason, of);
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

  async #refuseAmbiguous(message: Envelope, { about }: Coming): Promise<void> {
    if (message.kind === 'request') await this.#ports.send(ambiguousText(message.id), about ?? message.id, refused);
    if (message.kind === 'notification') this.#note(message, invalid);
  }

  /** In the place of the program, which has enough of them, or this very one. */
  async #refuseQuestion(id: string): Promise<void> {
    const text = errorText(id, rpcCode.implementation, 'Too many questions wait for an answer.');
    const answer = readEnvelope(Buffer.from(text));
    if (answer.kind === 'answer') await this.#tell(answer);
  }

  async #send(message: Buffer | string, of?: PendingRequest): Promise<void> {
    if (!this.#isClosed) await this.#ports.send(message, of?.about);
  }
}

/**
 * The questions of a server that its program has not answered yet: each is answered once, and there is a bound.
 */
class OpenQuestions {
  readonly #open = new Set<string>();

  /** `false`: too many are open, or this one is already. */
  open(id: string): boolean {
    const key = idKey(id);
    if (this.#open.size >= gatewaySession.questions || this.#open.has(key)) return false;
    this.#open.add(key);
    return true;
  }

  /** An answer came, or none is wanted any more. `false`: nobody has asked this, or it is answered. */
  settle(id: string): boolean {
    return this.#open.delete(idKey(id));
  }
}

/** What a program has said in one session and the server has not taken yet. Beyond a bound the program has to wait. */
class Untold {
  readonly #budget: AppBudget;
  #count = 0;
  #isLong = false;
  #taken = Promise.withResolvers<void>();

  constructor(budget: AppBudget) {
    this.#budget = budget;
  }

  /** Counts a message as long as `work` takes. Errors: those of `work`. */
  async during(bytes: number, work: () => Promise<void>): Promise<void> {
    this.#count += 1;
    // Until it fits, whoever has sent it is read no further; a short one, such as a cancellation, does not wait for that.
    this.#isLong = bytes > messageBudget.short && !this.#budget.fits(bytes);
    const giveBack = this.#budget.take(bytes);
    try {
      await work();
    } finally {
      this.#count -= 1;
      this.#isLong = false;
      giveBack();
      this.#taken.resolve();
      this.#taken = Promise.withResolvers();
    }
  }

  /** Resolves when there is room for another, of any size. Never rejects. */
  async room(): Promise<void> {
    while (this.#count >= gatewaySession.tellingAtOnce || (this.#isLong && this.#count > 0)) await this.#taken.promise;
  }
}
