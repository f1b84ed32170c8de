import type { Integration } from '../../shared/integration.ts';
import type { UnusablePart } from '../../shared/mcp-view.ts';
import type { EnginePorts } from '../engine/engine-ports.ts';
import * as browse from '../engine/use/browse-server.ts';
import type {
  Prompt,
  PromptMessage,
  Resource,
  ResourceContents,
  ResourceTemplate,
} from '../engine/use/browse-server.ts';
import * as use from '../engine/use/use-server.ts';
import type { Access, ToolResult } from '../engine/use/use-server.ts';
import { PosternError } from '../errors/postern-error.ts';
import type { ReadTemplate } from '../mcp/client/uri-template.ts';
import type { Tool, ToolCall } from '../mcp/client/use-tools.ts';
import { completion } from '../mcp/use-bounds.ts';
import type { OperationInput } from './operation.ts';

/** A server that is used, and how. */
export interface UseScope {
  readonly ports: EnginePorts;
  readonly integration: Integration;
  readonly access: Access;
}

/** What a server listed or answered. */
export interface Found<Value> {
  readonly found: Value;
  /** It has listed more than Postern takes of one server. */
  readonly isPartial: boolean;
  /** Parts that are left out, or used only as JSON. */
  readonly unusable: readonly UnusablePart[];
}

/** Every tool of a server. Errors: SIGN_IN_REQUIRED, SCOPE_REQUIRED, REFRESH_*, MCP_FAILED and those of HTTP. */
export async function listTools(scope: UseScope): Promise<Found<readonly Tool[]>> {
  return await finding(scope, use.listTools);
}

/** Every resource, and the templates of more. Errors: as `listTools`. */
export async function listResources(
  scope: UseScope,
): Promise<Found<{ readonly resources: readonly Resource[]; readonly templates: readonly ResourceTemplate[] }>> {
  return await finding(scope, browse.listResources);
}

/** Every prompt. Errors: as `listTools`. */
export async function listPrompts(scope: UseScope): Promise<Found<readonly Prompt[]>> {
  return await finding(scope, browse.listPrompts);
}

/** Calls a tool. One that fails answers `isError`; that is a result. Errors: those of calls, as `listTools`. */
export async function callTool(scope: UseScope, call: ToolCall): Promise<Found<ToolResult>> {
  return await finding(scope, (ports, integration, access) => use.callTool(ports, integration, call, access));
}

/** Reads a resource; `uri`: without gaps. Errors: RESOURCE_NOT_FOUND, as `listTools`. */
export async function readResource(
  scope: UseScope,
  { uri }: { readonly uri: string },
): Promise<Found<readonly ResourceContents[]>> {
  return await finding(scope, (ports, integration, access) => browse.readResource(ports, integration, uri, access));
}

/** Gets a prompt, filled in. Errors: PROMPT_NOT_FOUND, as `listTools`. */
export async function getPrompt(
  scope: UseScope,
  { name, arguments: given }: Pick<OperationInput<'integration:getPrompt'>, 'name' | 'arguments'>,
): Promise<Found<readonly PromptMessage[]>> {
  return await finding(scope, (ports, integration, access) =>
    browse.getPrompt(ports, integration, { name, arguments: given }, access),
  );
}

/** What a server offers for an argument while it is typed (MCP 2025-11-25, completion). Errors: as `listTools`. */
export async function completeArgument(
  { ports, integration, access }: UseScope,
  { of, argument, given }: Omit<OperationInput<'integration:complete'>, 'id'>,
): Promise<readonly string[]> {
  const ref =
    'prompt' in of
      ? ({ type: 'ref/prompt', name: of.prompt } as const)
      : ({ type: 'ref/resource', uri: of.template } as const);
  const signal = AbortSignal.any([access.signal, AbortSignal.timeout(completion.patience)]);
  return await browse.completeArgument(ports, integration, { ref, argument, given }, { ...access, signal });
}

/** Values do not fit the gaps of a template. */
export class UnfitValues extends PosternError {
  /** Names that are no gap of it. */
  readonly unknown: readonly string[];
  /** Gaps that have to be filled, and are not. */
  readonly missing: readonly string[];
  /** Every gap of it. */
  readonly gaps: readonly string[];

  constructor({ unknown, missing, gaps }: Pick<UnfitValues, 'unknown' | 'missing' | 'gaps'>) {
    super('IPC_SCHEMA', { stage: 'app' });
    this.unknown = unknown;
    this.missing = missing;
    this.gaps = gaps;
  }
}

/** The address that a template stands for (RFC 6570); an address without gaps stays. Errors: `UnfitValues`. */
export async function fillTemplate(address: string, values: Readonly<Record<string, string>>): Promise<string> {
  const { readTemplate } = await import('../mcp/client/uri-template.ts');
  const template = readTemplate(address);
  const given = Object.keys(values);
  const { names: gaps = [], optional = [] }: Partial<ReadTemplate> = template ?? {};
  const unknown = given.filter((name) => !gaps.includes(name));
  const missing = gaps.filter((name) => !given.includes(name) && !optional.includes(name));
  if (unknown.length > 0 || missing.length > 0) throw new UnfitValues({ unknown, missing, gaps });
  return template?.fill(values) ?? address;
}

async function finding<Value>(
  { ports, integration, access }: UseScope,
  work: (ports: EnginePorts, integration: Integration, access: Access) => Promise<Value>,
): Promise<Found<Value>> {
  let isPartial = false;
  const unusable: UnusablePart[] = [];
  const found = await work(ports, integration, {
    ...access,
    onPartial: () => (isPartial = true),
    onUnusable: (parts) => void unusable.push(...parts),
  });
  return { found, isPartial, unusable };
}
