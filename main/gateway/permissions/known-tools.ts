import { isObject } from '../messages/envelope.ts';
import type { JsonObject } from '../messages/envelope.ts';

/** Tools of one server that are remembered; what is not counts as one that changes something. */
const most = 5_000;

/** Whether a tool, as its server lists it, says that it changes nothing (MCP 2025-11-25, tool annotations). */
export function saysReadOnly(tool: JsonObject): boolean {
  const { annotations } = tool;
  return isObject(annotations) && annotations['readOnlyHint'] === true;
}

/** What the lists of a server said of its tools. */
export class KnownTools {
  readonly #readOnly = new Map<string, boolean>();

  get isEmpty(): boolean {
    return this.#readOnly.size === 0;
  }

  /** Learns from one page of `tools/list`. Of two tools with one name the one that changes something counts. */
  learn({ tools }: { readonly tools?: unknown }): void {
    if (!Array.isArray(tools)) return;
    const page = new Map<string, boolean>();
    for (const tool of tools as readonly unknown[]) {
      if (!isObject(tool) || typeof tool['name'] !== 'string') continue;
      page.set(tool['name'], saysReadOnly(tool) && page.get(tool['name']) !== false);
    }
    for (const [name, readOnly] of page)
      if (this.#readOnly.has(name) || this.#readOnly.size < most) this.#readOnly.set(name, readOnly);
  }

  forget(): void {
    this.#readOnly.clear();
  }

  isReadOnly(name: string): boolean {
    return this.#readOnly.get(name) === true;
  }
}
