// A server's tools as last listed, compared with what the user has reviewed.

import type { Integration } from '../../../shared/integration.ts';
import { isUnreviewed, recordTools, readPins } from '../../engine/records/tool-pins.ts';
import type { PinPorts } from '../../engine/records/tool-pins.ts';
import { yieldIfBusy } from '../../yield-if-busy.ts';
import { mcpListing } from '../../limits.ts';
import { pinKey, fingerprintTool } from '../../mcp/client/tool-fingerprint.ts';
import type { SeenTool, ToolPins } from '../../ports.ts';
import { isObject } from '../messages/envelope.ts';
import type { JsonObject } from '../messages/envelope.ts';

/** Tools that the user has not reviewed, or not in their current form. */
export interface UnreviewedTools {
  /** `raw`: JSON text of the entry. */
  readonly hasEntry: (tool: JsonObject, raw: Buffer) => boolean;
  readonly hasName: (name: string) => boolean;
}

/** The current definitions of a server's tools, compared with those that the user has reviewed. */
export class SeenTools {
  readonly #ports: PinPorts;
  readonly #integration: () => Integration;
  #pins: Promise<ToolPins | undefined> | undefined;
  /** As last listed, to any app. A name may have several definitions. */
  readonly #listed = new Map<string, readonly SeenTool[]>();

  constructor(ports: PinPorts, integration: () => Integration) {
    this.#ports = ports;
    this.#integration = integration;
  }

  /** Records one page of `tools/list`. Never rejects. */
  async learn({ forms: seen, isLast }: SeenPage): Promise<void> {
    this.#remember(seen);
    const recording = recordTools(this.#ports, this.#integration(), { seen, isLast });
    this.#pins = recording;
    await recording;
  }

  /** Records a cached list. */
  async recall({ tools }: JsonObject): Promise<void> {
    const seen: SeenTool[] = [];
    for (const tool of (Array.isArray(tools) ? tools : []) as readonly unknown[]) {
      const form = isObject(tool) && toSeenTool(tool);
      if (form) seen.push(form);
      await yieldIfBusy();
    }
    this.#remember(seen);
  }

  /** Tools that the user has not reviewed. Never rejects. */
  async unreviewed(): Promise<UnreviewedTools> {
    const pins = await (this.#pins ??= readPins(this.#ports, this.#integration()));
    return {
      hasEntry: (tool, raw) => {
        const seen = toSeenTool(tool, raw);
        return seen !== undefined && isUnreviewed(pins, seen);
      },
      hasName: (name) => {
        const pinned = pinKey(name);
        const listed = this.#listed.get(pinned);
        if (listed) return listed.some((seen) => isUnreviewed(pins, seen));
        return pins?.isWhole === true && !pins.tools.some((tool) => tool.name === pinned);
      },
    };
  }

  /** Discards the list, which belongs to another sign-in; reviews are retained. */
  forget(): void {
    this.#listed.clear();
    this.#pins = undefined;
  }

  /** Re-reads the reviews next time, since they have changed in some process. */
  forgetPins(): void {
    this.#pins = undefined;
  }

  #remember(seen: readonly SeenTool[]): void {
    for (const [name, forms] of Map.groupBy(seen, (tool) => tool.name)) {
      this.#listed.delete(name);
      this.#listed.set(name, forms);
    }
    // A server may list different tools every time: drop the oldest.
    for (const name of this.#listed.keys()) {
      if (this.#listed.size <= mcpListing.entries) break;
      this.#listed.delete(name);
    }
  }
}

/** One page of `tools/list`. `forms`: fingerprints of the tools. */
export interface SeenPage {
  readonly tools: JsonObject[];
  readonly forms: SeenTool[];
  readonly isLast: boolean;
}

/** The fingerprint of a listed tool; empty if it has no name. */
export function seenToolsOf(tool: JsonObject, raw: Buffer): readonly SeenTool[] {
  const seen = toSeenTool(tool, raw);
  return seen ? [seen] : [];
}

function toSeenTool(tool: JsonObject, raw?: Buffer): SeenTool | undefined {
  const { name } = tool;
  return typeof name === 'string' ? fingerprintTool({ ...tool, name }, raw) : undefined;
}

/** Maximum tools per server; any other counts as not read-only. */
const maxTools = 5_000;

/** Whether the server's listing marks this tool as read-only (MCP 2025-11-25, tool annotations). */
export function isReadOnlyTool(tool: JsonObject): boolean {
  const { annotations } = tool;
  return isObject(annotations) && annotations['readOnlyHint'] === true;
}

/** Which tools the server's lists mark as read-only. */
export class KnownTools {
  readonly #readOnly = new Map<string, boolean>();

  get isEmpty(): boolean {
    return this.#readOnly.size === 0;
  }

  /** Records one page of `tools/list`. Of two tools with the same name, the one that is not read-only counts. */
  learn({ tools }: { readonly tools?: unknown }): void {
    if (!Array.isArray(tools)) return;
    const page = new Map<string, boolean>();
    for (const tool of tools as readonly unknown[]) {
      if (!isObject(tool) || typeof tool['name'] !== 'string') continue;
      page.set(tool['name'], isReadOnlyTool(tool) && page.get(tool['name']) !== false);
    }
    for (const [name, readOnly] of page)
      if (this.#readOnly.has(name) || this.#readOnly.size < maxTools) this.#readOnly.set(name, readOnly);
  }

  forget(): void {
    this.#readOnly.clear();
  }

  isReadOnly(name: string): boolean {
    return this.#readOnly.get(name) === true;
  }
}
