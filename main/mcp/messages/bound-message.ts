import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { mcpDepth, mcpListing } from '../../limits.ts';
import { measureJson } from './measure-json.ts';

/** Members that a listing's answer has its entries in. */
const listed = ['tools', 'resources', 'resourceTemplates', 'prompts'] as const;

/** A message as far as it is taken, or the request whose answer is not, and why. */
export type Admitted =
  | { readonly kind: 'message'; readonly message: JSONRPCMessage }
  | { readonly kind: 'refused'; readonly id: string | number; readonly code: 'JSON_DEPTH' | 'RESULT_TOO_LARGE' }
  | BeyondBounds;

/** A question of the server that is not read; without any answer the server, and the call with it, would wait. */
interface BeyondBounds {
  readonly kind: 'beyond-bounds';
  readonly id: string | number;
}

/** What is left of the bound of one listing, and whether entries of it were left out. */
interface Room {
  entries: number;
  size: number;
  isPartial: boolean;
}

function newRoom(): Room {
  return { entries: mcpListing.entries, size: mcpListing.size, isPartial: false };
}

/** The bounds of what one server sends over one connection: the depth of a message, the entries of each listing. */
export class MessageBound {
  readonly #rooms = new Map<string, Room>();
  /** By request; the library takes the answer `"1"` for the request 1 too. */
  readonly #asked = new Map<string, Room>();

  /** Whether entries of the newest listing by `method` were left out. */
  isPartial(method: string): boolean {
    return this.#rooms.get(method)?.isPartial === true;
  }

  /** Notes the pages of a listing that are asked for: all of them together have one bound. */
  asks(message: JSONRPCMessage): void {
    if (!('method' in message) || !('id' in message) || !/\/(?:templates\/)?list$/u.test(message.method)) return;
    const known = message.params?.['cursor'] === undefined ? undefined : this.#rooms.get(message.method);
    const room = known ?? newRoom();
    this.#rooms.set(message.method, room);
    this.#asked.set(String(message.id), room);
  }

  /** `undefined`: it is for nobody. */
  admit(message: JSONRPCMessage): Admitted | undefined {
    if ('result' in message) {
      const key = String(message.id);
      const room = this.#asked.get(key) ?? newRoom();
      this.#asked.delete(key);
      for (const name of listed) this.#boundList(message.result, name, room);
    }
    if (!measureJson(message, mcpDepth).isTooDeep) return { kind: 'message', message };
    if (!('id' in message) || message.id === undefined) return undefined;
    if ('method' in message) return { kind: 'beyond-bounds', id: message.id };
    return { kind: 'refused', id: message.id, code: 'JSON_DEPTH' };
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
    if (kept.length < entries.length) room.isPartial = true;
    result[name] = kept;
    if (room.entries > 0 || result['nextCursor'] === undefined) return;
    room.isPartial = true;
    delete result['nextCursor'];
  }
}
