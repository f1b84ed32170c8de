import type { ConnectionView, VerdictView } from '../../shared/connection-view.ts';
import type { PlainError } from '../../shared/error-codes.ts';
import { hasTrait } from '../../shared/error-traits.ts';
import type { IntegrationOptions } from '../../shared/integration.ts';
import type { words } from '../words.ts';

/** Alternatives to the suggested next step. */
export type Alternative = keyof typeof words.connect.alternatives;

/** Input next to the alternatives, sent with whichever is chosen. */
export interface ConnectionOverrides {
  readonly name?: string;
  readonly options?: Partial<IntegrationOptions>;
}

const insteadOfSignIn = ['ownOAuthApp', 'key', 'nonInteractive', 'addresses'] as const;

/** Alternatives by verdict. `couldNotTell` already lists them as its next steps. */
const afterVerdict: Readonly<Record<VerdictView['kind'], readonly Alternative[]>> = {
  // An own OAuth app is only possible with the endpoints, since the server names no authorization server.
  noSignIn: ['key', 'addresses'],
  registersItself: insteadOfSignIn,
  publishedClient: insteadOfSignIn,
  needsOAuthApp: ['key', 'nonInteractive', 'addresses'],
  couldNotTell: [],
  // Without the key that came with the connection.
  usesKey: ['key', 'ownOAuthApp', 'addresses'],
};

/** By how far it got. While the server does not respond, and once there are tokens, no alternative helps. */
const afterFailure: Readonly<Record<NonNullable<ConnectionView['lastStage']>, readonly Alternative[]>> = {
  server: [],
  documents: ['key', 'nonInteractive', 'addresses', 'provider'],
  signIn: ['scopes', ...insteadOfSignIn],
  install: [],
  use: ['key', 'addresses'],
};

/** Causes that every alternative shares: this computer, or an unusable address. */
const sharedCauses = ['keychain', 'profile', 'bug', 'not-an-address', 'forbidden-host'] as const;

/** Alternatives that can help in the connection's current state, or after it failed with `error`. */
export function listAlternatives(connection: ConnectionView, error?: PlainError): readonly Alternative[] {
  const { verdict } = connection;
  if (error === undefined) return verdict ? afterVerdict[verdict.kind] : [];
  return alternativesAfter(connection, error).filter((alternative) => canHelp(alternative, connection, error));
}

function alternativesAfter({ verdict, lastStage }: ConnectionView, error: PlainError): readonly Alternative[] {
  // A check stopped before its verdict knows nothing about the server.
  if (hasTrait(error, 'cancelled')) return verdict ? insteadOfSignIn : [];
  if (lastStage === undefined || isSharedCause(error)) return [];
  // A server that does not speak MCP to anonymous clients may do so with a key.
  const isNoMcp = lastStage === 'documents' && hasTrait(error, 'not-mcp');
  return isNoMcp ? ['key', 'addresses', 'provider'] : afterFailure[lastStage];
}

/** An unusable address from a metadata document leaves the alternatives, which use other addresses. */
function isSharedCause(error: PlainError): boolean {
  return error.blame !== 'document' && sharedCauses.some((fact) => hasTrait(error, fact));
}

function canHelp(
  alternative: Alternative,
  { kind, verdict, options }: ConnectionView,
  { remedy }: PlainError,
): boolean {
  switch (alternative) {
    case 'scopes':
      return remedy.kind === 'ask-other-scopes';
    case 'ownOAuthApp':
      return verdict !== undefined && !['noSignIn', 'couldNotTell', 'usesKey'].includes(verdict.kind);
    case 'key':
    case 'nonInteractive':
      // A connected server keeps its sign-in method.
      return kind === 'connect';
    case 'provider':
      return kind === 'connect' && options.isIdentityProvider !== true;
    case 'addresses':
      return true;
  }
}
