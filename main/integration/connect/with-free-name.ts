import { displayText } from '../../address/display-text.ts';
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
    const others = [...(await store.list()), ...leaving].filter(({ id }) => id !== takesNameOf);
    return await install(freeName({ name, url }, others));
  });
}

/** The name that it will get beside `others`. */
export function freeName({ name, url }: WantedName, others: readonly { readonly name: string }[]): string {
  const host = new URL(url).hostname;
  return firstFree(displayText(name ?? host) || host, new Set(others.map((other) => other.name)));
}

function firstFree(base: string, taken: ReadonlySet<string>): string {
  if (!taken.has(base)) return base;
  for (let count = 2; ; count += 1) {
    const name = `${[...base].slice(0, 74).join('')} ${count}`;
    if (!taken.has(name)) return name;
  }
}
