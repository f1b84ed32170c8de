import { describe, expect, it } from 'vitest';
import { CallLog, outcomeOf } from '../../../../../main/gateway/responses/call-log.ts';
import type { CallOutcome } from '../../../../../main/gateway/responses/call-log.ts';
import { readEnvelope } from '../../../../../main/gateway/messages/envelope.ts';
import { activityCallSchema } from '../../../../../shared/activity.ts';
import type { ActivityCall } from '../../../../../shared/activity.ts';
import { activityFiles } from '../../../../../shared/bounds.ts';
import { hasFailed } from '../../../../../shared/status-words.ts';

function note(message: object, outcome: CallOutcome = 'ok', name = 'Notes'): ActivityCall {
  const calls: ActivityCall[] = [];
  const log = new CallLog(
    { activity: { add: (call) => void calls.push(call) }, clock: { now: () => 1_790_000_000_000, monotonic: () => 5 } },
    { app: 'cursor', server: { integration: { id: 'one', name } } },
  );
  const request = readEnvelope(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 'canary-id', ...message })));
  if (request.kind !== 'request') throw new Error('no request');
  log.begin(request).end(outcome, 7);
  return calls[0] ?? expect.unreachable();
}

describe('CallLog', () => {
  it('records who called what, and no content', () => {
    const params = { name: 'search', arguments: { text: 'canary-argument' }, _meta: { progressToken: 'canary-token' } };
    const call = note({ method: 'tools/call', params });
    expect(call).toMatchObject({ app: 'cursor', integration: 'one', server: 'Notes', tool: 'search', bytesOut: 7 });
    expect(JSON.stringify(call)).not.toContain('canary');
  });

  it('records names of tools only: the name of a prompt or resource may reveal content', () => {
    expect(note({ method: 'prompts/get', params: { name: 'canary' } })).not.toHaveProperty('tool');
    expect(note({ method: 'resources/read', params: { uri: 'canary:' } })).not.toHaveProperty('tool');
  });

  it('keeps every name short and free of control characters, so that its line can be parsed', () => {
    const evil = `\u001B[31m\u202E\n\uD800${'\u{1F600}'.repeat(5_000)}`;
    const call = note({ method: 'tools/call', params: { name: evil } }, 'ok', evil);
    for (const text of [call.server, call.tool ?? '']) expect(text).not.toMatch(/[\p{Cc}\u202E\uD800]/u);
    expect(activityCallSchema.safeParse(call).success).toBe(true);
    expect(activityCallSchema.safeParse(note({ method: evil })).success).toBe(true);
    expect(JSON.stringify(call).length).toBeLessThan(activityFiles.line);
  });

  it('does not count the time that the user took to decide', async () => {
    const calls: ActivityCall[] = [];
    let now = 0;
    const log = new CallLog(
      { activity: { add: (call) => void calls.push(call) }, clock: { now: () => 1, monotonic: () => now } },
      { app: 'cursor', server: { integration: { id: 'one', name: 'Notes' } } },
    );
    const request = { method: 'tools/call', params: { name: 'search' }, bytes: Buffer.alloc(0) };
    const decide = async (): Promise<void> => void (now += 40_000);
    const allowed = log.begin(request);
    await allowed.untimed(decide);
    now += 120;
    allowed.end('ok', 0);
    const cancelled = log.begin(request);
    await cancelled.untimed(async () => {
      await decide();
      cancelled.end('cancelled', 0);
    });
    expect(calls.map(({ ms }) => ms)).toEqual([120, 0]);
  });

  it('does not count the end of a listening stream as a failure', () => {
    expect(hasFailed(note({ method: 'subscriptions/listen' }, 'SESSION_LOST'))).toBe(false);
    expect(hasFailed(note({ method: 'tools/call' }, 'SESSION_LOST'))).toBe(true);
    expect(hasFailed(note({ method: 'tools/call' }, 'cancelled'))).toBe(false);
  });
});

describe('outcomeOf', () => {
  it.each([
    ['tools/call', { result: { content: [] } }, 'ok'],
    ['tools/call', { result: { content: [], isError: true } }, 'toolError'],
    ['tools/call', { result: { isError: 'true' } }, 'ok'],
    ['tools/call', { result: { isError: false, content: [true] } }, 'ok'],
    ['tools/call', { result: { structuredContent: { isError: true }, content: true } }, 'ok'],
    ['prompts/get', { result: { isError: true } }, 'ok'],
    ['tools/call', { error: { code: -32_602, message: 'canary' } }, '-32602'],
    ['tools/call', { error: { code: 'canary' } }, 'MCP_FAILED'],
    ['tools/call', { error: { code: 1e300 } }, 'MCP_FAILED'],
    ['tools/call', { error: 'canary' }, 'MCP_FAILED'],
  ])('classifies the response to %s, %j, as %s', (method, response, outcome) => {
    const envelope = readEnvelope(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, ...response })));
    expect(envelope.kind === 'response' && outcomeOf(method, envelope)).toBe(outcome);
  });
});
