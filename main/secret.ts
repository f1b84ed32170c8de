import { inspect } from 'node:util';

/**
 * What must not be seen, a string where nothing else is said: token, client secret, code verifier, authorization code.
 * Every rendering prints `[secret]`; only `reveal()` gives the value, so each use can be found by name.
 */
export class Secret<Value = string> {
  readonly #value: Value;

  constructor(value: Value) {
    this.#value = value;
  }

  reveal(): Value {
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
