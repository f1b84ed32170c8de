import type { Integration } from '../../../shared/integration.ts';
import { isUnseen, noteTools, readPins } from '../../engine/kept/tool-pins.ts';
import type { PinPorts } from '../../engine/kept/tool-pins.ts';
import { fairTurn } from '../../fair-turn.ts';
import { mcpListing } from '../../limits.ts';
import { pinnedName, seeTool } from '../../mcp/client/seen-tool.ts';
import type { SeenTool, ToolPins } from '../../ports.ts';
import { isObject } from '../messages/envelope.ts';
import type { JsonObject } from '../messages/envelope.ts';

/** Tools that nobody has looked at, or not in the form that they have now. */
export interface UnseenTools {
  /** `raw`: the entry as it came. */
  readonly inList: (tool: JsonObject, raw: Buffer) => boolean;
  readonly called: (name: string) => boolean;
}

/** What tools of one server say of themselves now, beside what a person has looked at. */
export class SeenTools {
  readonly #ports: PinPorts;
  readonly #integration: () => Integration;
  #pins: Promise<ToolPins | undefined> | undefined;
  /** As they were listed last, to whichever program; two of one name are two forms. */
  readonly #listed = new Map<string, readonly SeenTool[]>();

  constructor(ports: PinPorts, integration: () => Integration) {
    this.#ports = ports;
    this.#integration = integration;
  }

  /** Learns from one page of `tools/list`. Never rejects. */
  async learn({ forms: seen, isLast }: SeenPage): Promise<void> {
    this.#remember(seen);
    const noting = noteTools(this.#ports, this.#integration(), { seen, isLast });
    this.#pins = noting;
    await noting;
  }

  /** The same of what was listed before. */
  async recall({ tools }: JsonObject): Promise<void> {
    const seen: SeenTool[] = [];
    for (const tool of (Array.isArray(tools) ? tools : []) as readonly unknown[]) {
      const form = isObject(tool) && see(tool);
      if (form) seen.push(form);
      await fairTurn();
    }
    this.#remember(seen);
  }

  /** Those that nobody has looked at. Never rejects. */
  async unseen(): Promise<UnseenTools> {
    const pins = await (this.#pins ??= readPins(this.#ports, this.#integration()));
    return {
      inList: (tool, raw) => {
        const seen = see(tool, raw);
        return seen !== undefined && isUnseen(pins, seen);
      },
      called: (name) => {
        const wanted = pinnedName(name);
        const listed = this.#listed.get(wanted);
        if (listed) return listed.some((seen) => isUnseen(pins, seen));
        return pins?.isWhole === true && !pins.tools.some((tool) => tool.name === wanted);
      },
    };
  }

  /** What was listed is of another sign-in; what a person has looked at stays. */
  forget(): void {
    this.#listed.clear();
    this.#pins = undefined;
  }

  /** A person has looked at them, in whichever process. */
  forgetPins(): void {
    this.#pins = undefined;
  }

  #remember(seen: readonly SeenTool[]): void {
    for (const [name, forms] of Map.groupBy(seen, (tool) => tool.name)) {
      this.#listed.delete(name);
      this.#listed.set(name, forms);
    }
    // A server may name others each time; of those that were listed first nothing is known then.
    for (const name of this.#listed.keys()) {
      if (this.#listed.size <= mcpListing.entries) break;
      this.#listed.delete(name);
    }
  }
}

/** One page of `tools/list`: of each tool what is known of it, and its form. */
export interface SeenPage {
  readonly tools: JsonObject[];
  readonly forms: SeenTool[];
  readonly isLast: boolean;
}

/** Of a tool as it was listed, where it has a name. */
export function seenForm(tool: JsonObject, raw: Buffer): readonly SeenTool[] {
  const seen = see(tool, raw);
  return seen ? [seen] : [];
}

function see(tool: JsonObject, raw?: Buffer): SeenTool | undefined {
  const { name } = tool;
  return typeof name === 'string' ? seeTool({ ...tool, name }, raw) : undefined;
}

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
