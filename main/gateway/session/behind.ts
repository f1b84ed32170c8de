import { changesOf, isHandshake } from '../messages/catalogue.ts';
import type { RequestEnvelope } from '../messages/envelope.ts';

/** What a program was told without its server, or could not be told: it asks again once the server is there. */
export class Behind {
  /** Listings that this program has asked for. */
  readonly #listed = new Set<string>();
  #is = false;

  get is(): boolean {
    return this.#is;
  }

  noteListing({ method }: RequestEnvelope): void {
    if (!isHandshake(method)) this.#listed.add(method);
  }

  begin(): void {
    this.#is = true;
  }

  /** Nothing is behind any more once the program has got these notifications. */
  end(): Iterable<string> {
    const methods = this.#listed.size > 0 ? this.#listed : new Set(['tools/list']);
    const changes = this.#is ? changesOf(methods) : [];
    this.#is = false;
    return changes;
  }
}
