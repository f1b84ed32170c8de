import { create } from 'zustand';
import type { IpcResult } from '../../shared/ipc-contract.ts';
import type { PromptView, ResourceView, ToolView, UnusablePart } from '../../shared/mcp-view.ts';
import { postern } from '../postern.ts';
import { keepAs, lookedAt } from '../use-kept.ts';
import { showIntegration } from '../view.ts';
import { readSchema } from './schema-fields.ts';
import type { GroupShape, SchemaField } from './schema-fields.ts';

export const offerKinds = ['tools', 'resources', 'prompts'] as const;
export type OfferKind = (typeof offerKinds)[number];

/** A tool, a resource or a prompt, made alike for the list. */
export interface Offer {
  readonly kind: OfferKind;
  /** Tells it from the others of its kind: a name, of resources the URI. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** What it takes; read when it is looked at. */
  readonly input: () => GroupShape;
  readonly readOnly: boolean;
  readonly destructive: boolean;
  /** What of its words a person should read. */
  readonly hints?: ToolView['hints'];
  readonly mimeType?: string | undefined;
  /** A resource whose URI has gaps to fill: as fields, or by hand where they cannot be read. */
  readonly template: 'fields' | 'by-hand' | undefined;
}

/** What a server offers of one kind, or as much of it as is taken of one server. */
export interface Offers {
  readonly offers: readonly Offer[];
  readonly isPartial: boolean;
  /** What the server lists of it that nobody can use. */
  readonly unusable: readonly UnusablePart[];
}

export async function listOffers(kind: OfferKind, id: string, quietly = false): Promise<IpcResult<Offers>> {
  switch (kind) {
    case 'tools': {
      const result = await postern.integration.tools({ id, quietly });
      return result.ok ? offer(result.value, result.value.tools.map(fromTool)) : result;
    }
    case 'resources': {
      const result = await postern.integration.resources({ id, quietly });
      return result.ok ? offer(result.value, result.value.resources.map(fromResource)) : result;
    }
    case 'prompts': {
      const result = await postern.integration.prompts({ id, quietly });
      return result.ok ? offer(result.value, result.value.prompts.map(fromPrompt)) : result;
    }
  }
}

interface Listing {
  readonly isPartial?: true | undefined;
  readonly unusable?: readonly UnusablePart[] | undefined;
}

function offer({ isPartial, unusable = [] }: Listing, offers: readonly Offer[]): IpcResult<Offers> {
  return { ok: true, value: { offers, isPartial: isPartial === true, unusable } };
}

const nothing: GroupShape = { kind: 'group', fields: [] };
const common = { input: () => nothing, readOnly: false, destructive: false, template: undefined };

function fromTool({ name, title, description, inputSchema, readOnly, destructive, hints }: ToolView): Offer {
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

function fromResource({ uri, name, title, description, mimeType, template, gaps = [] }: ResourceView): Offer {
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

function fromPrompt({ name, title, description, arguments: inputs }: PromptView): Offer {
  return {
    ...common,
    kind: 'prompts',
    name,
    title: title ?? name,
    description: description ?? '',
    input: () => ({ kind: 'group', fields: inputs.map((input) => textField(input, false)) }),
  };
}

/** `filled`: no text is none. */
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

/** What of the tab is looked at. */
export interface Looking {
  readonly kind: OfferKind;
  readonly search: string;
  readonly chosen?: string | undefined;
}

/** A tool by its name, and what it is called. */
type ListedTool = Pick<Offer, 'name' | 'title'>;

/** The tools of each server as they were listed last, by its id: no server is asked to find one by its name. */
export const useListedTools = create<Readonly<Record<string, readonly ListedTool[]>>>()(() => ({}));

export function noteTools(id: string, tools: readonly ListedTool[]): void {
  useListedTools.setState({ [id]: tools });
}

/** Opens the page of the server with the tool chosen. */
export function showTool(id: string, name: string): void {
  keepAs(id, lookedAt('tools'), { kind: 'tools', search: '', chosen: name } satisfies Looking);
  showIntegration(id, 'tools');
}
