// Which permission each MCP method needs.

import { isObject } from '../../../shared/json-object.ts';
import type { Capability } from '../../../shared/tool-permissions.ts';
import { parseExactly } from '../../mcp/messages/exact-json.ts';
import { asObject } from '../messages/envelope.ts';
import { isList, listMemberOf } from '../messages/lists.ts';
import type { RequestEnvelope } from '../messages/envelope.ts';

/**
 * What decides whether a request is allowed: `open` to every app, tool by tool, or one capability as a whole.
 * `unnamed`: no rule covers it, so it is refused if any permission is restricted.
 */
export type MethodRule = 'open' | 'tools' | Capability | 'unnamed';

/** Client requests that MCP defines (2025-11-25 and 2026-07-28, schema); two more depend on parameters. */
const rules: ReadonlyMap<string, MethodRule> = new Map([
  ['initialize', 'open'],
  ['server/discover', 'open'],
  ['ping', 'open'],
  ['logging/setLevel', 'open'],
  ['tools/list', 'tools'],
  ['tools/call', 'tools'],
  // A task has an id that only an admitted call receives; `tasks/list` would reveal those of other apps.
  ['tasks/get', 'open'],
  ['tasks/result', 'open'],
  ['tasks/update', 'open'],
  ['tasks/cancel', 'open'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resources'],
  ['resources/read', 'resources'],
  ['resources/subscribe', 'resources'],
  ['resources/unsubscribe', 'resources'],
  ['prompts/list', 'prompts'],
  ['prompts/get', 'prompts'],
]);

/**
 * The rule for a request, by its method or by what it refers to (MCP 2025-11-25, completion; 2026-07-28,
 * subscriptions).
 */
export function methodRuleOf({ method, params }: Pick<RequestEnvelope, 'method' | 'params'>): MethodRule {
  if (method === 'completion/complete') {
    const { ref } = params;
    const type = isObject(ref) ? ref['type'] : undefined;
    if (type === 'ref/prompt') return 'prompts';
    return type === 'ref/resource' ? 'resources' : 'unnamed';
  }
  if (method === 'subscriptions/listen') {
    const { notifications } = params;
    const { resourceSubscriptions: uris = [] } = asObject(notifications);
    return Array.isArray(uris) && uris.length === 0 ? 'open' : 'resources';
  }
  return rules.get(method) ?? 'unnamed';
}

/**
 * Whether this method belongs to a request. Sent as a notification, it would run without a response (JSON-RPC 2.0
 * section 4.1).
 */
export function isRequestMethod(method: string): boolean {
  return rules.has(method) || method === 'completion/complete' || method === 'subscriptions/listen';
}

/** Whether the response is a list that can be hidden as a whole by emptying it. */
export function isListing(method: string): boolean {
  return isList(method) && method !== 'tools/list';
}

/** A list response without entries. `response`: valid JSON. */
export function withoutEntries(method: string, response: Buffer): Buffer {
  const message = parseExactly(response.toString('utf8'));
  if (!isObject(message) || !isObject(message['result'])) return response;
  const { nextCursor: _more, ...result } = message['result'];
  return Buffer.from(JSON.stringify({ ...message, result: { ...result, [listMemberOf(method) ?? '']: [] } }));
}
