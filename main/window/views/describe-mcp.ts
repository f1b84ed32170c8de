import type { ContentView, PromptView, ResourceView, ToolView } from '../../../shared/mcp-view.ts';
import { displayText } from '../../address/display-text.ts';
import type { Prompt, Resource, ResourceTemplate } from '../../engine/use/browse-server.ts';
import { urlLength } from '../../limits.ts';
import { toolHints } from '../../mcp/client/tool-hints.ts';
import type { ReadTemplate } from '../../mcp/client/uri-template.ts';
import type { Tool } from '../../mcp/client/call-tool.ts';
import { displayBlock, displayJson, isPlainName, readJsonText, showJson, wholeJson } from './display-json.ts';
import { isSoundFile, pictureBounds, readPictureSize } from './media-header.ts';

/** Characters of one text in a result. */
const longestText = 200_000;
const description = 2_000;
const maxVariables = 40;
/** Bytes of an image that is displayed, and of a sound that is played. */
const largestPicture = 2_097_152;
const longestSound = 1_048_576;
const bytesOfResult = 8_388_608;
/** JSON values displayed in one result. */
const nodesOfResult = 20_000;

/** Omits tools whose name cannot be displayed exactly: they could not be called by that name either. */
export function describeTools(tools: readonly Tool[]): ToolView[] {
  return tools
    .filter(({ name }) => isPlainName(name))
    .map((tool) => {
      const { name, title, description: text, inputSchema, annotations } = tool;
      const hints = toolHints(tool);
      const shown = title ?? annotations?.title;
      const schema = displayJson(inputSchema);
      return {
        name,
        ...optional('title', shown, 80),
        ...optional('description', text, description),
        inputSchema: typeof schema === 'object' && schema !== null && !Array.isArray(schema) ? schema : {},
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
  readTemplate: (address: string) => ReadTemplate | undefined,
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
      ...(template && describeVariables(readTemplate(uri))),
    }));
}

/** Variables whose names cannot be displayed exactly could be confused, so none are listed. */
function describeVariables(template: ReadTemplate | undefined): Pick<ResourceView, 'gaps'> {
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
export interface DisplayBudget {
  pixels: number;
  bytes: number;
  nodes: number;
}

export const newBudget = (): DisplayBudget => ({
  pixels: pictureBounds.pixels,
  bytes: bytesOfResult,
  nodes: nodesOfResult,
});

/** All content blocks. `room`: the shared budget of one result. */
export function contentPieces(content: readonly AnyContent[], room = newBudget()): ContentPiece[] {
  return content.flatMap((block) => {
    // Unwrapped once for both, so that the saved block is the displayed one.
    const inner = block.type === 'resource' && isObject(block.resource) ? block.resource : block;
    const view = describeBlock(inner, room);
    const encoded = inner.data ?? inner.blob;
    const bytes = (): Buffer => {
      if (typeof inner.text === 'string') return Buffer.from(inner.text);
      return Buffer.from(typeof encoded === 'string' ? encoded : '', 'base64');
    };
    const { text } = inner;
    // An unknown block is displayed as JSON.
    if (!view) return [structurePiece(block, room)];
    return [{ view, bytes, ...(typeof text === 'string' && { text: () => textOf(view, text) }) }];
  });
}

export function structurePiece(structure: unknown, room = newBudget()): ContentPiece {
  const bytes = (): Buffer => Buffer.from(indented(structure));
  const { json, cut, nodes } = showJson(structure, { nodes: room.nodes });
  room.nodes -= nodes;
  return { view: { type: 'json', json, ...(cut && { cut }) }, bytes, text: () => indented(wholeJson(structure)) };
}

const indented = (json: unknown): string => JSON.stringify(json, null, 2);

const textOf = (view: ContentView, text: string): string =>
  view.type === 'json' ? indented(view.json) : displayBlock(text, Infinity).text;

function describeBlock(block: AnyContent, room: DisplayBudget): ContentView | undefined {
  if (typeof block.text === 'string') {
    const json = block.text.length <= longestText ? readJsonText(block.text, room) : undefined;
    return json === undefined ? { type: 'text', ...displayBlock(block.text, longestText) } : { type: 'json', json };
  }
  if (block.type === 'resource_link' && typeof block.uri === 'string')
    return { type: 'link', uri: displayText(block.uri, urlLength.received), name: displayText(String(block.name)) };
  const data = block.data ?? block.blob;
  if (typeof data !== 'string') return undefined;
  const kind = block.type === 'image' || block.type === 'audio' ? block.type : 'resource';
  const mimeType = displayText(typeof block.mimeType === 'string' ? block.mimeType : '');
  const size = Math.floor((data.length * 3) / 4);
  return { type: 'binary', kind, mimeType, size, ...(isShown(kind, data, size, room) && { data }) };
}

/** Checks magic bytes, not the declared type. Limits size and pixels, per block and per result. */
function isShown(kind: string, data: string, size: number, room: DisplayBudget): boolean {
  if (size > (kind === 'audio' ? longestSound : largestPicture)) return false;
  const bytes = Buffer.from(data, 'base64');
  const picture = kind === 'image' ? readPictureSize(bytes) : undefined;
  if (!picture && !(kind === 'audio' && isSoundFile(bytes))) return false;
  const pixels = picture ? picture.width * picture.height : 0;
  if (pixels > room.pixels || size > room.bytes) return false;
  room.pixels -= pixels;
  room.bytes -= size;
  return true;
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
