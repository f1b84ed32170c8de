import type { Offer } from '../../../shared/tool-permissions.ts';
import { isObject } from '../messages/envelope.ts';
import type { RequestEnvelope } from '../messages/envelope.ts';
import { parseExactly } from '../../exact-json.ts';

/** Members of an answer that the entries of a listing are in. */
const lists: Readonly<Record<string, string>> = {
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
  'prompts/list': 'prompts',
};

/** What a request is about, beside tools (MCP 2025-11-25, resources, prompts, completion). */
export function offerOf({ method, params }: Pick<RequestEnvelope, 'method' | 'params'>): Offer | undefined {
  if (method.startsWith('resources/')) return 'resources';
  if (method.startsWith('prompts/')) return 'prompts';
  if (method !== 'completion/complete') return undefined;
  const { ref } = params;
  return isObject(ref) && ref['type'] === 'ref/prompt' ? 'prompts' : 'resources';
}

/** Whether it is answered with a list, which can be empty. */
export function isListing(method: string): boolean {
  return method in lists;
}

/** An answer to a listing with nothing in it. `answer`: sound JSON. */
export function withoutEntries(method: string, answer: Buffer): Buffer {
  const message = parseExactly(answer.toString('utf8'));
  if (!isObject(message) || !isObject(message['result'])) return answer;
  const { nextCursor: _more, ...result } = message['result'];
  return Buffer.from(JSON.stringify({ ...message, result: { ...result, [lists[method] ?? '']: [] } }));
}
