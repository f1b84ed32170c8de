import { inspect } from 'node:util';

/**
 * A string that must not be seen: token, client secret, code verifier, authorization code.
 * Every rendering prints `[secret]`; only `reveal()` gives the value, so each use can be found by name.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return '[secret]';
  }

  toJSON(): string {
    return '[secret]';
  }

  [inspect.custom](): string {
    return '[secret]';
  }
}
