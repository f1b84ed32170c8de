import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { gatewayMessage } from '../../limits.ts';

/** `_meta` member with the protocol revision of a message. */
const versionMember = 'io.modelcontextprotocol/protocolVersion';
/** The parameter that `mcp-name` repeats, by method (MCP 2026-07-28, streamable HTTP; SEP-2663 for tasks). */
const nameParams: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};
const encodedForm = /^=\?base64\?.*\?=$/su;
const plainText = /^[\t\x20-\x7e]+$/u;

/** The header fields that repeat members of a message in the stateless protocol; none in a session. */
export function messageHeaders(message: JSONRPCMessage): Readonly<Record<string, string>> {
  if (!('method' in message) || !('id' in message)) return {};
  const version: unknown = message.params?._meta?.[versionMember];
  if (typeof version !== 'string') return {};
  const name = mcpNameOf(message.method, message.params ?? {});
  return {
    'mcp-protocol-version': version,
    'mcp-method': message.method,
    ...(typeof name === 'string' && { 'mcp-name': encodeValue(name) }),
  };
}

/** The value for `mcp-name`; `undefined` if the method has none. */
export function mcpNameOf(method: string, params: Readonly<Record<string, unknown>>): unknown {
  return params[nameParams[method] ?? ''];
}

/** Encodes a value for a header field (MCP 2026-07-28, value encoding). */
export function encodeValue(value: string): string {
  if (plainText.test(value) && value === value.trim() && !encodedForm.test(value)) return value;
  return `=?base64?${Buffer.from(value).toString('base64')}?=`;
}

/** Whether it is a message of the stateless protocol. */
export function isStateless(message: JSONRPCMessage): boolean {
  return 'mcp-method' in messageHeaders(message);
}

/** MCP 2025-11-25, session management 1: only visible ASCII. */
export function readSessionId(value: string | null): string | undefined {
  return value !== null && /^[\x21-\x7e]+$/u.test(value) ? value : undefined;
}

/** The negotiated revision; `undefined` if it does not fit into a header field. */
export function readRevision(value: unknown): string | undefined {
  const isShort = typeof value === 'string' && value.length <= gatewayMessage.versionLength;
  return isShort && /^[\x21-\x7e]+$/u.test(value) ? value : undefined;
}

/** Media type of a response, in lower case, without parameters; the first one if the field was sent twice. */
export function mediaType({ headers }: Response): string {
  return (headers.get('content-type')?.split(/[;,]/u)[0] ?? '').trim().toLowerCase();
}

/** Normalizes an id: some servers respond with `"1"` to 1. */
export function idKey(id: string): string {
  if (!id.startsWith('"')) return id;
  try {
    return String(JSON.parse(id));
  } catch {
    return id;
  }
}

/**
 * Whether a response id belongs to a request id. Many servers round numbers like JavaScript: 12345678901234567890 comes
 * back as 12345678901234567000, and 1.0 as 1.
 */
export function matchesId(responseId: string, requestId: string): boolean {
  const key = idKey(responseId);
  if (key === idKey(requestId)) return true;
  return !requestId.startsWith('"') && /^-?\d/u.test(key) && Number(key) === Number(requestId);
}
