import { usualOptions } from '../../main/engine/engine-ports.ts';
import type { Integration } from '../../shared/integration.ts';

/** A signed-in integration, with what a test cares about put in its place. */
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
    options: usualOptions,
    ...change,
  };
}

/** One that was signed in to at a token endpoint that the person typed. */
export function typedAt(token: string): Integration {
  const endpoints = { authorization: 'https://login.example/authorize', token };
  const { options } = anIntegration();
  return anIntegration({ issuerKey: token, notes: ['typed-endpoints'], options: { ...options, endpoints } });
}
