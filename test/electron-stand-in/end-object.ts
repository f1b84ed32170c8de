import type { EventEmitter } from 'node:events';

/**
 * As Electron leaves a destroyed window or page: whatever it is asked throws. Listeners may still come and go, and what
 * `kept` names, or is the stand-in's own, still answers.
 */
export function endObject(object: EventEmitter, kept: readonly string[]): void {
  const refuse = (): never => {
    throw new TypeError('Object has been destroyed');
  };
  let owner: object = object;
  while (owner === object || !Object.hasOwn(owner, 'setMaxListeners')) {
    for (const name of Object.getOwnPropertyNames(owner)) {
      if (/^(?:_|constructor$|emit$|standIn)/.test(name) || kept.includes(name)) continue;
      const isMethod = typeof Object.getOwnPropertyDescriptor(owner, name)?.value === 'function';
      Object.defineProperty(object, name, { ...(isMethod ? { value: refuse } : { get: refuse }), configurable: true });
    }
    owner = Object.getPrototypeOf(owner) as object;
  }
}
