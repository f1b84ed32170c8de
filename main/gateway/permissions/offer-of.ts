import type { Offer } from '../../../shared/tool-permissions.ts';
import { parseExactly } from '../../mcp/messages/exact-json.ts';
import { isObject } from '../messages/envelope.ts';
import type { RequestEnvelope } from '../messages/envelope.ts';

/** Members of an answer that the entries of a listing are in. */
const lists: Readonly<Record<string, string>> = {
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
  'prompts/list': 'prompts',
};

/**
 * What decides of a request: `open` to every app, tool by tool, or as one offer. `unnamed`: no rule names it, so it is
 * refused where anything is restricted.
 */
export type Rule = 'open' | 'tools' | Offer | 'unnamed';

/** Every request of a client that MCP names (2025-11-25 and 2026-07-28, schema). */
const rules: ReadonlyMap<string, Rule> = new Map([
  ['initialize', 'open'],
  ['server/discover', 'open'],
  ['ping', 'open'],
  ['logging/setLevel', 'open'],
  ['tools/list', 'tools'],
  ['tools/call', 'tools'],
  // A task is known by an id that only an admitted call was given; `tasks/list` would name those of other apps.
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

/** The rule for a request by its method, or by what it refers to (MCP 2025-11-25, completion; 2026-07-28, subscriptions). */
export function ruleOf({ method, params }: Pick<RequestEnvelope, 'method' | 'params'>): Rule {
  if (method === 'completion/complete') {
    const { ref } = params;
    const type = isObject(ref) ? ref['type'] : undefined;
    if (type === 'ref/prompt') return 'prompts';
    return type === 'ref/resource' ? 'resources' : 'unnamed';
  }
  if (method === 'subscriptions/listen') {
    const { notifications } = params;
    const { resourceSubscriptions: uris = [] } = isObject(notifications) ? notifications : {};
    return Array.isArray(uris) && uris.length === 0 ? 'open' : 'resources';
  }
  return rules.get(method) ?? 'unnamed';
}

/** Whether this is a request without an id, of which nobody would hear (JSON-RPC 2.0 section 4.1). */
export function lacksId(method: string): boolean {
  return rules.has(method) || method === 'completion/complete' || method === 'subscriptions/listen';
}

/** The member of its answer that the entries of a listing are in; `undefined`: it is none. */
export function memberOf(method: string): string | undefined {
  return method === 'tools/list' ? 'tools' : Object.hasOwn(lists, method) ? lists[method] : undefined;
}

/** Whether it is answered with a list, which can be empty. */
export function isListing(method: string): boolean {
  return Object.hasOwn(lists, method);
}

/** An answer to a listing with nothing in it. `answer`: sound JSON. */
export function withoutEntries(method: string, answer: Buffer): Buffer {
  const message = parseExactly(answer.toString('utf8'));
  if (!isObject(message) || !isObject(message['result'])) return answer;
  const { nextCursor: _more, ...result } = message['result'];
  return Buffer.from(JSON.stringify({ ...message, result: { ...result, [lists[method] ?? '']: [] } }));
}
