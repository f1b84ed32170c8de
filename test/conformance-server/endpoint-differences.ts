import type { KnownDifference } from './known-difference.ts';

const originRefused = {
  scenario: 'dns-rebinding-protection',
  checks: ['LocalhostHostAccepted'],
  reason: 'no request with an Origin is served, not even one of this computer',
};

/** What the endpoint decides or does on its own. */
export const endpointDifferences: readonly KnownDifference[] = [
  { ...originRefused, revision: '2025-11-25' },
  { ...originRefused, revision: '2026-07-28' },
];
