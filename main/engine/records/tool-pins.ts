import * as z from 'zod/mini';
import type { Integration } from '../../../shared/integration.ts';
import { mcpListing } from '../../limits.ts';
import type { Tool } from '../../mcp/client/call-tool.ts';
import { fingerprintTool } from '../../mcp/client/tool-fingerprint.ts';
import type { DescribedTool } from '../../mcp/client/tool-fingerprint.ts';
import type { ChangedTool, PinnedTool, SeenTool, ToolPins } from '../../ports.ts';
import type { EnginePorts } from '../engine-ports.ts';

/**
 * Limits: tools per server, accepted forms per tool, characters of all texts, milliseconds between two recorded changes
 * of a tool, and between two recorded times of the same list.
 */
export const pinBounds = {
  tools: 5_000,
  forms: 4,
  texts: 2 * 1_024 * 1_024,
  minInterval: 60_000,
  timeInterval: 3_600_000,
} as const;

/** Pins after their file was lost: every tool is new. */
export const emptyPins: ToolPins = { isWhole: true, tools: [], changed: [] };

/** Tools from a listing. `isLast`: the list ends with them. */
interface Listing {
  readonly seen: readonly SeenTool[];
  readonly isLast: boolean;
}

/**
 * Pins after a listing. Until the list was seen to its end once, tools are trusted as they come; afterwards a tool that
 * differs or is new counts as changed. Returns the same object if nothing is new.
 */
export function pinsAfterListing(before: ToolPins | undefined, { seen, isLast }: Listing, at: number): ToolPins {
  const isFirstListing = before?.isWhole !== true;
  const tools = new Map(before?.tools.map((tool) => [tool.name, tool]));
  const changed = new Map(before?.changed.map((tool) => [tool.name, tool]));
  const budget = new TextBudget([...tools.values(), ...changed.values()]);
  let hasNews = before === undefined || (isFirstListing && isLast);
  for (const { name, form, text } of seen) {
    const pinned = tools.get(name);
    if (pinned?.forms.includes(form)) continue;
    const isFirst = isFirstListing && (!pinned || !before?.tools.includes(pinned));
    if (isFirst && (pinned ? pinned.forms.length < pinBounds.forms : tools.size < pinBounds.tools)) {
      // Two tools with one name are two forms of it.
      tools.set(name, { name, forms: [...(pinned?.forms ?? []), form], text: budget.claim(text) });
      hasNews = true;
      continue;
    }
    const known = changed.get(name);
    // Limits writes for a server whose descriptions change on every listing.
    if (known && (known.form === form || at - known.at < pinBounds.minInterval)) continue;
    if (!known && changed.size >= pinBounds.tools) continue;
    changed.set(name, { name, form, text: budget.claim(text), at });
    hasNews = true;
  }
  const listedAt = isLast && at - (before?.listedAt ?? 0) >= pinBounds.timeInterval ? at : before?.listedAt;
  if (before && !hasNews && listedAt === before.listedAt) return before;
  return {
    isWhole: !isFirstListing || isLast,
    tools: [...tools.values()],
    changed: [...changed.values()],
    ...(listedAt !== undefined && { listedAt }),
  };
}

/** Pins after the user has reviewed these tools, and acknowledged that the others are gone. */
export function pinsAfterReview(
  { tools, changed, ...pins }: ToolPins,
  accepted: readonly Pick<SeenTool, 'name' | 'form'>[],
  removedNames: readonly string[] = [],
): ToolPins {
  const seen = changed.filter(({ name, form }) => accepted.some((each) => each.name === name && each.form === form));
  const pinned = new Map(tools.filter(({ name }) => !removedNames.includes(name)).map((tool) => [tool.name, tool]));
  for (const tool of seen) pinned.set(tool.name, withForm(pinned.get(tool.name), tool));
  return {
    ...pins,
    tools: [...pinned.values()].slice(0, pinBounds.tools),
    changed: changed.filter((tool) => !seen.includes(tool)),
  };
}

/** True if the user has not reviewed this form of the tool. */
export function isUnreviewed(pins: ToolPins | undefined, { name, form }: Pick<SeenTool, 'name' | 'form'>): boolean {
  if (!pins) return false;
  const pinned = pins.tools.find((tool) => tool.name === name);
  return pinned ? !pinned.forms.includes(form) : pins.isWhole;
}

/** False if only tools changed that are different on every review. */
export function isWorthReporting({ tools, changed }: ToolPins): boolean {
  const volatile = new Set(tools.filter(({ forms }) => forms.length >= pinBounds.forms).map(({ name }) => name));
  return changed.some(({ name }) => !volatile.has(name));
}

function withForm(before: PinnedTool | undefined, { name, form, text }: ChangedTool): PinnedTool {
  return { name, forms: [...(before?.forms ?? []), form].slice(-pinBounds.forms), ...(text !== undefined && { text }) };
}

/** Remaining characters for texts; beyond the limit only hashes are stored. */
class TextBudget {
  #remaining: number = pinBounds.texts;

  constructor(tools: readonly { readonly text?: string | undefined }[]) {
    for (const { text = '' } of tools) this.#remaining -= text.length;
  }

  claim(text: string | undefined): string | undefined {
    if (text === undefined || text.length > this.#remaining) return undefined;
    this.#remaining -= text.length;
    return text;
  }
}

export type PinPorts = Pick<EnginePorts, 'pins' | 'store' | 'clock'>;

/** Compares listed tools with those the user reviewed, and records changes. Never rejects. */
export async function recordTools(ports: PinPorts, integration: Integration, listing: Listing): Promise<ToolPins> {
  const now = ports.clock.now();
  const before = await readPins(ports, integration);
  const after = pinsAfterListing(before, listing, now);
  if (after === before) return after;
  try {
    const updated = await ports.pins.change(integration.id, (current) =>
      pinsAfterListing(current ?? emptyPinsIfReviewed(integration), listing, now),
    );
    if (integration.toolReview?.changedAt === undefined && isWorthReporting(updated))
      await ports.store.update(integration.id, (entry) => ({
        ...entry,
        toolReview: { changedAt: now, ...entry.toolReview },
      }));
    return updated;
  } catch {
    // The comparison still counts; it is recorded the next time.
    return after;
  }
}

/** The same for a list that Postern itself requested. Never rejects. */
export async function recordListedTools(
  ports: PinPorts,
  integration: Integration,
  tools: readonly DescribedTool[],
  isLast = tools.length < mcpListing.entries,
): Promise<ToolPins> {
  return await recordTools(ports, integration, { seen: tools.map((tool) => fingerprintTool(tool)), isLast });
}

/** Pins of a server; `undefined`: its tools have not been listed yet. Never rejects. */
export async function readPins(
  { pins }: Pick<PinPorts, 'pins'>,
  integration: Integration,
): Promise<ToolPins | undefined> {
  return (await pins.read(integration.id)) ?? emptyPinsIfReviewed(integration);
}

/** The tools as last listed, as far as their descriptions are stored. Never rejects. */
export async function readKnownTools(
  ports: Pick<PinPorts, 'pins'>,
  integration: Integration,
): Promise<{ readonly tools: readonly Tool[]; readonly listedAt: number | undefined }> {
  const { tools = [], changed = [], listedAt } = (await readPins(ports, integration)) ?? {};
  const newest = new Map([...tools, ...changed].map((tool) => [tool.name, tool]));
  return { tools: [...newest.values()].map(({ name, text }) => ({ ...parseTool(text), name })), listedAt };
}

const optionalText = z.catch(z.optional(z.string()), undefined);
const optionalHint = z.catch(z.optional(z.boolean()), undefined);
/** An app may have received the list, so nobody has checked it. */
const toolSchema = z.object({
  title: optionalText,
  description: optionalText,
  inputSchema: z.catch(z.looseObject({ type: z.literal('object') }), { type: 'object' }),
  annotations: z.catch(
    z.optional(z.object({ title: optionalText, readOnlyHint: optionalHint, destructiveHint: optionalHint })),
    undefined,
  ),
});

function parseTool(text = '{}'): Omit<Tool, 'name'> {
  try {
    return toolSchema.parse(JSON.parse(text));
  } catch {
    return { inputSchema: { type: 'object' } };
  }
}

/** Accepts exactly the forms that the user reviewed. Errors: CFG_*. */
export async function acceptTools(
  { pins, store, clock }: PinPorts,
  { id }: Integration,
  ...accepted: Parameters<typeof pinsAfterReview> extends [unknown, ...infer Rest] ? Rest : never
): Promise<ToolPins> {
  const updated = await pins.change(id, (current) => pinsAfterReview(current ?? emptyPins, ...accepted));
  await store.update(id, ({ toolReview, ...entry }) => ({
    ...entry,
    toolReview: {
      reviewedAt: clock.now(),
      ...(isWorthReporting(updated) && { changedAt: toolReview?.changedAt ?? clock.now() }),
    },
  }));
  return updated;
}

/** A review is recorded but its pins are lost: all tools count as new. */
function emptyPinsIfReviewed({ toolReview }: Integration): ToolPins | undefined {
  return toolReview?.reviewedAt === undefined ? undefined : emptyPins;
}
