import type { EnginePorts } from '../engine-ports.ts';

export interface HeldGreeting {
  readonly onGreeting: NonNullable<EnginePorts['onGreeting']>;
  /** The server is in the list: what it has said of itself, or says later, is passed on. */
  added(): void;
}

/** Keeps back what a server says of itself until it is added: a server that never is gets no request for pictures. */
export function holdGreeting({ onGreeting }: Pick<EnginePorts, 'onGreeting'>): HeldGreeting {
  const { promise, resolve } = Promise.withResolvers<void>();
  return {
    onGreeting: (server, icons) => void promise.then(() => onGreeting?.(server, icons)),
    added: () => resolve(),
  };
}
