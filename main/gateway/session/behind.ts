import { changeOf, changesOf, hasChanged, isHandshake } from '../messages/catalogue.ts';
import type { AnswerEnvelope, RequestEnvelope } from '../messages/envelope.ts';

/** What a program was told without its server, or could not be told: it asks again once the server is there. */
export class Behind {
  /** Listings that this program has asked for. */
  readonly #listed = new Set<string>();
  /** Answered in the server's place, and not yet by the server; with what the program was given. */
  readonly #kept = new Map<RequestEnvelope, Buffer>();
  #isAway = false;

  get is(): boolean {
    return this.#isAway || this.#kept.size > 0;
  }

  /** The program was answered in the server's place; the server still is to answer, or to fail. */
  noteKept(request: RequestEnvelope, given: Buffer): void {
    this.noteListing(request);
    this.#kept.set(request, given);
  }

  /**
   * The server has answered. Answers the notifications that the program needs where it was given another answer: what
   * the catalogue has meanwhile may be of another session.
   */
  noteAnswer(request: RequestEnvelope, answer: AnswerEnvelope): Iterable<string> {
    this.noteListing(request);
    const given = this.#kept.get(request);
    this.#kept.delete(request);
    if (!given || !hasChanged(given, request, answer)) return [];
    return isHandshake(request.method) ? this.#changes() : changesOf([request.method]);
  }

  /** No answer of the server comes any more. `isAway`: it could not be asked. */
  noteFailure(request: RequestEnvelope, isAway: boolean): void {
    const wasKept = this.#kept.delete(request);
    if (isAway || wasKept) this.begin();
  }

  /** The server cannot be asked, so what the program knows of it may be out of date. */
  begin(): void {
    this.#isAway = true;
  }

  /** Nothing is behind any more once the program has got these notifications. */
  end(): Iterable<string> {
    const changes = this.is ? this.#changes() : [];
    this.#isAway = false;
    this.#kept.clear();
    return changes;
  }

  /** The program has been given this list. */
  noteListing({ method }: RequestEnvelope): void {
    if (changeOf(method) !== undefined) this.#listed.add(method);
  }

  /** What the program has to hear where its tools are other ones now: nothing where it has not asked for them. */
  toolsChanged(): Iterable<string> {
    return this.#listed.has('tools/list') ? changesOf(['tools/list']) : [];
  }

  #changes(): Iterable<string> {
    return changesOf(this.#listed.size > 0 ? this.#listed : ['tools/list']);
  }
}
