import type { ActivityCall } from '../../shared/activity.ts';

/** A successful call, with changes. */
export function aCall(change: Partial<ActivityCall> = {}): ActivityCall {
  return {
    at: 1_790_000_000_000,
    app: 'cursor',
    integration: 'one',
    server: 'Notes',
    method: 'tools/call',
    tool: 'search',
    outcome: 'ok',
    ms: 12,
    bytesIn: 100,
    bytesOut: 900,
    protocol: 'session',
    ...change,
  };
}
