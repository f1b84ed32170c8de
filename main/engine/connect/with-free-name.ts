import { serverName } from '../../address/display-text.ts';
import type { EnginePorts } from '../engine-ports.ts';

interface NameRequest {
  /** As typed. Absent: the server's host. */
  readonly name: string | undefined;
  readonly url: string;
  /** ID of the integration that gives up its name. */
  readonly takesNameOf?: string | undefined;
}

/**
 * Runs `install` with the wanted name, or the server's host; a number is added if another server has that name. The
 * name is chosen under a lock that lasts until it is written, since sign-ins of several processes may end at once.
 * Errors: CFG_*, those of `install`.
 */
export async function withFreeName<Result>(
  { store, locks }: Pick<EnginePorts, 'store' | 'locks'>,
  { name, url, takesNameOf }: NameRequest,
  install: (name: string) => Promise<Result>,
): Promise<Result> {
  return await locks.hold('names', async () => {
    // A server whose removal can still be undone keeps its name.
    const pendingDeletions = (await store.pendingDeletions()).map(({ integration }) => integration);
    const lists = [await store.list(), pendingDeletions];
    const preferred = baseName({ name, url });
    const isTaken = lists.some((list) => list.some((one) => one.name === preferred && one.id !== takesNameOf));
    if (!isTaken) return await install(preferred);
    return await install(
      freeName(
        { name, url },
        lists.flat().filter(({ id }) => id !== takesNameOf),
      ),
    );
  });
}

/** A free name beside `others`. */
export function freeName(request: NameRequest, others: readonly { readonly name: string }[]): string {
  return freeNames(others)(request);
}

/** Names for many servers: each call reserves the name it returns. */
export function freeNames(others: readonly { readonly name: string }[]): (request: NameRequest) => string {
  const taken = new Set(others.map(({ name }) => name));
  /** The next number per name, so that thousands of equal names stay fast. */
  const counts = new Map<string, number>();
  return (request) => {
    const base = baseName(request);
    let free = base;
    for (let count = counts.get(base) ?? 2; taken.has(free); count += 1) {
      free = `${[...base].slice(0, 74).join('')} ${count}`;
      counts.set(base, count + 1);
    }
    taken.add(free);
    return free;
  };
}

function baseName({ name, url }: NameRequest): string {
  const host = new URL(url).hostname;
  return serverName(name ?? host) || host;
}

interface DeferredIcons {
  readonly onServerIcons: NonNullable<EnginePorts['onServerIcons']>;
  /** The server is listed: passes on icons it has named, and any later ones. */
  release(): void;
}

/** Holds back a server's icons until it is added: no pictures are requested from one that never is. */
export function deferServerIcons({ onServerIcons }: Pick<EnginePorts, 'onServerIcons'>): DeferredIcons {
  const { promise, resolve } = Promise.withResolvers<void>();
  return {
    onServerIcons: (server, icons) => void promise.then(() => onServerIcons?.(server, icons)),
    release: () => resolve(),
  };
}
