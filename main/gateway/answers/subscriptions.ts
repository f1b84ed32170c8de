import { parseExactly } from '../../mcp/messages/exact-json.ts';
import { exactMember, isObject } from '../messages/envelope.ts';
import type { Envelope, JsonObject, RequestEnvelope } from '../messages/envelope.ts';
import { notificationText } from './answers.ts';

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
  return notificationOf(request, acknowledgement, { notifications: changedOf(request) });
}

/** The changes that it asked for, as it asked. */
export function changedOf(request: RequestEnvelope): JsonObject {
  const changes = Object.values(members).filter((name) => asked(request)[name] === true);
  return Object.fromEntries(changes.map((name) => [name, true]));
}

/** The id of the request that this acknowledges, as it is written; `undefined` where it is something else. */
export function acknowledgedId(message: Envelope): string | undefined {
  if (message.kind !== 'notification' || message.method !== acknowledgement) return undefined;
  const id = asObject(exactMember(message.bytes, 'params')['_meta'])[subscriptionId];
  return id === undefined ? '' : JSON.stringify(id);
}

/** Each notification names the request that asked for it, whose id is JSON already. */
export function notificationOf({ id }: RequestEnvelope, method: string, params: JsonObject = {}): string {
  return notificationText(method, { ...params, _meta: { [subscriptionId]: parseExactly(id) } });
}

function asked({ params }: RequestEnvelope): JsonObject {
  return asObject(params['notifications']);
}

function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
