import { isKeyHeaderName, isKeyHeaderValue } from '../../../shared/header-name.ts';
import { mostFurtherHeaders } from '../../../shared/integration.ts';
import { Secret } from '../../secret.ts';
import type { EntryHeader } from '../entry/read-entry.ts';

/** Headers of an entry as a server can be sent them. */
export interface FixedHeaders {
  /** The first that can be sent. */
  readonly first: FixedHeader | undefined;
  readonly further: readonly FixedHeader[];
  /** Names of those that are left out: HTTP or MCP needs the field, or its value cannot be sent. */
  readonly leftOut: readonly string[];
}

interface FixedHeader {
  readonly name: string;
  readonly value: Secret;
}

export function fixedHeaders(headers: readonly EntryHeader[] = []): FixedHeaders {
  const usable = headers
    .filter(({ name, value }) => isKeyHeaderName(name) && isKeyHeaderValue(value))
    .slice(0, mostFurtherHeaders + 1);
  const [first, ...further] = usable.map(({ name, value }) => ({ name, value: new Secret(value) }));
  return { first, further, leftOut: headers.filter((header) => !usable.includes(header)).map(({ name }) => name) };
}
