import type { FixedHeader } from '../../mcp/http/credential-gate.ts';
import type { Secret } from '../../secret.ts';

/** A fixed header that waits in main to be sent, bound to the server that it was typed or imported for. */
export interface KeyHeader {
  readonly name: string;
  readonly value: Secret;
  /** That go with it. */
  readonly further?: readonly FixedHeader[];
  /** Of that server. */
  readonly url: string;
}

/** The key if it is one for the server at `url`: same origin, same path. Any other server never sees it. */
export function keyFor(header: KeyHeader | undefined, url: string): KeyHeader | undefined {
  const [own, other] = [URL.parse(header?.url ?? ''), URL.parse(url)];
  if (!own || !other) return undefined;
  return own.origin === other.origin && own.pathname === other.pathname ? header : undefined;
}
