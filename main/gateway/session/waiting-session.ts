import { gatewaySession, useQuestions } from '../../limits.ts';
import type { ProgramLine, ProgramSession } from '../../gateway-ports.ts';
import type { Clock } from '../../ports.ts';
import { tooLongText } from '../answers/answers.ts';
import { ownNamesOf } from '../access/ask-for-use.ts';
import { readEnvelope } from '../messages/envelope.ts';

export interface WaitingSessionOptions {
  readonly line: ProgramLine;
  readonly clock: Pick<Clock, 'after'>;
  /** Asks the person, of a program that says it is called so; never rejects. */
  readonly begin: (ownNames: readonly string[]) => Promise<ProgramSession>;
}

/**
 * A session that a person has to allow first. What its program sends is kept until then, so that it is still seen when
 * the program goes.
 */
export class WaitingSession implements ProgramSession {
  readonly #options: WaitingSessionOptions;
  /** One that asks for nothing is hung up on. */
  readonly #stopWaiting: () => void;
  readonly #kept: Buffer[] = [];
  #keptBytes = 0;
  #session: ProgramSession | undefined;
  #isResting = false;
  #beginning: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: WaitingSessionOptions) {
    this.#options = options;
    const { clock, line } = options;
    this.#stopWaiting = clock.after(gatewaySession.refused, line.hangUp);
  }

  get isIdle(): boolean {
    return this.#session?.isIdle ?? true;
  }

  /** Nobody is asked before the program asks for something. Never rejects. */
  async receive(bytes: Buffer): Promise<void> {
    if (this.#session) return await this.#session.receive(bytes);
    if (this.#isResting) return await this.#options.line.giveBack(bytes);
    if (!this.#beginning) {
      const message = readEnvelope(bytes);
      if (message.kind !== 'request') return;
      this.#stopWaiting();
      this.#beginning = this.#begin(ownNamesOf(message));
    }
    this.#kept.push(Buffer.from(bytes));
    this.#keptBytes += bytes.byteLength;
    if (this.#keptBytes > useQuestions.kept) await this.#beginning;
  }

  async refuseLong(beginning: Buffer): Promise<void> {
    await (this.#session?.refuseLong(beginning) ?? this.#options.line.send(tooLongText(beginning)));
  }

  /** The next one asks the person again. */
  async rest(): Promise<void> {
    if (this.#session) return await this.#session.rest();
    this.#isResting = true;
    for (let next = this.#kept.shift(); next; next = this.#kept.shift()) await this.#options.line.giveBack(next);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopWaiting();
    await this.#session?.close();
  }

  async #begin(ownNames: readonly string[]): Promise<void> {
    const session = await this.#options.begin(ownNames);
    if (this.#isClosed) return await session.close();
    for (let next = this.#kept.shift(); next; next = this.#kept.shift()) await session.receive(next);
    this.#session = session;
    if (this.#isResting) await session.rest();
    if (this.#isClosed) await session.close();
  }
}
