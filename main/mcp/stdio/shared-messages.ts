import { parseExactly } from '../../exact-json.ts';

/** A message whose members nobody has looked at yet. */
export type Message = Readonly<Record<string, unknown>>;

/** The same message, byte for byte, with another id. */
export function withId(
  bytes: Buffer,
  { start, end }: { readonly start: number; readonly end: number },
  id: string,
): Buffer {
  return Buffer.concat([bytes.subarray(0, start), Buffer.from(id), bytes.subarray(end)]);
}

/** `undefined`: it is no message. Numbers in it stay as they are written. */
export function readMessage(text: string): Message | undefined {
  try {
    const message = parseExactly(text);
    return typeof message === 'object' && message !== null && !Array.isArray(message)
      ? (message as Message)
      : undefined;
  } catch {
    return undefined;
  }
}

/** What a server says of itself, without what its sessions do not share. */
export function toolsAlone(result: Message): Message {
  const { tools } = (result['capabilities'] ?? {}) as Message;
  return { ...result, capabilities: tools === undefined ? {} : { tools } };
}

/** The same of the newer wire (MCP 2026-07-28, discovery). */
export function discoverTools(answer: Message): Message {
  return answer['result'] ? { ...answer, result: toolsAlone(answer['result'] as Message) } : answer;
}
