export interface ElectronEvent {
  preventDefault(): void;
  readonly defaultPrevented: boolean;
}

/** The first argument of most of Electron's events. */
export function createEvent<T extends object = object>(details?: T): T & ElectronEvent {
  let prevented = false;
  const event = Object.create(null, {
    preventDefault: { value: () => void (prevented = true), enumerable: true },
    defaultPrevented: { get: () => prevented, enumerable: true },
  }) as T & ElectronEvent;
  return Object.defineProperties(event, Object.getOwnPropertyDescriptors(details ?? {}));
}
