import { describeError } from '../../shared/error-codes.ts';
import type { IntegrationView } from '../../shared/integration-view.ts';
import { anError, anIntegrationView, moments, options } from './fixtures.ts';

/** One of every state, some with long names and addresses. */
export function someIntegrations(now = Date.now()): IntegrationView[] {
  const { minutes } = moments(now);
  const make = (change: Partial<IntegrationView>): IntegrationView => anIntegrationView(change, now);
  return [
    make({}),
    make({
      id: 'github',
      name: 'GitHub (work)',
      url: 'https://api.githubcopilot.example/mcp/',
      host: 'api.githubcopilot.example',
      method: 'OAuth',
      signInHost: 'github.example',
      issuer: 'https://github.example/login/oauth',
      scope: 'repo read:org',
      scopeRequested: 'repo read:org write:packages',
      missingScopes: ['write:packages'],
      boundToKey: true,
      status: {
        name: 'needsAccess',
        error: anError({
          code: 'SCOPE_REQUIRED',
          stage: 'connection',
          message: describeError('SCOPE_REQUIRED', { host: 'api.githubcopilot.example' }).message,
          retryable: false,
        }),
      },
    }),
    make({
      id: 'notes',
      name: 'Notes on this computer',
      url: 'http://127.0.0.1:8931/mcp',
      host: '127.0.0.1:8931',
      method: 'NoAuth',
      signInHost: undefined,
      issuer: undefined,
      scope: undefined,
      expiresAt: undefined,
      nextRefreshAt: undefined,
      signedInAt: undefined,
      refreshedAt: undefined,
      options: { ...options, local: true },
    }),
    make({
      id: 'sentry',
      name: 'Sentry',
      url: 'https://mcp.sentry.example/mcp',
      host: 'mcp.sentry.example',
      state: 'reauthenticationRequired',
      status: {
        name: 'signInAgain',
        error: anError({
          code: 'REFRESH_REVOKED',
          stage: 'refresh',
          message: describeError('REFRESH_REVOKED', {}).message,
          retryable: false,
        }),
      },
    }),
    make({
      id: 'atlassian',
      name: 'Atlassian',
      url: 'https://mcp.atlassian.example/v1/mcp',
      host: 'mcp.atlassian.example',
      state: 'signedOut',
      status: { name: 'signIn' },
    }),
    make({
      id: 'warehouse',
      name: 'Warehouse reports for the whole northern region, second quarter',
      url: 'https://warehouse-reports.internal.northern-region.company.example/services/model-context/mcp',
      host: 'warehouse-reports.internal.northern-region.company.example',
      status: {
        name: 'offline',
        retryAt: minutes(6),
        error: anError({
          code: 'REFRESH_TRANSIENT',
          stage: 'refresh',
          message: describeError('REFRESH_TRANSIENT', {}).message,
        }),
      },
    }),
    make({
      id: 'vault',
      name: 'Design files',
      url: 'https://mcp.figma.example/mcp',
      host: 'mcp.figma.example',
      status: {
        name: 'storageProblem',
        error: anError({
          code: 'KC_LOCKED',
          stage: 'storage',
          message: describeError('KC_LOCKED', {}).message,
        }),
      },
    }),
    make({
      id: 'stripe',
      name: 'Stripe',
      url: 'https://mcp.stripe.example/',
      host: 'mcp.stripe.example',
      busy: 'refreshing',
    }),
  ];
}

/** A list too long to render whole. */
export function manyIntegrations(count: number, now = Date.now()): IntegrationView[] {
  const names = ['ready', 'ready', 'ready', 'offline', 'signInAgain', 'ready', 'signIn'] as const;
  return Array.from({ length: count }, (_, index) =>
    anIntegrationView(
      {
        id: `server-${index}`,
        name: `Server ${index + 1}`,
        url: `https://mcp-${index + 1}.example/mcp`,
        host: `mcp-${index + 1}.example`,
        status: { name: names[index % names.length] ?? 'ready' },
      },
      now,
    ),
  );
}

/** A server with an API key. */
export function aKeyServer(change: Partial<IntegrationView> = {}): IntegrationView {
  return anIntegrationView({
    id: 'weather',
    name: 'Weather',
    url: 'https://weather.example/mcp',
    host: 'weather.example',
    method: 'NoAuth',
    signInHost: undefined,
    issuer: undefined,
    scope: undefined,
    expiresAt: undefined,
    nextRefreshAt: undefined,
    signedInAt: undefined,
    refreshedAt: undefined,
    options: { ...options, headerName: 'X-API-Key' },
    ...change,
  });
}

/** A server that responds but does not speak MCP. */
export function aFailingServer(): IntegrationView {
  const error = anError({ code: 'MCP_FAILED', stage: 'connection', ...describeError('MCP_FAILED', { status: 404 }) });
  return anIntegrationView({ status: { name: 'failing', error, mayHaveMoved: true } });
}
