import { defaultOptions } from '../../main/engine/engine-ports.ts';
import type { Integration } from '../../shared/integration.ts';

/** A signed-in integration, with the given changes. */
export function anIntegration(change: Partial<Integration> = {}): Integration {
  return {
    id: 'one',
    name: 'One',
    alias: (change.id ?? 'one').slice(0, 24),
    url: 'https://mcp.example/mcp',
    method: 'OAuthWithDCR',
    state: 'integrated',
    issuerKey: 'https://as.example',
    createdAt: 1_790_000_000_000,
    notes: [],
    options: defaultOptions,
    ...change,
  };
}

/** An integration with a token endpoint that the user typed. */
export function typedAt(token: string): Integration {
  const endpoints = { authorization: 'https://login.example/authorize', token };
  const { options } = anIntegration();
  return anIntegration({ issuerKey: token, notes: ['typed-endpoints'], options: { ...options, endpoints } });
}
