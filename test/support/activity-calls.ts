import type { ActivityCall } from '../../shared/activity.ts';

/** A call that went well, with what is changed. */
export function aCall(change: Partial<ActivityCall> = {}): ActivityCall {
  return {
    at: 1_790_000_000_000,
    program: 'cursor',
    integration: 'one',
    server: 'Notes',
    method: 'tools/call',
    tool: 'search',
    outcome: 'ok',
    ms: 12,
    bytesIn: 100,
    bytesOut: 900,
    era: 'legacy',
    ...change,
  };
}
