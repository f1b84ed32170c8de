import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { mcpDepth, mcpListing } from '../limits.ts';
import { measureJson } from './measure-json.ts';

/** Members that a listing's answer has its entries in. */
const listed = ['tools', 'resources', 'resourceTemplates', 'prompts'] as const;

/** What stands in the place of an answer that is nested too deeply; told from a server's own by identity. */
export const tooDeep: object = { reason: 'nested too deeply' };
/** The same for one with more values than `mcpMessage` allows. */
export const tooLarge: object = { reason: 'too large' };

interface Room {
  entries: number;
  size: number;
}

function newRoom(): Room {
  return { entries: mcpListing.entries, size: mcpListing.size };
}

/** The bounds of what one server sends over one connection: the depth of a message, the entries of each listing. */
export class MessageBound {
  readonly #rooms = new Map<string, Room>();
  /** By request; the library takes the answer `"1"` for the request 1 too. */
  readonly #asked = new Map<string, Room>();
  #isPartial = false;

  /** Whether entries of some listing were left out. */
  get isPartial(): boolean {
    return this.#isPartial;
  }

  /** Notes the pages of a listing that are asked for: all of them together have one bound. */
  asks(message: JSONRPCMessage): void {
    if (!('method' in message) || !('id' in message) || !/\/(?:templates\/)?list$/u.test(message.method)) return;
    const known = message.params?.['cursor'] === undefined ? undefined : this.#rooms.get(message.method);
    const room = known ?? newRoom();
    this.#rooms.set(message.method, room);
    this.#asked.set(String(message.id), room);
  }

  /** The message as far as it is taken; `undefined`: not at all. */
  admit(message: JSONRPCMessage): JSONRPCMessage | undefined {
    if ('result' in message) {
      const key = String(message.id);
      const room = this.#asked.get(key) ?? newRoom();
      this.#asked.delete(key);
      for (const name of listed) this.#boundList(message.result, name, room);
    }
    if (!measureJson(message, mcpDepth).isTooDeep) return message;
    if ('method' in message || message.id === undefined) return undefined;
    return { jsonrpc: '2.0', id: message.id, error: { code: -32_603, message: 'Too deep', data: tooDeep } };
  }

  /** Entries that are too deep are left out too: one of them must not hide the others. */
  #boundList(result: Record<string, unknown>, name: string, room: Room): void {
    const entries: unknown = result[name];
    if (!Array.isArray(entries)) return;
    const kept: unknown[] = [];
    for (const entry of entries) {
      if (room.entries <= 0) break;
      const { isTooDeep, size } = measureJson(entry, mcpListing.depth);
      if (size > room.size) {
        room.entries = 0;
        break;
      }
      if (isTooDeep) continue;
      room.entries -= 1;
      room.size -= size;
      kept.push(entry);
    }
    if (kept.length < entries.length) this.#isPartial = true;
    result[name] = kept;
    if (room.entries > 0 || result['nextCursor'] === undefined) return;
    this.#isPartial = true;
    delete result['nextCursor'];
  }
}
