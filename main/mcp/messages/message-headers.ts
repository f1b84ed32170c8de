import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { gatewayMessage } from '../../limits.ts';

/** Where a message names the revision of the protocol that it is written in. */
const versionMember = 'io.modelcontextprotocol/protocolVersion';
/** Which parameter a method's name header repeats (MCP 2026-07-28, streamable HTTP; SEP-2663 for tasks). */
const named: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};
const wrapped = /^=\?base64\?.*\?=$/su;
const plain = /^[\t\x20-\x7e]+$/u;

/** The fields that repeat what a message of the stateless wire says of itself; none for an older one. */
export function messageHeaders(message: JSONRPCMessage): Readonly<Record<string, string>> {
  if (!('method' in message) || !('id' in message)) return {};
  const version: unknown = message.params?._meta?.[versionMember];
  if (typeof version !== 'string') return {};
  const name = nameOf(message.method, message.params ?? {});
  return {
    'mcp-protocol-version': version,
    'mcp-method': message.method,
    ...(typeof name === 'string' && { 'mcp-name': encodeValue(name) }),
  };
}

/** What a request is about by its name field; `undefined`: its method has none. */
export function nameOf(method: string, params: Readonly<Record<string, unknown>>): unknown {
  return params[named[method] ?? ''];
}

/** A value as a field may carry it (MCP 2026-07-28, value encoding). */
export function encodeValue(value: string): string {
  if (plain.test(value) && value === value.trim() && !wrapped.test(value)) return value;
  return `=?base64?${Buffer.from(value).toString('base64')}?=`;
}

/** A message of the wire without sessions. */
export function isModern(message: JSONRPCMessage): boolean {
  return 'mcp-method' in messageHeaders(message);
}

/** MCP 2025-11-25, session management 1: visible ASCII alone. */
export function readSessionId(value: string | null): string | undefined {
  return value !== null && /^[\x21-\x7e]+$/u.test(value) ? value : undefined;
}

/** The revision that a handshake agreed on; `undefined` where no header field can carry it. */
export function readRevision(value: unknown): string | undefined {
  const isShort = typeof value === 'string' && value.length <= gatewayMessage.versionLength;
  return isShort && /^[\x21-\x7e]+$/u.test(value) ? value : undefined;
}

/** Of a response, in lower case and without parameters; of a field that was sent twice the first. */
export function mediaType({ headers }: Response): string {
  return (headers.get('content-type')?.split(/[;,]/u)[0] ?? '').trim().toLowerCase();
}

/** The same id, whichever way it is written: some servers answer `"1"` to 1. */
export function idKey(id: string): string {
  if (!id.startsWith('"')) return id;
  try {
    return String(JSON.parse(id));
  } catch {
    return id;
  }
}

/**
 * Whether a server that answers with this id means the request with that one. Many keep of a number only what
 * JavaScript does: 12345678901234567890 comes back as 12345678901234567000, and 1.0 as 1.
 */
export function meansId(answered: string, asked: string): boolean {
  const key = idKey(answered);
  if (key === idKey(asked)) return true;
  return !asked.startsWith('"') && /^-?\d/u.test(key) && Number(key) === Number(asked);
}
