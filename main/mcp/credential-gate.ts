import type { Secret } from '../secret.ts';
import { matchesResource } from '../oauth/discovery/resource.ts';

/** What proves to a server who calls: a bearer token, or the fixed header that some servers want instead. */
export type Credential =
  | { readonly kind: 'bearer'; readonly token: Secret; readonly resource: string }
  | {
      readonly kind: 'header';
      readonly name: string;
      readonly value: Secret;
      /** Those that go with it. */
      readonly further?: readonly FixedHeader[];
      readonly resource: string;
    };

/** A header whose value a person gave. */
export interface FixedHeader {
  readonly name: string;
  readonly value: Secret;
}

/**
 * The one place where a credential gets onto a request to an MCP server (RFC 6750 2.1: in the header, never in the
 * query). It goes to the pinned resource and below it, to the endpoint at the same origin that a stream there has
 * `namedBy` its event (MCP 2024-11-05), and nowhere else.
 */
export function attachCredential(headers: Headers, url: URL, credential: Credential, namedBy = url): void {
  if (namedBy.origin !== url.origin || !matchesResource(new URL(credential.resource), namedBy)) return;
  if (credential.kind === 'bearer') headers.set('authorization', `Bearer ${credential.token.reveal()}`);
  else for (const { name, value } of [...(credential.further ?? []), credential]) headers.set(name, value.reveal());
}
