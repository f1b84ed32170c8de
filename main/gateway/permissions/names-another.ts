import { encodeValue, nameOf } from '../../mcp/messages/message-headers.ts';
import type { RequestEnvelope } from '../messages/envelope.ts';

/** Of a request by HTTP, names in lower case. */
export type Fields = Readonly<Record<string, string | undefined>>;

/**
 * Whether the fields of a request name another method, tool, prompt or resource than its body (MCP 2026-07-28,
 * streamable HTTP): a server may go by the one and Postern by the other.
 */
export function namesAnother({ method, params }: RequestEnvelope, fields: Fields): boolean {
  const { 'mcp-method': ofMethod, 'mcp-name': ofName } = fields;
  if (ofMethod !== undefined && ofMethod !== method) return true;
  const name = nameOf(method, params);
  return ofName !== undefined && typeof name === 'string' && ofName !== name && ofName !== encodeValue(name);
}
