import type { Integration } from '../../../shared/integration.ts';
import { parseTypedAddress } from '../../address/parse-typed-address.ts';
import { fixedHeaders } from '../../programs/import/fixed-headers.ts';
import type { Importable } from '../../programs/import/importable.ts';
import { findExpected, isImportable } from './import-entry.ts';

/** An entry with the new address of one before it: both become one connection. */
export interface SharedAddress {
  readonly name: string;
  /** The name of the other. */
  readonly as: string;
  readonly headers: readonly string[];
  /**
   * What becomes of its headers: they are those of the other, `left` for what the other has, or `given` to the
   * connection, which has none from the other.
   */
  readonly fate: 'same' | 'left' | 'given';
}

/** Those of `entries`, in the order in which they are imported. */
export function sharedAddresses(
  entries: readonly Importable[],
  integrations: readonly Integration[],
): readonly SharedAddress[] {
  const before = new Map<string, Importable>();
  return entries.filter(isImportable).flatMap((entry): readonly SharedAddress[] => {
    const { name, server } = entry;
    // Not to be connected, or connected already: both are said elsewhere.
    if (findExpected(integrations, server.url) !== undefined) return [];
    const { href } = parseTypedAddress(server.url ?? '');
    const other = before.get(href);
    const [own, others] = [headersOf(entry), other && headersOf(other)];
    if (!others || others.length === 0) before.set(href, entry);
    if (!other || !others) return [];
    const isSame = own.length === 0 || own.toSorted().join('\n') === others.toSorted().join('\n');
    const fate = isSame ? 'same' : others.length === 0 ? 'given' : 'left';
    return [{ name, as: other.name, headers: namesOf(entry), fate }];
  });
}

/** As they are sent. */
function headersOf({ server }: Importable): readonly string[] {
  const { first, further } = fixedHeaders(server.headers);
  return [first ?? [], further].flat().map(({ name, value }) => `${name.toLowerCase()}: ${value.reveal()}`);
}

function namesOf({ server }: Importable): readonly string[] {
  const { first, further } = fixedHeaders(server.headers);
  return [first ?? [], further].flat().map(({ name }) => name);
}
