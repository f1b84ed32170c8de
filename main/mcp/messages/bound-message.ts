import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { UnusablePart } from '../../../shared/mcp-view.ts';
import { mcpDepth, mcpListing, mostUnusableParts } from '../../limits.ts';
import { measureJson } from './exact-json.ts';
import { isModern } from './message-headers.ts';
import { readBareResult, repairResult } from './repair-result.ts';

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
  /** Entries of the pages that have come. */
  seen: number;
  readonly unusable: UnusablePart[];
}

function newRoom(): Room {
  return { entries: mcpListing.entries, size: mcpListing.size, isPartial: false, seen: 0, unusable: [] };
}

interface Asked {
  readonly method: string;
  readonly isModern: boolean;
  readonly isNextPage: boolean;
  readonly room: Room;
}

/** Where a listing has its entries. */
const pages: ReadonlyMap<string, UnusablePart['list']> = new Map([
  ['tools/list', 'tools'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resourceTemplates'],
  ['prompts/list', 'prompts'],
]);

/** The bounds of what one server sends over one connection: the depth of a message, the entries of each listing. */
export class MessageBound {
  readonly #rooms = new Map<string, Room>();
  /** By request; the library takes the answer `"1"` for the request 1 too. */
  readonly #asked = new Map<string, Asked>();

  /** Whether entries of the newest listing by `method` were left out. */
  isPartial(method: string): boolean {
    return this.#rooms.get(method)?.isPartial === true;
  }

  /** What the newest answer to this method has that nobody can use; of a listing, all of its pages. */
  unusable(method: string): readonly UnusablePart[] {
    return this.#rooms.get(method)?.unusable ?? [];
  }

  /** Notes what is asked for: the pages of a listing have one bound together. */
  asks(message: JSONRPCMessage): void {
    if (!('method' in message) || !('id' in message)) return;
    const { method } = message;
    const isNextPage = message.params?.['cursor'] !== undefined;
    const known = isNextPage ? this.#rooms.get(method) : undefined;
    const room = known ?? newRoom();
    this.#rooms.set(method, room);
    this.#asked.set(String(message.id), { method, isModern: isModern(message), isNextPage, room });
  }

  /**
   * An empty last page in place of one that failed: what came before it is as good. `undefined`: this asked for no
   * further page.
   */
  asLastPage(id: string | number): JSONRPCMessage | undefined {
    const { method, isModern: stateless, isNextPage, room } = this.#asked.get(String(id)) ?? {};
    const list = pages.get(method ?? '');
    if (!list || !isNextPage || !room) return undefined;
    room.isPartial = true;
    if (room.unusable.length < mostUnusableParts) room.unusable.push({ list, member: 'nextCursor' });
    const hints = stateless === true && { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
    return { jsonrpc: '2.0', id, result: { ...hints, [list]: [] } };
  }

  /** Nobody waits for its answer any more. */
  forget(id: string | number): void {
    this.#asked.delete(String(id));
  }

  /** `undefined`: it is for nobody. */
  admit(message: JSONRPCMessage): Admitted | undefined {
    const last = 'error' in message && message.id !== undefined ? this.asLastPage(message.id) : undefined;
    if (last) return { kind: 'message', message: last };
    const asked = 'result' in message ? this.#asked.get(String(message.id)) : undefined;
    let at = 0;
    if ('result' in message) {
      const room = asked?.room ?? newRoom();
      at = room.seen;
      readBareResult(asked?.method, message.result);
      for (const name of listed) this.#boundList(message.result, name, room);
    }
    if (!measureJson(message, mcpDepth).isTooDeep) return { kind: 'message', message: repaired(message, asked, at) };
    if (!('id' in message) || message.id === undefined) return undefined;
    if ('method' in message) return { kind: 'beyond-bounds', id: message.id };
    return { kind: 'refused', id: message.id, code: 'JSON_DEPTH' };
  }

  /** Entries that are too deep are left out too: one of them must not hide the others. */
  #boundList(result: Record<string, unknown>, name: string, room: Room): void {
    const entries: unknown = result[name];
    if (!Array.isArray(entries)) return;
    const kept: unknown[] = [];
    room.seen += entries.length;
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

function repaired(message: JSONRPCMessage, asked: Asked | undefined, at: number): JSONRPCMessage {
  if (!asked || !('result' in message)) return message;
  const { method, isModern: stateless, room } = asked;
  const onUnusable = (part: UnusablePart): void => {
    if (room.unusable.length < mostUnusableParts) room.unusable.push(part);
  };
  repairResult(method, message.result, { isModern: stateless, at, onUnusable });
  return message;
}
