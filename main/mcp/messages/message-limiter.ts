import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { UnusablePart } from '../../../shared/mcp-view.ts';
import { mcpDepth, mcpListing, maxUnusableParts } from '../../limits.ts';
import { measureJson } from './measure-json.ts';
import { isStateless } from './message-headers.ts';
import { readBareResult, repairResult } from './repair-result.ts';

/** Members with the entries of a listing. */
const listMembers = ['tools', 'resources', 'resourceTemplates', 'prompts'] as const;

/** An accepted message, or the request whose response was rejected and why. */
export type AdmissionResult =
  | { readonly kind: 'message'; readonly message: JSONRPCMessage }
  | { readonly kind: 'refused'; readonly id: string | number; readonly code: 'JSON_DEPTH' | 'RESULT_TOO_LARGE' }
  | BeyondBounds;

/** A server request beyond our bounds. Without a response, the server and the call would hang. */
interface BeyondBounds {
  readonly kind: 'beyond-bounds';
  readonly id: string | number;
}

/** Remaining budget of one listing, and whether entries were left out. */
interface ListingBudget {
  entries: number;
  size: number;
  isPartial: boolean;
  /** Entries received so far. */
  received: number;
  readonly unusable: UnusablePart[];
}

function newBudget(): ListingBudget {
  return { entries: mcpListing.entries, size: mcpListing.size, isPartial: false, received: 0, unusable: [] };
}

interface RequestInfo {
  readonly method: string;
  readonly isStateless: boolean;
  readonly isNextPage: boolean;
  readonly budget: ListingBudget;
}

/** Result member with the entries, by method. */
const listMemberByMethod: ReadonlyMap<string, UnusablePart['list']> = new Map([
  ['tools/list', 'tools'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resourceTemplates'],
  ['prompts/list', 'prompts'],
]);

/** Bounds what one server sends over one connection: the depth of a message, the entries of each listing. */
export class MessageLimiter {
  readonly #budgets = new Map<string, ListingBudget>();
  /** By request id as text; the library accepts `"1"` for 1 too. */
  readonly #requests = new Map<string, RequestInfo>();

  /** Whether entries of the latest listing by `method` were left out. */
  isPartial(method: string): boolean {
    return this.#budgets.get(method)?.isPartial === true;
  }

  /** Unusable parts of the latest response to this method; for a listing, of all its pages. */
  unusableParts(method: string): readonly UnusablePart[] {
    return this.#budgets.get(method)?.unusable ?? [];
  }

  /** Registers a request; the pages of a listing share one budget. */
  noteRequest(message: JSONRPCMessage): void {
    if (!('method' in message) || !('id' in message)) return;
    const { method } = message;
    const isNextPage = message.params?.['cursor'] !== undefined;
    const known = isNextPage ? this.#budgets.get(method) : undefined;
    const budget = known ?? newBudget();
    this.#budgets.set(method, budget);
    this.#requests.set(String(message.id), { method, isStateless: isStateless(message), isNextPage, budget });
  }

  /**
   * An empty last page to replace a failed one, so that the pages before it stay usable. `undefined`: the request was
   * not for a further page.
   */
  emptyLastPage(id: string | number): JSONRPCMessage | undefined {
    const { method, isStateless: stateless, isNextPage, budget } = this.#requests.get(String(id)) ?? {};
    const list = listMemberByMethod.get(method ?? '');
    if (!list || !isNextPage || !budget) return undefined;
    budget.isPartial = true;
    if (budget.unusable.length < maxUnusableParts) budget.unusable.push({ list, member: 'nextCursor' });
    const hints = stateless === true && { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
    return { jsonrpc: '2.0', id, result: { ...hints, [list]: [] } };
  }

  /** The request is no longer pending. */
  forget(id: string | number): void {
    this.#requests.delete(String(id));
  }

  /** `undefined`: the message has no recipient. */
  admit(message: JSONRPCMessage): AdmissionResult | undefined {
    const lastPage = 'error' in message && message.id !== undefined ? this.emptyLastPage(message.id) : undefined;
    if (lastPage) return { kind: 'message', message: lastPage };
    const request = 'result' in message ? this.#requests.get(String(message.id)) : undefined;
    let offset = 0;
    if ('result' in message) {
      const budget = request?.budget ?? newBudget();
      offset = budget.received;
      readBareResult(request?.method, message.result);
      for (const name of listMembers) this.#boundList(message.result, name, budget);
    }
    if (!measureJson(message, mcpDepth).isTooDeep)
      return { kind: 'message', message: repairMessage(message, request, offset) };
    if (!('id' in message) || message.id === undefined) return undefined;
    if ('method' in message) return { kind: 'beyond-bounds', id: message.id };
    return { kind: 'refused', id: message.id, code: 'JSON_DEPTH' };
  }

  /** Too deep entries are left out, so that they do not affect the others. */
  #boundList(result: Record<string, unknown>, name: string, budget: ListingBudget): void {
    const entries: unknown = result[name];
    if (!Array.isArray(entries)) return;
    const accepted: unknown[] = [];
    budget.received += entries.length;
    for (const entry of entries) {
      if (budget.entries <= 0) break;
      const { isTooDeep, size } = measureJson(entry, mcpListing.depth);
      if (size > budget.size) {
        budget.entries = 0;
        break;
      }
      if (isTooDeep) continue;
      budget.entries -= 1;
      budget.size -= size;
      accepted.push(entry);
    }
    if (accepted.length < entries.length) budget.isPartial = true;
    result[name] = accepted;
    if (budget.entries > 0 || result['nextCursor'] === undefined) return;
    budget.isPartial = true;
    delete result['nextCursor'];
  }
}

function repairMessage(message: JSONRPCMessage, request: RequestInfo | undefined, offset: number): JSONRPCMessage {
  if (!request || !('result' in message)) return message;
  const { method, isStateless: stateless, budget } = request;
  const onUnusable = (part: UnusablePart): void => {
    if (budget.unusable.length < maxUnusableParts) budget.unusable.push(part);
  };
  repairResult(method, message.result, { isStateless: stateless, at: offset, onUnusable });
  return message;
}
