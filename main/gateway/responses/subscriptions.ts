// Notifications for an app's `subscriptions/listen` requests (MCP 2026-07-28).

import { parseExactly } from '../../mcp/messages/exact-json.ts';
import { asObject, exactMember } from '../messages/envelope.ts';
import type { Envelope, JsonObject, RequestEnvelope } from '../messages/envelope.ts';
import { listChanges } from '../messages/lists.ts';
import { notificationText } from './responses.ts';

const subscriptionId = 'io.modelcontextprotocol/subscriptionId';
const acknowledgement = 'notifications/subscriptions/acknowledged';

export function subscribesTo(request: RequestEnvelope, change: string): boolean {
  const { subscription = '' } = listChanges.find(({ notification }) => notification === change) ?? {};
  return requestedNotifications(request)[subscription] === true;
}

/** Acknowledges the changes that Postern itself can report. */
export function acknowledgementOf(request: RequestEnvelope): string {
  return notificationOf(request, acknowledgement, { notifications: requestedChanges(request) });
}

/** Subscribed changes, as members of `notifications`. */
export function requestedChanges(request: RequestEnvelope): JsonObject {
  const requested = listChanges.filter(({ notification }) => subscribesTo(request, notification));
  return Object.fromEntries(requested.map(({ subscription }) => [subscription, true]));
}

/** Id of the subscription that this acknowledges, as JSON text; `undefined` if it is no acknowledgement. */
export function acknowledgedId(message: Envelope): string | undefined {
  if (message.kind !== 'notification' || message.method !== acknowledgement) return undefined;
  const id = asObject(exactMember(message.bytes, 'params')['_meta'])[subscriptionId];
  return id === undefined ? '' : JSON.stringify(id);
}

/** A notification for one subscription, which it names by request id. */
export function notificationOf({ id }: RequestEnvelope, method: string, params: JsonObject = {}): string {
  return notificationText(method, { ...params, _meta: { [subscriptionId]: parseExactly(id) } });
}

function requestedNotifications({ params }: RequestEnvelope): JsonObject {
  return asObject(params['notifications']);
}
