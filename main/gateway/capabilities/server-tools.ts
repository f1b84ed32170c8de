// The tools of one server: what it lists, what the user has reviewed, and what the user has allowed.

import { isObject } from '../../../shared/json-object.ts';
import type { Integration } from '../../../shared/integration.ts';
import { withChangedToolRule } from '../../../shared/tool-permissions.ts';
import type { ChangedToolRule, ToolPermissions } from '../../../shared/tool-permissions.ts';
import { isUnreviewed, recordTools, readPins } from '../../engine/records/tool-pins.ts';
import type { PinPorts } from '../../engine/records/tool-pins.ts';
import { yieldIfBusy } from '../../yield-if-busy.ts';
import { mcpListing } from '../../limits.ts';
import { fingerprintTool, pinKey } from '../../mcp/client/tool-fingerprint.ts';
import type { SeenTool, ToolPins } from '../../ports.ts';
import type { Catalog } from '../messages/catalog.ts';
import { ParameterHeaders } from '../messages/parameter-headers.ts';
import type { JsonObject } from '../messages/envelope.ts';
import { resultWithoutTools, toolsIn } from './filter-tools.ts';

/** What is remembered of a listed tool. */
interface ListedTool {
  readonly name: string;
  readonly isReadOnly: boolean;
  /** Fingerprint of its description. */
  readonly seen: SeenTool;
}

/** `undefined`: it has no name. `raw`: JSON text of the entry, if known. */
function listedTool(tool: JsonObject, raw?: Buffer): ListedTool | undefined {
  const { name } = tool;
  if (typeof name !== 'string') return undefined;
  return { name, isReadOnly: isReadOnlyTool(tool), seen: fingerprintTool({ ...tool, name }, raw) };
}

/** Whether the server's listing marks this tool as read-only (MCP 2025-11-25, tool annotations). */
export function isReadOnlyTool({ annotations }: JsonObject): boolean {
  return isObject(annotations) && annotations['readOnlyHint'] === true;
}

/** Tools that the user has not reviewed, or not in their current form. */
export interface UnreviewedTools {
  /** `raw`: JSON text of the entry. */
  readonly hasEntry: (tool: JsonObject, raw: Buffer) => boolean;
  readonly hasName: (name: string) => boolean;
}

interface ServerToolsOptions extends PinPorts {
  readonly catalog: Pick<Catalog, 'resultsOf'>;
  readonly integration: () => Integration;
  /** How to treat changed tools, if the server has no setting of its own. */
  readonly changedTools: () => ChangedToolRule | undefined;
  /** Called when an app's session has changed the permissions. */
  readonly onPermissions: (changed: Integration) => void;
}

/** Everything that is known of the tools of one server, for all apps. */
export class ServerTools {
  readonly parameters = new ParameterHeaders();
  readonly #options: ServerToolsOptions;
  /** As last listed to any app, oldest first. A name may have several definitions. */
  readonly #listed = new Map<string, readonly ListedTool[]>();
  #pins: Promise<ToolPins | undefined> | undefined;
  /** Postern's own listing, made for calls of tools that no app has listed. */
  #listing: Promise<void> | undefined;
  /** Called when the user has changed permissions. */
  readonly #watchers = new Set<() => void>();

  constructor(options: ServerToolsOptions) {
    this.#options = options;
  }

  get integration(): Integration {
    return this.#options.integration();
  }

  /** The user's settings for this server, or for all servers. */
  get permissions(): ToolPermissions | undefined {
    return withChangedToolRule(this.integration.permissions, this.#options.changedTools());
  }

  /** Calls `onChange` whenever the user has changed the permissions. Returns a function that stops it. */
  watch(onChange: () => void): () => void {
    this.#watchers.add(onChange);
    return () => void this.#watchers.delete(onChange);
  }

  /** The user has changed the permissions, or reviewed tools, in some process. */
  changed(): void {
    this.#pins = undefined;
    for (const onChange of this.#watchers) onChange();
  }

  /**
   * Reads one page of `tools/list`, in slices. `response`: unfiltered, of limited length. Returns its `nextCursor`.
   * Never rejects.
   */
  async learn(response: Buffer): Promise<unknown> {
    const { nextCursor } = await resultWithoutTools(response);
    const tools: ListedTool[] = [];
    for await (const [tool, raw] of toolsIn(response)) {
      this.parameters.learn(tool);
      const listed = listedTool(tool, raw);
      if (listed) tools.push(listed);
      await yieldIfBusy();
    }
    this.parameters.isKnown = true;
    this.#remember(tools);
    const page = { seen: tools.map(({ seen }) => seen), isLast: typeof nextCursor !== 'string' };
    await (this.#pins = recordTools(this.#options, this.integration, page));
    return nextCursor;
  }

  /** Discards the list, which belongs to another sign-in; reviews are retained. */
  forget(): void {
    this.parameters.forget();
    this.#listed.clear();
    this.#pins = undefined;
    this.#listing = undefined;
  }

  /** Tools that the user has not reviewed in their current form. Never rejects. */
  async unreviewed(): Promise<UnreviewedTools> {
    await this.#recall();
    const pins = await (this.#pins ??= readPins(this.#options, this.integration));
    return {
      hasEntry: (tool, raw) => {
        const listed = listedTool(tool, raw);
        return listed !== undefined && isUnreviewed(pins, listed.seen);
      },
      hasName: (name) => {
        const listed = this.#listed.get(name);
        if (listed) return listed.some(({ seen }) => isUnreviewed(pins, seen));
        const pinned = pinKey(name);
        return pins?.isWhole === true && !pins.tools.some((tool) => tool.name === pinned);
      },
    };
  }

  /** Whether the server has listed a tool of this name, to any app. */
  async isListed(name: string): Promise<boolean> {
    await this.#recall();
    return this.#listed.has(name);
  }

  /**
   * Lists the tools with `list`, once for all apps, so that calls of names that do not exist cost the server one list.
   * One that could not be sent may be tried again. Never rejects.
   */
  async listOnce(list: () => Promise<void>): Promise<void> {
    const listing = (this.#listing ??= list().catch(() => {
      if (this.#listing === listing) this.#listing = undefined;
    }));
    await listing;
  }

  /** Whether the server marks every tool of this name as read-only; false if unknown. */
  async isReadOnly(name: string): Promise<boolean> {
    await this.#recall();
    return this.#listed.get(name)?.every((tool) => tool.isReadOnly) === true;
  }

  /** Saves what the user has chosen. Errors: CFG_*. */
  async setPermissions(change: (before: ToolPermissions | undefined) => ToolPermissions | undefined): Promise<void> {
    const { store, onPermissions } = this.#options;
    const updated = await store.update(this.integration.id, ({ permissions, ...rest }) => {
      const changed = change(permissions);
      return { ...rest, ...(changed && { permissions: changed }) };
    });
    if (updated) onPermissions(updated);
  }

  /** Loads cached lists if the server has not listed its tools since the start. */
  async #recall(): Promise<void> {
    if (this.#listed.size > 0) return;
    for (const { tools } of await this.#options.catalog.resultsOf('tools/list')) {
      const listed: ListedTool[] = [];
      for (const tool of (Array.isArray(tools) ? tools : []) as readonly unknown[]) {
        const known = isObject(tool) && listedTool(tool);
        if (known) listed.push(known);
        await yieldIfBusy();
      }
      this.#remember(listed);
    }
  }

  #remember(tools: readonly ListedTool[]): void {
    for (const [name, forms] of Map.groupBy(tools, (tool) => tool.name)) {
      this.#listed.delete(name);
      this.#listed.set(name, forms);
    }
    // A server may list different tools every time: drop the oldest, which then count as not read-only.
    for (const name of this.#listed.keys()) {
      if (this.#listed.size <= mcpListing.entries) break;
      this.#listed.delete(name);
    }
  }
}
