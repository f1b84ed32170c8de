import type { EventEmitter } from 'node:events';

/**
 * Makes a destroyed window or page throw on any use, as Electron does. Listeners can still be added and removed;
 * members in `stillUsable`, and the stand-in's own, still work.
 */
export function markDestroyed(object: EventEmitter, stillUsable: readonly string[]): void {
  const refuse = (): never => {
    throw new TypeError('Object has been destroyed');
  };
  let owner: object = object;
  while (owner === object || !Object.hasOwn(owner, 'setMaxListeners')) {
    for (const name of Object.getOwnPropertyNames(owner)) {
      if (/^(?:_|constructor$|emit$|standIn)/.test(name) || stillUsable.includes(name)) continue;
      const isMethod = typeof Object.getOwnPropertyDescriptor(owner, name)?.value === 'function';
      Object.defineProperty(object, name, { ...(isMethod ? { value: refuse } : { get: refuse }), configurable: true });
    }
    owner = Object.getPrototypeOf(owner) as object;
  }
}
