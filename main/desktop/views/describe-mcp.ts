import type { ContentView, PromptView, ResourceView, ToolView } from '../../../shared/mcp-view.ts';
import { displayText } from '../../address/display-text.ts';
import type { Prompt, Resource, ResourceTemplate } from '../../integration/use/browse-server.ts';
import type { Tool } from '../../mcp/use-tools.ts';
import { urlLength } from '../../limits.ts';
import { displayBlock, displayJson, isPlainName } from './display-json.ts';

/** Characters of one text in a result. */
const longestText = 200_000;
const description = 2_000;

/** Tools whose name cannot be shown as it is cannot be called by it either, and are left out. */
export function describeTools(tools: readonly Tool[]): ToolView[] {
  return tools
    .filter(({ name }) => isPlainName(name))
    .map(({ name, title, description: text, inputSchema, annotations }) => {
      const shown = title ?? annotations?.title;
      const schema = displayJson(inputSchema);
      return {
        name,
        ...optional('title', shown, 80),
        ...optional('description', text, description),
        inputSchema: typeof schema === 'object' && schema !== null && !Array.isArray(schema) ? schema : {},
        ...(annotations?.readOnlyHint !== undefined && { readOnly: annotations.readOnlyHint }),
        ...(annotations?.destructiveHint !== undefined && { destructive: annotations.destructiveHint }),
      };
    });
}

export function describeResources(
  resources: readonly Resource[],
  templates: readonly ResourceTemplate[],
): ResourceView[] {
  return [
    ...resources.map((resource) => ({ ...resource, template: false })),
    ...templates.map((resource) => ({ ...resource, uri: resource.uriTemplate, template: true })),
  ]
    .filter(({ uri }) => isPlainName(uri, urlLength.received))
    .map(({ uri, name, title, description: text, mimeType, template }) => ({
      uri,
      name: displayText(name),
      ...optional('title', title, 80),
      ...optional('description', text, description),
      ...optional('mimeType', mimeType, 80),
      template,
    }));
}

export function describePrompts(prompts: readonly Prompt[]): PromptView[] {
  return prompts
    .filter(({ name }) => isPlainName(name))
    .map(({ name, title, description: text, arguments: inputs = [] }) => ({
      name,
      ...optional('title', title, 80),
      ...optional('description', text, description),
      arguments: inputs
        .filter((input) => isPlainName(input.name))
        .map((input) => ({
          name: input.name,
          ...optional('description', input.description, description),
          required: input.required === true,
        })),
    }));
}

/** What content blocks of tools, prompts and resources have in common, as far as it is shown. */
export interface AnyContent {
  readonly type?: string;
  readonly text?: unknown;
  readonly data?: unknown;
  readonly blob?: unknown;
  readonly mimeType?: unknown;
  readonly uri?: unknown;
  readonly name?: unknown;
  readonly resource?: unknown;
}

export function describeContent(content: readonly AnyContent[]): ContentView[] {
  return content.flatMap((block): ContentView[] => {
    if (block.type === 'resource' && isObject(block.resource)) return describeContent([block.resource]);
    if (typeof block.text === 'string') return [{ type: 'text', ...displayBlock(block.text, longestText) }];
    if (block.type === 'resource_link' && typeof block.uri === 'string') {
      return [{ type: 'link', uri: displayText(block.uri, urlLength.received), name: displayText(String(block.name)) }];
    }
    const data = block.data ?? block.blob;
    if (typeof data !== 'string') return [];
    const kind = block.type === 'image' || block.type === 'audio' ? block.type : 'resource';
    const mimeType = displayText(typeof block.mimeType === 'string' ? block.mimeType : '');
    return [{ type: 'binary', kind, mimeType, size: Math.floor((data.length * 3) / 4) }];
  });
}

function optional<Name extends string>(
  name: Name,
  text: string | undefined,
  maximum: number,
): { [Key in Name]?: string } {
  return text === undefined ? {} : ({ [name]: displayText(text, maximum) } as { [Key in Name]: string });
}

function isObject(value: unknown): value is AnyContent {
  return typeof value === 'object' && value !== null;
}
