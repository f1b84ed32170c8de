import type { IpcResult } from '../../shared/ipc-contract.ts';
import type { PromptView, ResourceView, ToolView, UnusablePart } from '../../shared/mcp-view.ts';
import { postern } from '../postern.ts';
import { retain, viewStateKey } from '../use-retained-state.ts';
import { showIntegration } from '../view.ts';
import { readSchema } from './schema-fields.ts';
import type { GroupShape, SchemaField } from './schema-fields.ts';

export const capabilityKinds = ['tools', 'resources', 'prompts'] as const;
export type CapabilityKind = (typeof capabilityKinds)[number];

/** A tool, resource or prompt in a uniform shape. */
export interface Capability {
  readonly kind: CapabilityKind;
  /** Unique among tools, resources or prompts: the name, or the URI of a resource. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Its input fields; the schema is parsed on demand. */
  readonly input: () => GroupShape;
  readonly readOnly: boolean;
  readonly destructive: boolean;
  /** Suspicious text in its description, for the user to read. */
  readonly hints?: ToolView['hints'];
  readonly mimeType?: string | undefined;
  /** A resource template: filled in as fields, or by hand if it cannot be parsed. */
  readonly template: 'fields' | 'by-hand' | undefined;
}

/** A server's capabilities of one kind, up to the limit per server. */
export interface CapabilityListing {
  readonly items: readonly Capability[];
  readonly isPartial: boolean;
  /** Listed entries that are invalid. */
  readonly unusable: readonly UnusablePart[];
}

export async function listCapabilities(
  kind: CapabilityKind,
  id: string,
  quietly = false,
): Promise<IpcResult<CapabilityListing>> {
  switch (kind) {
    case 'tools': {
      const result = await postern.integration.tools({ id, quietly });
      return result.ok ? toListing(result.value, result.value.tools.map(fromTool)) : result;
    }
    case 'resources': {
      const result = await postern.integration.resources({ id, quietly });
      return result.ok ? toListing(result.value, result.value.resources.map(fromResource)) : result;
    }
    case 'prompts': {
      const result = await postern.integration.prompts({ id, quietly });
      return result.ok ? toListing(result.value, result.value.prompts.map(fromPrompt)) : result;
    }
  }
}

interface Listing {
  readonly isPartial?: true | undefined;
  readonly unusable?: readonly UnusablePart[] | undefined;
}

function toListing({ isPartial, unusable = [] }: Listing, items: readonly Capability[]): IpcResult<CapabilityListing> {
  return { ok: true, value: { items, isPartial: isPartial === true, unusable } };
}

const noInput: GroupShape = { kind: 'group', fields: [] };
const common = { input: () => noInput, readOnly: false, destructive: false, template: undefined };

export function fromTool({
  name,
  title,
  description,
  inputSchema,
  readOnly,
  destructive,
  hints,
}: ToolView): Capability {
  return {
    ...common,
    kind: 'tools',
    name,
    title: title ?? name,
    description: description ?? '',
    input: () => readSchema(inputSchema),
    readOnly: readOnly === true,
    destructive: destructive === true && readOnly !== true,
    hints,
  };
}

function fromResource({ uri, name, title, description, mimeType, template, gaps = [] }: ResourceView): Capability {
  return {
    ...common,
    kind: 'resources',
    name: uri,
    title: title ?? name,
    description: description ?? '',
    mimeType,
    input: () => ({ kind: 'group', fields: gaps.map((gap) => textField(gap, gap.required)) }),
    template: template ? (gaps.length > 0 ? 'fields' : 'by-hand') : undefined,
  };
}

function fromPrompt({ name, title, description, arguments: inputs }: PromptView): Capability {
  return {
    ...common,
    kind: 'prompts',
    name,
    title: title ?? name,
    description: description ?? '',
    input: () => ({ kind: 'group', fields: inputs.map((input) => textField(input, false)) }),
  };
}

/** `filled`: must not be empty. */
function textField({ name, required, description }: PromptView['arguments'][number], filled: boolean): SchemaField {
  return {
    name,
    label: name,
    required,
    nullable: false,
    description,
    shape: { kind: 'text', long: false, filled, format: 'plain' },
    initial: undefined,
  };
}

/** State of the tools tab. */
export interface ToolsTabState {
  readonly kind: CapabilityKind;
  readonly search: string;
  readonly chosen?: string | undefined;
}

/** Opens the server's page with this tool selected. */
export function showTool(id: string, name: string): void {
  retain(id, viewStateKey('tools'), { kind: 'tools', search: '', chosen: name } satisfies ToolsTabState);
  showIntegration(id, 'tools');
}
