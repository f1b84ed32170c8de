import { notificationText } from '../answers/answers.ts';
import { isObject } from '../messages/envelope.ts';
import type { Envelope, JsonObject, RequestEnvelope } from '../messages/envelope.ts';
import { parseExactly } from '../messages/exact-json.ts';

/** What a program asks to be told of (MCP 2026-07-28, subscriptions). */
const members: Readonly<Record<string, string>> = {
  'notifications/tools/list_changed': 'toolsListChanged',
  'notifications/prompts/list_changed': 'promptsListChanged',
  'notifications/resources/list_changed': 'resourcesListChanged',
};
const subscriptionId = 'io.modelcontextprotocol/subscriptionId';
const acknowledgement = 'notifications/subscriptions/acknowledged';

/** Whether it asked to be told of this change. */
export function wants(request: RequestEnvelope, change: string): boolean {
  return asked(request)[members[change] ?? ''] === true;
}

/** Says yes to what Postern itself can tell. */
export function acknowledgementOf(request: RequestEnvelope): string {
  const changes = Object.values(members).filter((name) => asked(request)[name] === true);
  const notifications = Object.fromEntries(changes.map((name) => [name, true]));
  return notificationOf(request, acknowledgement, { notifications });
}

export function acknowledges(message: Envelope): boolean {
  return message.kind === 'notification' && message.method === acknowledgement;
}

/** Each notification names the request that asked for it, whose id is JSON already. */
export function notificationOf({ id }: RequestEnvelope, method: string, params: JsonObject = {}): string {
  return notificationText(method, { ...params, _meta: { [subscriptionId]: parseExactly(id) } });
}

/** An event of a stream (WHATWG HTML 9.2.6); JSON may stand on several lines. */
export function asEvent(message: Buffer | string): Uint8Array {
  return Buffer.from(`data: ${message.toString().replaceAll('\n', '\ndata: ')}\n\n`);
}

function asked({ params }: RequestEnvelope): JsonObject {
  return isObject(params['notifications']) ? params['notifications'] : {};
}
