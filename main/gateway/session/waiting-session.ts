import type { Holding, ProgramLine, ProgramSession, Send } from '../../gateway-ports.ts';
import { useQuestions } from '../../limits.ts';
import { surveyInTurn } from '../../mcp/messages/survey-json.ts';
import { ownNamesOf } from '../permissions/program-access.ts';
import { errorText, refusalOf, rpcCode, tooLongText, unusableText } from '../answers/answers.ts';
import type { Refusal } from '../answers/answers.ts';
import type { Bystanders } from '../limits/session-room.ts';
import type { CallLog, CallOutcome } from '../answers/call-log.ts';
import { readEnvelope, readInTurn } from '../messages/envelope.ts';
import { lacksId } from '../permissions/offer-of.ts';

/** Asks the person, of a program that says it is called so; never rejects. */
type Begin = (ownNames: readonly string[]) => Promise<ProgramSession>;

/**
 * A session that a person has to allow first. What its program sends is kept until then, so that it is still seen when
 * the program goes.
 */
export class WaitingSession implements ProgramSession {
  readonly reading: Holding;
  readonly #line: ProgramLine;
  readonly #program: string | undefined;
  readonly #bystanders: Bystanders;
  readonly #ask: Begin;
  /** It is none any more that may do nothing. */
  #leave: () => void;
  readonly #kept: Buffer[] = [];
  #keptBytes = 0;
  #session: ProgramSession | undefined;
  #isResting = false;
  #beginning: Promise<void> | undefined;
  #isClosed = false;

  /** `program`: by its own word. */
  constructor(
    { line, reading }: { readonly line: ProgramLine; readonly reading: Holding },
    program: string | undefined,
    bystanders: Bystanders,
    ask: Begin,
  ) {
    this.reading = reading;
    this.#line = line;
    this.#program = program;
    this.#bystanders = bystanders;
    this.#ask = ask;
    // One that asks for nothing is hung up on.
    this.#leave = bystanders.enter(program, line.hangUp);
  }

  get isIdle(): boolean {
    return this.#session?.isIdle ?? true;
  }

  /** Nobody is asked before the program asks for something. Never rejects. */
  async receive(bytes: Buffer): Promise<void> {
    await surveyInTurn(bytes);
    if (this.#session) return await this.#session.receive(bytes);
    if (this.#isResting) return await this.#line.giveBack(bytes);
    if (!this.#beginning) {
      const message = readEnvelope(bytes);
      if (message.kind === 'unusable') return await this.#line.send(unusableText(message.id, message.reason));
      if (message.kind !== 'request') return;
      this.#enterAgain();
      this.#beginning = this.#begin(ownNamesOf(message));
    }
    this.#kept.push(Buffer.from(bytes));
    this.#keptBytes += bytes.byteLength;
    if (this.#keptBytes > useQuestions.kept) await this.#beginning;
  }

  async refuseLong(beginning: Buffer): Promise<void> {
    await (this.#session?.refuseLong(beginning) ?? this.#line.send(tooLongText(beginning)));
  }

  /** The next one asks the person again. */
  async rest(): Promise<void> {
    if (this.#session) return await this.#session.rest();
    this.#isResting = true;
    for (let next = this.#kept.shift(); next; next = this.#kept.shift()) await this.#line.giveBack(next);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#leave();
    await this.#session?.close();
  }

  /** A person has all the time for the answer, whenever it was asked for. */
  #enterAgain(): void {
    this.#leave();
    this.#leave = this.#bystanders.enter(this.#program, this.#line.hangUp, true);
  }

  async #begin(ownNames: readonly string[]): Promise<void> {
    const session = await this.#ask(ownNames);
    this.#leave();
    if (this.#isClosed) return await session.close();
    for (let next = this.#kept.shift(); next; next = this.#kept.shift()) await session.receive(next);
    this.#session = session;
    if (this.#isResting) await session.rest();
    if (this.#isClosed) await session.close();
  }
}

interface RefusedSessionOptions {
  readonly send: Send;
  readonly calls: CallLog;
  readonly leave: () => void;
  readonly reading: Holding;
}

/** A session that can do nothing: every request of it is answered with why. */
export class RefusedSession implements ProgramSession {
  readonly isIdle = true;
  readonly reading: Holding;
  readonly #refusal: Refusal;
  readonly #send: Send;
  readonly #calls: CallLog;
  readonly #leave: () => void;

  /** `leave`: it is over. */
  constructor(refusal: Refusal, { send, calls, leave, reading }: RefusedSessionOptions) {
    this.#refusal = refusal;
    this.#send = send;
    this.#calls = calls;
    this.#leave = leave;
    this.reading = reading;
  }

  /** Never rejects. */
  async receive(bytes: Buffer): Promise<void> {
    const message = await readInTurn(bytes);
    if (message.kind === 'unusable') return await this.#send(unusableText(message.id, message.reason));
    if (message.kind === 'notification' && lacksId(message.method))
      this.#calls.begin(message).end(this.#refusal.code, 0);
    if (message.kind !== 'request') return;
    const { id, method } = message;
    // What programs of both eras take as the sign to begin with `initialize`, where they show the error.
    const isDiscovery = method === 'server/discover';
    const answer = isDiscovery
      ? errorText(id, rpcCode.unknownMethod, 'Method not found')
      : refusalOf(id, method, this.#refusal);
    const outcome: CallOutcome = isDiscovery ? `${rpcCode.unknownMethod}` : this.#refusal.code;
    this.#calls.begin(message).end(outcome, Buffer.byteLength(answer));
    await this.#send(answer);
  }

  async refuseLong(beginning: Buffer): Promise<void> {
    await this.#send(tooLongText(beginning));
  }

  async rest(): Promise<void> {}

  async close(): Promise<void> {
    this.#leave();
  }
}
