import { displayText } from '../address/display-text.ts';
import type { EnginePorts } from './engine-ports.ts';

/**
 * The name that a person wants, or the server's host, with a number behind it where another server has it; without one
 * where it `takesName` from that server.
 */
export async function freeName(
  { store }: Pick<EnginePorts, 'store'>,
  wanted: string | undefined,
  url: string,
  { takesName = false }: { readonly takesName?: boolean | undefined } = {},
): Promise<string> {
  const base = displayText(wanted ?? new URL(url).hostname) || new URL(url).hostname;
  const taken = new Set((await store.list()).map(({ name }) => name));
  if (takesName || !taken.has(base)) return base;
  for (let count = 2; ; count += 1) {
    const name = `${[...base].slice(0, 74).join('')} ${count}`;
    if (!taken.has(name)) return name;
  }
}
