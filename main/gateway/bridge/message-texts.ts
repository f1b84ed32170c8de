import type { JsonObject } from '../messages/envelope.ts';

/** Messages of ours, whose ids are JSON text already. */

export function requestText(id: string, method: string, params: JsonObject): Buffer {
  const said = `"method":${JSON.stringify(method)},"params":${JSON.stringify(params)}`;
  return Buffer.from(`{"jsonrpc":"2.0","id":${id},${said}}`);
}

export function cancelText(id: string): string {
  return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`;
}
