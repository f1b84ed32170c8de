import type { ConnectionView, VerdictView } from '../../shared/connection-view.ts';
import type { PlainError } from '../../shared/error-codes.ts';
import { isAbout } from '../../shared/error-facts.ts';
import type { IntegrationOptions } from '../../shared/integration.ts';
import type { words } from '../words.ts';

/** What a person can do instead of the next step that is proposed. */
export type WayRound = keyof typeof words.connect.wayRound;

/** What was typed beside the ways: it goes with whichever is taken. */
export interface Given {
  readonly name?: string;
  readonly options?: Partial<IntegrationOptions>;
}

const insteadOfSignIn = ['ownApp', 'key', 'withoutPerson', 'addresses'] as const;

/** Who could not tell has its ways as the next steps. */
const afterVerdict: Readonly<Record<VerdictView['kind'], readonly WayRound[]>> = {
  // An app of one's own comes with the addresses: the server names no sign-in service.
  noSignIn: ['key', 'addresses'],
  registersItself: insteadOfSignIn,
  publishedClient: insteadOfSignIn,
  needsApp: ['key', 'withoutPerson', 'addresses'],
  couldNotTell: [],
  // Without what came with it.
  usesKey: ['key', 'ownApp', 'addresses'],
};

/** By how far it came: while nobody answers, and once the tokens are there, no other way in helps. */
const afterEnd: Readonly<Record<NonNullable<ConnectionView['endedAt']>, readonly WayRound[]>> = {
  server: [],
  documents: ['key', 'withoutPerson', 'addresses', 'provider'],
  signIn: ['scopes', ...insteadOfSignIn],
  install: [],
  use: ['key', 'addresses'],
};

/** It would be the same on every way: of this computer, or of an address that cannot be used. */
const onEveryWay = ['keychain', 'profile', 'bug', 'not-an-address', 'forbidden-host'] as const;

/** The ways round that can help where a connection stands, or where it has ended with `error`. */
export function listWaysRound(connection: ConnectionView, error?: PlainError): readonly WayRound[] {
  const { verdict } = connection;
  if (error === undefined) return verdict ? afterVerdict[verdict.kind] : [];
  return waysAfter(connection, error).filter((way) => canHelp(way, connection, error));
}

function waysAfter({ verdict, endedAt }: ConnectionView, error: PlainError): readonly WayRound[] {
  // A check that was stopped knows nothing of the server.
  if (isAbout(error, 'cancelled')) return verdict ? insteadOfSignIn : [];
  if (endedAt === undefined || isOnEveryWay(error)) return [];
  // A server that answers strangers with no MCP may do so to whoever shows a key.
  const isNoMcp = endedAt === 'documents' && isAbout(error, 'not-mcp');
  return isNoMcp ? ['key', 'addresses', 'provider'] : afterEnd[endedAt];
}

/** A document may name an address that cannot be used, where other ways lead elsewhere. */
function isOnEveryWay(error: PlainError): boolean {
  return error.blame !== 'document' && onEveryWay.some((fact) => isAbout(error, fact));
}

function canHelp(way: WayRound, { kind, verdict, options }: ConnectionView, { remedy }: PlainError): boolean {
  switch (way) {
    case 'scopes':
      return remedy.kind === 'ask-other-scopes';
    case 'ownApp':
      return verdict !== undefined && !['noSignIn', 'couldNotTell', 'usesKey'].includes(verdict.kind);
    case 'key':
    case 'withoutPerson':
      // One that is connected keeps the way in that it has.
      return kind === 'connect';
    case 'provider':
      return kind === 'connect' && options.isIdentityProvider !== true;
    case 'addresses':
      return true;
  }
}
