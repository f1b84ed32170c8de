import type { ConnectionView, VerdictView } from '../../shared/connection-view.ts';
import type { PlainError, Stage } from '../../shared/error-codes.ts';
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

/** By where it stopped: while nobody answers, and once the tokens are there, no other way in helps. */
const afterStage: Readonly<Record<Stage, readonly WayRound[]>> = {
  address: [],
  probe: ['key', 'addresses', 'provider'],
  discovery: ['key', 'withoutPerson', 'addresses', 'provider'],
  registration: insteadOfSignIn,
  credentials: insteadOfSignIn,
  authorization: ['scopes', ...insteadOfSignIn],
  callback: ['scopes', ...insteadOfSignIn],
  token: ['scopes', ...insteadOfSignIn],
  install: [],
  connection: ['key', 'addresses'],
  refresh: [],
  gateway: [],
  local: [],
  storage: [],
  settings: [],
  programs: [],
  app: [],
};

/** The ways round that can help where a connection stands, or where it has ended with `error`. */
export function listWaysRound(connection: ConnectionView, error?: PlainError): readonly WayRound[] {
  const { verdict } = connection;
  if (error === undefined) return verdict ? afterVerdict[verdict.kind] : [];
  // A check that was stopped knows nothing of the server.
  if (error.code === 'USER_CANCELLED' && !verdict) return [];
  // A server that answers strangers with no MCP may do so to whoever shows a key.
  if (error.stage === 'probe' && error.code !== 'MCP_FAILED') return [];
  return afterStage[error.stage].filter((way) => canHelp(way, connection, error));
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
