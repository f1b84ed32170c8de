import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../../shared/json-object.ts';
import type { ContentView, PromptView, ResourceView, ToolView } from '../../../shared/mcp-view.ts';
import { displayText } from '../../address/display-text.ts';
import type { Prompt, Resource, ResourceTemplate } from '../../engine/use/browse-server.ts';
import { urlLength } from '../../limits.ts';
import { toolHints } from '../../mcp/client/tool-hints.ts';
import type { ParsedTemplate } from '../../mcp/client/uri-template.ts';
import type { Tool } from '../../mcp/client/call-tool.ts';
import { displayBlock, displayJson, isPlainName, readJsonText, truncateJson, wholeJson } from './display-json.ts';
import { isSoundFile, pictureBounds, readPictureSize } from './media-header.ts';

/** Characters of one text in a result. */
const maxText = 200_000;
const maxDescription = 2_000;
const maxVariables = 40;
/** Bytes of an image that is displayed, and of audio that is played. */
const maxPictureBytes = 2_097_152;
const maxSoundBytes = 1_048_576;
const maxResultBytes = 8_388_608;
/** JSON values displayed in one result. */
const maxResultNodes = 20_000;

/** Omits tools whose name cannot be displayed exactly: they could not be called by that name either. */
export function describeTools(tools: readonly Tool[]): ToolView[] {
  return tools
    .filter(({ name }) => isPlainName(name))
    .map((tool) => {
      const { name, title, description: text, inputSchema, annotations } = tool;
      const hints = toolHints(tool);
      const displayTitle = title ?? annotations?.title;
      const schema = displayJson(inputSchema);
      return {
        name,
        ...optional('title', displayTitle, 80),
        ...optional('description', text, maxDescription),
        inputSchema: isObject(schema) ? schema : {},
        ...(annotations?.readOnlyHint !== undefined && { readOnly: annotations.readOnlyHint }),
        ...(annotations?.destructiveHint !== undefined && { destructive: annotations.destructiveHint }),
        ...(hints.length > 0 && { hints: [...hints] }),
      };
    });
}

/** `readTemplate` is a parameter because it comes with the MCP library, which is loaded lazily. */
export function describeResources(
  resources: readonly Resource[],
  templates: readonly ResourceTemplate[],
  readTemplate: (address: string) => ParsedTemplate | undefined,
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
      ...optional('description', text, maxDescription),
      ...optional('mimeType', mimeType, 80),
      template,
      ...(template && describeVariables(readTemplate(uri))),
    }));
}

/** Variables whose names cannot be displayed exactly could be confused, so none are listed. */
function describeVariables(template: ParsedTemplate | undefined): Pick<ResourceView, 'gaps'> {
  if (!template || template.names.length > maxVariables || !template.names.every((name) => isPlainName(name)))
    return {};
  return { gaps: template.names.map((name) => ({ name, required: !template.optional.includes(name) })) };
}

export function describePrompts(prompts: readonly Prompt[]): PromptView[] {
  return prompts
    .filter(({ name }) => isPlainName(name))
    .map(({ name, title, description: text, arguments: inputs = [] }) => ({
      name,
      ...optional('title', title, 80),
      ...optional('description', text, maxDescription),
      arguments: inputs
        .filter((input) => isPlainName(input.name))
        .map((input) => ({
          name: input.name,
          ...optional('description', input.description, maxDescription),
          required: input.required === true,
        })),
    }));
}

/** The displayed members of content blocks of tools, prompts and resources. */
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

/** A content block: what is displayed, and the complete original. */
export interface ContentPiece {
  readonly view: ContentView;
  readonly bytes: () => Buffer;
  /** The whole text, without invisible characters. */
  readonly text?: () => string;
}

/** Budget for one result: many small files can decode to as much as one large file. */
interface DisplayBudget {
  pixels: number;
  bytes: number;
  nodes: number;
}

export const newBudget = (): DisplayBudget => ({
  pixels: pictureBounds.pixels,
  bytes: maxResultBytes,
  nodes: maxResultNodes,
});

/** All content blocks. `budget`: shared by the whole result. */
export function contentPieces(content: readonly AnyContent[], budget = newBudget()): ContentPiece[] {
  return content.flatMap((block) => {
    // Unwrapped once, so that the saved block is the displayed one.
    const inner = block.type === 'resource' && isObject(block.resource) ? block.resource : block;
    const view = describeBlock(inner, budget);
    const encoded = inner.data ?? inner.blob;
    const bytes = (): Buffer => {
      if (typeof inner.text === 'string') return Buffer.from(inner.text);
      return Buffer.from(typeof encoded === 'string' ? encoded : '', 'base64');
    };
    const { text } = inner;
    // An unknown block is displayed as JSON.
    if (!view) return [jsonPiece(block, budget)];
    return [{ view, bytes, ...(typeof text === 'string' && { text: () => textOf(view, text) }) }];
  });
}

/**
 * A tool's result, shown once: servers repeat structured content as text (MCP 2025-11-25, tools, structured content),
 * and some libraries wrap a result that is no object as `{"result": …}`.
 */
export function resultPieces(content: readonly AnyContent[], structure: unknown): ContentPiece[] {
  const budget = newBudget();
  if (structure === undefined) return contentPieces(content, budget);
  const texts = content.filter(({ text }) => typeof text === 'string');
  const [only, another] = Object.entries(structure ?? {});
  const wrapped: unknown = only?.[0] === 'result' && !another ? only[1] : undefined;
  const repeating = texts.filter(({ text }) => [structure, wrapped].some((value) => isTextOf(text as string, value)));
  // A text that is not cut off is as readable.
  if (repeating.some(({ text }) => String(text).length <= maxText)) return contentPieces(content, budget);
  const isList =
    Array.isArray(wrapped) &&
    wrapped.length === texts.length &&
    texts.every(({ text }, index) => isTextOf(text as string, wrapped[index]));
  const others = content.filter((block) => !repeating.includes(block) && !(isList && texts.includes(block)));
  return [...contentPieces(others, budget), jsonPiece(structure, budget)];
}

function isTextOf(text: string, value: unknown): boolean {
  if (typeof value === 'string') return text === value;
  if (value === undefined || !/^\s*[[{]/u.test(text)) return false;
  try {
    return isDeepStrictEqual(JSON.parse(text), value);
  } catch {
    return false;
  }
}

export function jsonPiece(structure: unknown, budget = newBudget()): ContentPiece {
  const bytes = (): Buffer => Buffer.from(indented(structure));
  const { json, cut, nodes } = truncateJson(structure, { nodes: budget.nodes });
  budget.nodes -= nodes;
  return { view: { type: 'json', json, ...(cut && { cut }) }, bytes, text: () => indented(wholeJson(structure)) };
}

const indented = (json: unknown): string => JSON.stringify(json, null, 2);

const textOf = (view: ContentView, text: string): string =>
  view.type === 'json' ? indented(view.json) : displayBlock(text, Infinity).text;

function describeBlock(block: AnyContent, budget: DisplayBudget): ContentView | undefined {
  if (typeof block.text === 'string') {
    const json = block.text.length <= maxText ? readJsonText(block.text, budget) : undefined;
    return json === undefined ? { type: 'text', ...displayBlock(block.text, maxText) } : { type: 'json', json };
  }
  if (block.type === 'resource_link' && typeof block.uri === 'string')
    return { type: 'link', uri: displayText(block.uri, urlLength.received), name: displayText(String(block.name)) };
  const data = block.data ?? block.blob;
  if (typeof data !== 'string') return undefined;
  const kind = block.type === 'image' || block.type === 'audio' ? block.type : 'resource';
  const mimeType = displayText(typeof block.mimeType === 'string' ? block.mimeType : '');
  const size = Math.floor((data.length * 3) / 4);
  return { type: 'binary', kind, mimeType, size, ...(takeFromBudget(kind, data, size, budget) && { data }) };
}

/**
 * True if the block may be displayed; its cost is then deducted. Checks magic bytes, not the declared type, and limits
 * size and pixels per block and per result.
 */
function takeFromBudget(kind: string, data: string, size: number, budget: DisplayBudget): boolean {
  if (size > (kind === 'audio' ? maxSoundBytes : maxPictureBytes)) return false;
  const bytes = Buffer.from(data, 'base64');
  const picture = kind === 'image' ? readPictureSize(bytes) : undefined;
  if (!picture && !(kind === 'audio' && isSoundFile(bytes))) return false;
  const pixels = picture ? picture.width * picture.height : 0;
  if (pixels > budget.pixels || size > budget.bytes) return false;
  budget.pixels -= pixels;
  budget.bytes -= size;
  return true;
}

function optional<Name extends string>(
  name: Name,
  text: string | undefined,
  maximum: number,
): { [Key in Name]?: string } {
  return text === undefined ? {} : ({ [name]: displayText(text, maximum) } as { [Key in Name]: string });
}
