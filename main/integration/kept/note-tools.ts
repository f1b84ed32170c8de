import type { Integration } from '../../../shared/integration.ts';
import { mcpListing } from '../../limits.ts';
import { seeTool } from '../../mcp/client/seen-tool.ts';
import type { DescribedTool } from '../../mcp/client/seen-tool.ts';
import type { ToolPins } from '../../pin-ports.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { isWorthTelling, nothingPinned, pinsAccepted, pinsAfter } from './tool-pins.ts';
import type { Listing } from './tool-pins.ts';

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
