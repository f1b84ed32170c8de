import { diffWordsWithSpace } from 'diff';
import { changeBounds } from '../../shared/approval-view.ts';
import type { ChangedPiece, ToolChange } from '../../shared/approval-view.ts';
import type { Integration } from '../../shared/integration.ts';
import { changePermissions, levelOf } from '../../shared/tool-permissions.ts';
import type { ToolRule } from '../../shared/tool-permissions.ts';
import { displayText, escapeHidden } from '../address/display-text.ts';
import type { AppReader } from '../apps/app-dependencies.ts';
import { acceptTools, recordListedTools, pinBounds, readPins } from '../engine/records/tool-pins.ts';
import type { PinPorts } from '../engine/records/tool-pins.ts';
import { PosternError } from '../errors/postern-error.ts';
import { pinKey } from '../mcp/client/tool-fingerprint.ts';
import type { ChangedTool, ToolPins } from '../ports.ts';
import { readServer } from './operation.ts';
import type { OperationInput, OperationOutput, Surface } from './operation.ts';
import type { UseScope } from './use.ts';

/** Diff steps, characters of unchanged context, characters of names, and nesting depth. */
const bounds = { steps: 1_000, context: 120, name: 160, depth: 32 } as const;

/** Changes of a server's tools, as removed and added words. Hidden characters are written out. */
export function toolChanges({ tools, changed }: ToolPins): readonly ToolChange[] {
  const before = new Map(tools.map((tool) => [tool.name, tool]));
  return changed.slice(0, changeBounds.tools).map((tool) => {
    const pinned = before.get(tool.name);
    return { ...describe(tool, pinned ? (pinned.text ?? undefined) : '{}'), kind: pinned ? 'changed' : 'new' };
  });
}

/** `before` is `undefined` if it was not stored. */
function describe({ name, form, text, at }: ChangedTool, before: string | undefined): Omit<ToolChange, 'kind'> {
  const isKnown = text !== undefined && before !== undefined;
  const [old, now] = isKnown
    ? [valuesByPath(before), valuesByPath(text)]
    : [new Map<string, string>(), new Map<string, string>()];
  const differing = [...new Set([...now.keys(), ...old.keys()])].filter((place) => old.get(place) !== now.get(place));
  const shown = differing.filter((place) => place !== namePath);
  // The difference may be in a part that was not stored.
  const truncation = { isCut: !isKnown || differing.length === 0 || shown.length > changeBounds.places };
  const places = shown.slice(0, changeBounds.places).map((place) => ({
    where: (JSON.parse(place) as string[]).map((member) =>
      displayText(escapeHidden(member.slice(0, bounds.name)), bounds.name),
    ),
    words: diffPieces(old.get(place) ?? '', now.get(place) ?? '', truncation),
  }));
  return { tool: displayText(escapeHidden(name), bounds.name), form, at, places, isCut: truncation.isCut };
}

const namePath = '["name"]';

/** All values by their path. Each text is one value. Iterative, so deep nesting cannot overflow the stack. */
function valuesByPath(text: string): Map<string, string> {
  const places = new Map<string, string>();
  const stack: { value: unknown; where: readonly string[] }[] = [{ value: JSON.parse(text), where: [] }];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { value, where } = next;
    const isTree = typeof value === 'object' && value !== null && !isPlainList(value) && where.length < bounds.depth;
    if (isTree)
      for (const [name, member] of Object.entries(value).toReversed())
        stack.push({ value: member, where: [...where, name] });
    else places.set(JSON.stringify(where), typeof value === 'string' ? value : JSON.stringify(value));
  }
  return places;
}

/** A list of plain values is one value. */
function isPlainList(value: object): boolean {
  return Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null);
}

function diffPieces(before: string, now: string, truncation: { isCut: boolean }): ChangedPiece[] {
  const [old, next, isCut] = excerptDifference(before, now);
  truncation.isCut ||= isCut;
  const [oldText, newText] = [escapeHidden(old), escapeHidden(next)];
  const found = diffWordsWithSpace(oldText, newText, { maxEditLength: bounds.steps });
  const pieces: ChangedPiece[] =
    found && found.length <= changeBounds.pieces
      ? found.map(({ value, added, removed }) => ({ kind: added ? 'new' : removed ? 'gone' : 'same', text: value }))
      : [
          { kind: 'gone', text: oldText },
          { kind: 'new', text: newText },
        ];
  return pieces.filter(({ text }) => text !== '');
}

/** Both texts from shortly before their first difference; `isCut`: the rest is left out. */
function excerptDifference(before: string, now: string): readonly [before: string, now: string, isCut: boolean] {
  let same = 0;
  while (same < before.length && before[same] === now[same]) same += 1;
  const from = Math.max(0, same - bounds.context);
  const [old, next] = [before, now].map((text) => (from > 0 ? '…' : '') + text.slice(from, from + changeBounds.text));
  const isCut = Math.max(before.length, now.length) - from > changeBounds.text;
  return [old ?? '', next ?? '', isCut];
}

type Scope = Pick<Surface, 'changed'> & { readonly ports: PinPorts };

/** A rule names a tool that the server does not list. */
export class UnknownTool extends PosternError {
  readonly tool: string;
  /** Names of the tools that exist. */
  readonly known: readonly string[];

  constructor(tool: string, known: readonly string[]) {
    super('TOOL_NOT_FOUND', { stage: 'settings', detail: { name: tool } });
    this.tool = tool;
    this.known = known;
  }
}

/**
 * Sets which tools or other capabilities of a server apps may use; `null` deletes a rule. Errors: NOT_FOUND,
 * APP_NOT_FOUND as `UnknownApp`, TOOL_NOT_FOUND as `UnknownTool`, CFG_*.
 */
export async function setPermission(
  { ports, apps, changed }: Scope & { readonly apps: Pick<AppReader, 'records'> },
  { id, ...change }: OperationInput<'permission:set'>,
): Promise<OperationOutput<'permission:set'>> {
  const app = 'app' in change ? change.app : undefined;
  if (app !== undefined) await requireApp(apps, await readServer(ports, id), app);
  if ('tool' in change) await requireTool(ports, await readServer(ports, id), change);
  const updated = await ports.store.update(id, ({ permissions, ...rest }) => {
    const set = changePermissions(permissions, change);
    return { ...rest, ...(set && { permissions: set }) };
  });
  if (!updated) throw new PosternError('NOT_FOUND', { stage: 'settings', detail: { count: 0 } });
  await changed('integrations');
  return null;
}

/** Rules of an app that no longer exists can still be changed. */
async function requireApp(apps: Pick<AppReader, 'records'>, { permissions }: Integration, app: string): Promise<void> {
  if (permissions?.apps?.some((rules) => rules.app === app)) return;
  const { knownApp } = await import('./apps.ts');
  await knownApp(apps, app);
}

/** A mistyped rule would leave the intended tool unprotected. */
async function requireTool(
  ports: PinPorts,
  server: Integration,
  { tool, rule, app }: { readonly tool: string; readonly rule: ToolRule | null; readonly app?: string | undefined },
): Promise<void> {
  const pins = await readPins(ports, server);
  // Before a complete listing, and beyond the stored limit, the tool may exist.
  if (!pins?.isWhole || pins.tools.length === 0 || pins.tools.length >= pinBounds.tools) return;
  const known = [...pins.tools, ...pins.changed].map(({ name }) => name);
  if (known.includes(tool)) return;
  const { rules = [] } = app === undefined ? (server.permissions ?? {}) : levelOf(server.permissions, app);
  if (rule === null && rules.some((each) => each.tool === tool)) return;
  throw new UnknownTool(tool, known);
}

/**
 * How a server's tools differ from those the user last reviewed. `live`: lists them first, which is needed to know
 * which are gone. Errors: NOT_FOUND, CFG_*; live: as `listTools`.
 */
export async function changedTools(
  scope: Omit<UseScope, 'integration'>,
  { id, live = false }: OperationInput<'permission:changes'>,
): Promise<OperationOutput<'permission:changes'>> {
  const { ports } = scope;
  const server = await readServer(ports, id);
  const { pins, gone } = live
    ? await listForReview({ ...scope, integration: server })
    : { pins: await readPins(ports, server), gone: [] };
  const changed = pins ? toolChanges(pins) : [];
  return {
    changed: [...changed],
    more: (pins?.changed.length ?? 0) - changed.length,
    gone: gone.map((name) => ({ name, tool: displayText(escapeHidden(name), maxNameLength) })),
  };
}

/** Characters shown of a tool's name. */
const maxNameLength = 160;

async function listForReview(scope: UseScope): Promise<{ readonly pins: ToolPins; readonly gone: readonly string[] }> {
  const { listTools } = await import('./use.ts');
  const { value: listed, isPartial, unusable } = await listTools(scope);
  const isWhole = !isPartial && unusable.length === 0;
  const pins = await recordListedTools(scope.ports, scope.integration, listed, isWhole);
  const names = new Set(listed.map(({ name }) => pinKey(name)));
  // A missing tool may be in the part that was left out.
  return { pins, gone: isWhole ? pins.tools.flatMap(({ name }) => (names.has(name) ? [] : [name])) : [] };
}

/**
 * Records that the user reviewed these forms of tools, and knows that tools in `gone` no longer exist. Changes that
 * were not shown stay unreviewed. Errors: NOT_FOUND, CFG_*.
 */
export async function acceptChanges(
  { ports, changed }: Scope,
  { id, forms, gone = [] }: OperationInput<'permission:accept'>,
): Promise<OperationOutput<'permission:accept'>> {
  const server = await readServer(ports, id);
  const { changed: unreviewed = [] } = (await readPins(ports, server)) ?? {};
  const reviewed = unreviewed.filter(({ form }) => forms.includes(form));
  await acceptTools(ports, server, reviewed, gone);
  await changed('integrations');
  return null;
}

export const permissionOperations = {
  'permission:accept': acceptChanges,
  'permission:changes': changedTools,
  'permission:set': setPermission,
} as const;
