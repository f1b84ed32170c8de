import type { EnginePorts } from '../../main/engine/engine-ports.ts';
import { integrationLock, saveSignIn } from '../../main/engine/records/stored-secrets.ts';
import type { ClientCredentials } from '../../main/oauth/client/client-credentials.ts';
import type { TokenSet } from '../../main/oauth/token/token-set.ts';
import { Secret } from '../../main/secret.ts';
import type { Integration } from '../../shared/integration.ts';
import { localOptions } from '../support/local-options.ts';

const redirectUri = 'http://127.0.0.1:1024/integration/oauth/callback';

/** What a user does with a browser, in two requests: hundreds of them have to sign in before anything can be tried. */
export async function signInDirectly(ports: EnginePorts, origin: string, id: string): Promise<Integration> {
  const client: ClientCredentials = {
    clientId: 'soak',
    source: 'registered',
    authentication: 'none',
    issuerKey: origin,
    redirectUri,
  };
  const query = new URLSearchParams({ client_id: client.clientId, redirect_uri: redirectUri, state: 'any' });
  const allowed = await fetch(`${origin}/authorize?${query.toString()}`, { redirect: 'manual' });
  const code = new URL(allowed.headers.get('location') ?? '').searchParams.get('code') ?? '';
  const form = { grant_type: 'authorization_code', client_id: client.clientId, code };
  const response = await fetch(`${origin}/token`, { method: 'POST', body: new URLSearchParams(form) });
  const pair = (await response.json()) as { access_token: string; refresh_token: string; expires_in: number };
  const now = Math.trunc(ports.clock.now());
  const tokens: TokenSet = {
    accessToken: new Secret(pair.access_token),
    refreshToken: new Secret(pair.refresh_token),
    issuerKey: origin,
    tokenEndpoint: `${origin}/token`,
    receivedAt: { wall: now },
    expiresAt: now + pair.expires_in * 1_000,
    notes: [],
  };
  return await ports.locks.hold(integrationLock(id), async () => {
    const integration: Integration = {
      id,
      name: id,
      url: `${origin}/mcp`,
      method: 'OAuthWithDCR',
      state: 'integrated',
      issuerKey: origin,
      redirectUri,
      expiresAt: tokens.expiresAt ?? now,
      signedInAt: now,
      createdAt: now,
      protocol: 'session',
      notes: [],
      options: localOptions,
    };
    await saveSignIn(await ports.vault(), integration, client, tokens);
    await ports.store.write(integration);
    return integration;
  });
}
