import { EventEmitter } from 'node:events';

/** The stand-in never pretends: what it does not do says so. */
export function notEmulated(what: string): never {
  throw new Error(`not emulated: ${what}`);
}

/** Asked for by `await`, `JSON.stringify`, `console.log` and test runners of any object. */
const asked = new Set(['then', 'toJSON', 'inspect', 'nodeType', 'asymmetricMatch', '$$typeof', 'domain']);

/** The end of a prototype chain: a member that no object before it has is one that the stand-in lacks. */
function fence(name: string): object {
  return new Proxy(Object.prototype, {
    get(target, key, receiver: unknown) {
      if (typeof key === 'symbol' || key in target || asked.has(key))
        return Reflect.get(target, key, receiver) as unknown;
      return notEmulated(`${name}.${key}`);
    },
  });
}

/** An object of the electron module: any member that it does not have throws when it is read. */
export function strictObject<T extends object>(name: string, members: T): T {
  return Object.setPrototypeOf(members, fence(name)) as T;
}

/**
 * An EventEmitter whose unknown members throw, and which refuses listeners for events that it would never emit.
 * `events` undefined: any event, as on `ipcMain`.
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

/** Stands for a whole module of Electron: it can be imported, but nothing can be done with it. */
export function missingModule(name: string): never {
  // A function, so that `new` and calls reach the traps.
  return new Proxy(function missing() {}, {
    get: (_, key) =>
      typeof key === 'symbol' || asked.has(key) || key === 'prototype' ? undefined : notEmulated(`${name}.${key}`),
    apply: () => notEmulated(name),
    construct: () => notEmulated(name),
  }) as never;
}
