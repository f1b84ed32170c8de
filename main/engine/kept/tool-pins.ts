import type { Integration } from '../../../shared/integration.ts';
import { mcpListing } from '../../limits.ts';
import { seeTool } from '../../mcp/client/seen-tool.ts';
import type { DescribedTool } from '../../mcp/client/seen-tool.ts';
import type { ChangedTool, PinnedTool, SeenTool, ToolPins } from '../../ports.ts';
import type { EnginePorts } from '../engine-ports.ts';

/** Tools of one server; forms of one that are accepted; characters of all texts; milliseconds between two looks. */
export const pinBounds = { tools: 5_000, forms: 4, texts: 2 * 1_024 * 1_024, again: 60_000 } as const;

/** What is remembered where nothing could be read: every tool is a new one. */
export const nothingPinned: ToolPins = { isWhole: true, tools: [], changed: [] };

/** Some tools as a server lists them, and whether the list ends with them. */
interface Listing {
  readonly seen: readonly SeenTool[];
  readonly isLast: boolean;
}

/**
 * What is remembered after a listing: what came first is taken as it is, until the list was there once to its end; what
 * differs from that, or is new, has changed. The same object where there is no news.
 */
export function pinsAfter(before: ToolPins | undefined, { seen, isLast }: Listing, at: number): ToolPins {
  const isOpen = before?.isWhole !== true;
  const tools = new Map(before?.tools.map((tool) => [tool.name, tool]));
  const changed = new Map(before?.changed.map((tool) => [tool.name, tool]));
  const room = new TextRoom([...tools.values(), ...changed.values()]);
  let isNews = before === undefined || (isOpen && isLast);
  for (const { name, form, text } of seen) {
    const pinned = tools.get(name);
    if (pinned?.forms.includes(form)) continue;
    const isFirst = isOpen && (!pinned || !before?.tools.includes(pinned));
    if (isFirst && (pinned ? pinned.forms.length < pinBounds.forms : tools.size < pinBounds.tools)) {
      // Two of one name are two forms of it.
      tools.set(name, { name, forms: [...(pinned?.forms ?? []), form], text: room.take(text) });
      isNews = true;
      continue;
    }
    const known = changed.get(name);
    // A server that says something else each time is not written down each time.
    if (known && (known.form === form || at - known.at < pinBounds.again)) continue;
    if (!known && changed.size >= pinBounds.tools) continue;
    changed.set(name, { name, form, text: room.take(text), at });
    isNews = true;
  }
  if (before && !isNews) return before;
  return { isWhole: !isOpen || isLast, tools: [...tools.values()], changed: [...changed.values()] };
}

/** What is remembered once a person has looked at these, and knows that those are gone. */
export function pinsAccepted(
  { isWhole, tools, changed }: ToolPins,
  accepted: readonly Pick<SeenTool, 'name' | 'form'>[],
  gone: readonly string[] = [],
): ToolPins {
  const seen = changed.filter(({ name, form }) => accepted.some((each) => each.name === name && each.form === form));
  const pinned = new Map(tools.filter(({ name }) => !gone.includes(name)).map((tool) => [tool.name, tool]));
  for (const tool of seen) pinned.set(tool.name, withForm(pinned.get(tool.name), tool));
  return {
    isWhole,
    tools: [...pinned.values()].slice(0, pinBounds.tools),
    changed: changed.filter((tool) => !seen.includes(tool)),
  };
}

/** Whether a tool in this form is one that nobody has looked at. */
export function isUnseen(pins: ToolPins | undefined, { name, form }: Pick<SeenTool, 'name' | 'form'>): boolean {
  if (!pins) return false;
  const pinned = pins.tools.find((tool) => tool.name === name);
  return pinned ? !pinned.forms.includes(form) : pins.isWhole;
}

/** Whether a person is told: not of a tool that is another one each time that they have looked. */
export function isWorthTelling({ tools, changed }: ToolPins): boolean {
  const restless = new Set(tools.filter(({ forms }) => forms.length >= pinBounds.forms).map(({ name }) => name));
  return changed.some(({ name }) => !restless.has(name));
}

function withForm(before: PinnedTool | undefined, { name, form, text }: ChangedTool): PinnedTool {
  return { name, forms: [...(before?.forms ?? []), form].slice(-pinBounds.forms), ...(text !== undefined && { text }) };
}

/** What is left of the bound of all texts: beyond it only hashes are kept. */
class TextRoom {
  #left: number = pinBounds.texts;

  constructor(kept: readonly { readonly text?: string | undefined }[]) {
    for (const { text = '' } of kept) this.#left -= text.length;
  }

  take(text: string | undefined): string | undefined {
    if (text === undefined || text.length > this.#left) return undefined;
    this.#left -= text.length;
    return text;
  }
}

export type PinPorts = Pick<EnginePorts, 'pins' | 'store' | 'clock'>;

/** Compares tools that a server lists with those that a person has had before them, and notes what has changed. Never rejects. */
export async function noteTools(ports: PinPorts, integration: Integration, listing: Listing): Promise<ToolPins> {
  const now = ports.clock.now();
  const before = await readPins(ports, integration);
  const after = pinsAfter(before, listing, now);
  if (after === before) return after;
  try {
    const kept = await ports.pins.change(integration.id, (current) =>
      pinsAfter(current ?? unlessLost(integration), listing, now),
    );
    if (integration.toolReview?.changedAt === undefined && isWorthTelling(kept))
      await ports.store.update(integration.id, (entry) => ({
        ...entry,
        toolReview: { changedAt: now, ...entry.toolReview },
      }));
    return kept;
  } catch {
    // It is judged all the same, and noted the next time.
    return after;
  }
}

/** The same of a list that Postern has asked for itself. Never rejects. */
export async function noteListed(
  ports: PinPorts,
  integration: Integration,
  tools: readonly DescribedTool[],
  isLast = tools.length < mcpListing.entries,
): Promise<ToolPins> {
  return await noteTools(ports, integration, { seen: tools.map((tool) => seeTool(tool)), isLast });
}

/** What is remembered of its tools; `undefined`: they have not been listed yet. Never rejects. */
export async function readPins(
  { pins }: Pick<PinPorts, 'pins'>,
  integration: Integration,
): Promise<ToolPins | undefined> {
  return (await pins.read(integration.id)) ?? unlessLost(integration);
}

/** Takes what a person has looked at as it is, and no other form of it. Errors: CFG_*. */
export async function acceptTools(
  { pins, store, clock }: PinPorts,
  { id }: Integration,
  ...accepted: Parameters<typeof pinsAccepted> extends [unknown, ...infer Rest] ? Rest : never
): Promise<ToolPins> {
  const kept = await pins.change(id, (current) => pinsAccepted(current ?? nothingPinned, ...accepted));
  await store.update(id, ({ toolReview, ...entry }) => ({
    ...entry,
    toolReview: {
      reviewedAt: clock.now(),
      ...(isWorthTelling(kept) && { changedAt: toolReview?.changedAt ?? clock.now() }),
    },
  }));
  return kept;
}

/** A person has looked at its tools, and what they were is not there any more. */
function unlessLost({ toolReview }: Integration): ToolPins | undefined {
  return toolReview?.reviewedAt === undefined ? undefined : nothingPinned;
}
