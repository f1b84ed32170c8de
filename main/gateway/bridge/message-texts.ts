import { isObject } from '../messages/envelope.ts';
import type { JsonObject, RequestEnvelope } from '../messages/envelope.ts';
import { parseExactly } from '../../exact-json.ts';

/** Messages of ours, whose ids are JSON text already. */

export function requestText(id: string, method: string, params: JsonObject): Buffer {
  const said = `"method":${JSON.stringify(method)},"params":${JSON.stringify(params)}`;
  return Buffer.from(`{"jsonrpc":"2.0","id":${id},${said}}`);
}

/**
 * A request of the program with another id, and with other members of its parameters (`undefined`: without them). The
 * rest stands as it was written: to build the values of a long one takes seconds.
 */
export function requestWith({ method, bytes, paramsAt }: RequestEnvelope, id: string, changed: JsonObject): Buffer {
  if (!paramsAt) {
    const message = parseExactly(bytes.toString('utf8'));
    const params = isObject(message) && isObject(message['params']) ? message['params'] : {};
    return requestText(id, method, { ...params, ...changed });
  }
  // Of two of one name the last counts.
  const kept = new Map(
    paramsAt.map(({ name, start, end }) => [JSON.parse(`"${name}"`) as string, bytes.subarray(start, end)]),
  );
  for (const [name, value] of Object.entries(changed)) {
    const text = JSON.stringify(value);
    if (text === undefined) kept.delete(name);
    else kept.set(name, Buffer.from(text));
  }
  const members = [...kept].flatMap(([name, value], index) => [
    Buffer.from(`${index > 0 ? ',' : ''}${JSON.stringify(name)}:`),
    value,
  ]);
  const beginning = Buffer.from(`{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":{`);
  return Buffer.concat([beginning, ...members, Buffer.from('}}')]);
}

export function cancelText(id: string): string {
  return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`;
}
