import { EventEmitter } from 'node:events';

/** The stand-in never pretends: unsupported features throw. */
export function notEmulated(what: string): never {
  throw new Error(`not emulated: ${what}`);
}

/** Members that `await`, `JSON.stringify`, `console.log` and test runners read from any object. */
const probedMembers = new Set(['then', 'toJSON', 'inspect', 'nodeType', 'asymmetricMatch', '$$typeof', 'domain']);

/** The end of a prototype chain: a member that was not found before is one that the stand-in lacks. */
function fence(name: string): object {
  return new Proxy(Object.prototype, {
    get(target, key, receiver: unknown) {
      if (typeof key === 'symbol' || key in target || probedMembers.has(key))
        return Reflect.get(target, key, receiver) as unknown;
      return notEmulated(`${name}.${key}`);
    },
  });
}

/** An object of the electron module; reading an unknown member throws. */
export function strictObject<T extends object>(name: string, members: T): T {
  return Object.setPrototypeOf(members, fence(name)) as T;
}

/**
 * An EventEmitter whose unknown members throw, and which rejects listeners for events that it never emits. `events`
 * undefined: any event, as on `ipcMain`.
 */
export function strictEmitter(name: string, events?: readonly string[]): new () => EventEmitter {
  function StrictEmitter(this: EventEmitter): void {
    EventEmitter.call(this as never);
    this.setMaxListeners(0);
    if (!events) return;
    this.on('newListener', (event: string | symbol) => {
      if (event !== 'removeListener' && !events.includes(String(event)))
        notEmulated(`the event "${String(event)}" of ${name}`);
    });
  }
  StrictEmitter.prototype = Object.create(fence(name), Object.getOwnPropertyDescriptors(EventEmitter.prototype));
  Object.defineProperty(StrictEmitter.prototype, 'constructor', {
    value: StrictEmitter,
    configurable: true,
    writable: true,
  });
  return StrictEmitter as unknown as new () => EventEmitter;
}

/** Placeholder for a whole Electron module: it can be imported, but any use throws. */
export function missingModule(name: string): never {
  // A function, so that `new` and calls reach the traps.
  return new Proxy(function missing() {}, {
    get: (_, key) =>
      typeof key === 'symbol' || probedMembers.has(key) || key === 'prototype'
        ? undefined
        : notEmulated(`${name}.${key}`),
    apply: () => notEmulated(name),
    construct: () => notEmulated(name),
  }) as never;
}
