import { serverName } from '../../address/display-text.ts';
import type { EnginePorts } from '../engine-ports.ts';

interface WantedName {
  /** As typed. Absent: the server's host. */
  readonly name: string | undefined;
  readonly url: string;
  /** Id of the integration that gives its name up. */
  readonly takesNameOf?: string | undefined;
}

/**
 * Runs `install` with the name that a person wants, or the server's host, with a number behind it where another server
 * has it. Chosen only then and under a lock that lasts until it is written, since sign-ins of several processes may end
 * at once. Errors: CFG_*, what `install` throws.
 */
export async function withFreeName<Result>(
  { store, locks }: Pick<EnginePorts, 'store' | 'locks'>,
  { name, url, takesNameOf }: WantedName,
  install: (name: string) => Promise<Result>,
): Promise<Result> {
  return await locks.hold('names', async () => {
    // A server whose removal can still be undone keeps its name.
    const leaving = (await store.pendingDeletions()).map(({ integration }) => integration);
    const lists = [await store.list(), leaving];
    const wanted = baseName({ name, url });
    const isTaken = lists.some((list) => list.some((one) => one.name === wanted && one.id !== takesNameOf));
    if (!isTaken) return await install(wanted);
    return await install(
      freeName(
        { name, url },
        lists.flat().filter(({ id }) => id !== takesNameOf),
      ),
    );
  });
}

/** The name that it will get beside `others`. */
export function freeName(wanted: WantedName, others: readonly { readonly name: string }[]): string {
  return freeNames(others)(wanted);
}

/** Names for many at once: each call takes its name, so that the next one gets another. */
export function freeNames(others: readonly { readonly name: string }[]): (wanted: WantedName) => string {
  const taken = new Set(others.map(({ name }) => name));
  /** Where to go on, so that thousands of one name take no time. */
  const counts = new Map<string, number>();
  return (wanted) => {
    const base = baseName(wanted);
    let free = base;
    for (let count = counts.get(base) ?? 2; taken.has(free); count += 1) {
      free = `${[...base].slice(0, 74).join('')} ${count}`;
      counts.set(base, count + 1);
    }
    taken.add(free);
    return free;
  };
}

function baseName({ name, url }: WantedName): string {
  const host = new URL(url).hostname;
  return serverName(name ?? host) || host;
}

interface HeldGreeting {
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
