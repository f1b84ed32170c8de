import { defaultOptions } from '../../main/engine/engine-ports.ts';
import { isAddressFixed, whoseTurn } from '../../main/engine/sign-in/flow-state.ts';
import type { DesktopView } from '../../shared/desktop-view.ts';
import type { ConnectionView, VerdictView } from '../../shared/connection-view.ts';
import type { DeletionView } from '../../shared/deletion-view.ts';
import type { CatalogEntry } from '../../shared/error-catalog/catalog-entry.ts';
import { afterAuthorizationRefusal, afterTokenRefusal } from '../../shared/error-catalog/sign-in-errors.ts';
import { describeError, errorCatalog } from '../../shared/error-codes.ts';
import type { ErrorCode, PlainError, Stage } from '../../shared/error-codes.ts';
import type { IntegrationView } from '../../shared/integration-view.ts';
import type { OAuthError } from '../../shared/oauth.ts';
import type { Remedy } from '../../shared/remedy.ts';
import { settingsInEffect } from '../../shared/settings.ts';

const minute = 60_000;

/** Offsets become times when a page opens, so that "in 40 minutes" stays true. */
export const moments = (now: number) => ({ now, minutes: (count: number): number => now + count * minute });

export const options = defaultOptions;

export function aDesktop(change: Partial<DesktopView> = {}): DesktopView {
  return {
    version: '0.1.0',
    platform: 'linux',
    runtime: [
      { name: 'Electron', version: '45.3.4' },
      { name: 'Chromium', version: '156.0.7' },
      { name: 'Node', version: '24.21.0' },
    ],
    sandbox: 'on',
    theme: 'system',
    language: 'en',
    settings: {
      ...settingsInEffect({ callbackPort: 49_210 }),
      keepRunning: true,
      startAtLogin: false,
    },
    sidebar: {},
    canStartAtLogin: true,
    offersStartAtLogin: false,
    storage: { state: 'ok', backend: 'libsecret', memoryOnly: false },
    proxy: { mode: 'direct' },
    notices: [],
    callbackUrl: 'http://127.0.0.1:49210/integration/oauth/callback',
    ...change,
  };
}

type ErrorFacts = { readonly code?: ErrorCode; readonly oauthError?: OAuthError | 'unknown' | undefined };

/** The remedy main sets. */
function remedyOf({ code = 'CONNECT_FAIL', oauthError = 'unknown' }: ErrorFacts): Remedy {
  if (code === 'TOKEN_ERROR') return afterTokenRefusal(oauthError);
  return code === 'AS_ERROR' ? afterAuthorizationRefusal(oauthError).remedy : errorCatalog[code].remedy;
}

export function anError({ oauthError, ...change }: Partial<PlainError> & ErrorFacts = {}): PlainError {
  const entry: CatalogEntry = errorCatalog[change.code ?? 'CONNECT_FAIL'];
  return {
    code: 'CONNECT_FAIL',
    stage: 'probe',
    blame: entry.blame,
    traits: entry.traits,
    message: describeError('CONNECT_FAIL', { host: 'mcp.linear.example' }).message,
    remedy: remedyOf({ ...change, oauthError }),
    retryable: true,
    ...change,
  };
}

export function anIntegrationView(change: Partial<IntegrationView> = {}, now = Date.now()): IntegrationView {
  const { minutes } = moments(now);
  return {
    id: 'linear',
    name: 'Linear',
    url: 'https://mcp.linear.example/mcp',
    host: 'mcp.linear.example',
    method: 'OAuthWithDCR',
    state: 'integrated',
    signInHost: 'auth.linear.example',
    issuer: 'https://auth.linear.example',
    authorizationServer: 'https://auth.linear.example',
    resource: 'https://mcp.linear.example/mcp',
    redirectUri: 'http://127.0.0.1:49210/integration/oauth/callback',
    scope: 'read write issues:create offline_access',
    scopeRequested: 'read write issues:create offline_access',
    createdAt: minutes(-60 * 24 * 12),
    signedInAt: minutes(-60 * 24 * 12),
    refreshedAt: minutes(-22),
    expiresAt: minutes(38),
    nextRefreshAt: minutes(33),
    notes: [],
    options,
    status: { name: 'ready' },
    missingScopes: [],
    ...change,
  };
}

/** Linear, just removed. */
export function aDeletion(change: Partial<DeletionView> = {}): DeletionView {
  return { id: 'd1', kind: 'remove', name: 'Linear', servers: ['linear'], state: 'undoable', ...change };
}

export function aVerdict(change: Partial<VerdictView> = {}): VerdictView {
  return {
    kind: 'registersItself',
    method: 'OAuthWithDCR',
    serverHost: 'mcp.linear.example',
    authorizationServerHost: 'auth.linear.example',
    issuer: 'https://auth.linear.example',
    differentOwner: false,
    scopes: ['read', 'write', 'issues:create'],
    otherScopes: ['admin', 'offline_access'],
    pkce: true,
    pkceListed: true,
    browserOnly: false,
    encrypted: true,
    notes: [],
    alternatives: [],
    ...change,
  };
}

const server = 'https://mcp.linear.example';
const service = 'https://auth.linear.example';

export const steps: ConnectionView['steps'] = [
  { step: 'probe', outcome: 'found', url: `${server}/mcp`, host: 'mcp.linear.example', status: 401 },
  {
    step: 'resource-metadata',
    outcome: 'not-found',
    url: `${server}/.well-known/oauth-protected-resource/mcp`,
    host: 'mcp.linear.example',
    status: 404,
  },
  {
    step: 'resource-metadata',
    outcome: 'found',
    url: `${server}/.well-known/oauth-protected-resource`,
    host: 'mcp.linear.example',
    status: 200,
  },
  {
    step: 'authorization-server-metadata',
    outcome: 'found',
    url: `${service}/.well-known/oauth-authorization-server`,
    host: 'auth.linear.example',
    status: 200,
  },
  { step: 'method', outcome: 'found' },
];

/** As main finds it of most errors of a stage. */
const endOfStage: Readonly<Partial<Record<Stage, ConnectionView['lastStage']>>> = {
  probe: 'server',
  discovery: 'documents',
  registration: 'signIn',
  credentials: 'signIn',
  authorization: 'signIn',
  callback: 'signIn',
  token: 'signIn',
  install: 'install',
  connection: 'use',
};

export function aConnection(change: Partial<ConnectionView> = {}): ConnectionView {
  const state = change.state ?? { name: 'discovered', method: 'OAuthWithDCR' };
  return {
    id: 'c1',
    kind: 'connect',
    url: `${server}/mcp`,
    host: 'mcp.linear.example',
    name: 'Linear',
    options,
    state,
    ...(state.name === 'failed' && { lastStage: endOfStage[state.error.stage] }),
    turn: whoseTurn(state),
    hasStarted: isAddressFixed(state),
    steps,
    verdict: aVerdict(),
    ...change,
  };
}
