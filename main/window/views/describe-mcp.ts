import type { ContentView, PromptView, ResourceView, ToolView } from '../../../shared/mcp-view.ts';
import { displayText } from '../../address/display-text.ts';
import type { Prompt, Resource, ResourceTemplate } from '../../engine/use/browse-server.ts';
import { urlLength } from '../../limits.ts';
import { toolHints } from '../../mcp/client/tool-hints.ts';
import type { ReadTemplate } from '../../mcp/client/uri-template.ts';
import type { Tool } from '../../mcp/client/use-tools.ts';
import { displayBlock, displayJson, isPlainName, readJsonText, showJson, wholeJson } from './display-json.ts';
import { isSoundFile, pictureBounds, readPictureSize } from './media-header.ts';

/** Characters of one text in a result. */
const longestText = 200_000;
const description = 2_000;
const mostGaps = 40;
/** Bytes of a picture that is drawn, and of a sound that is played. */
const largestPicture = 2_097_152;
const longestSound = 1_048_576;
const bytesOfResult = 8_388_608;
/** Values of data that is shown as such, in one result. */
const nodesOfResult = 20_000;

/** Tools whose name cannot be shown as it is cannot be called by it either, and are left out. */
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

/** `readTemplate`: handed over, since it comes with the library of MCP, which is loaded once a server is asked. */
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
      ...(template && describeGaps(readTemplate(uri))),
    }));
}

/** Gaps whose names cannot be shown as they are could not be told apart. */
function describeGaps(template: ReadTemplate | undefined): Pick<ResourceView, 'gaps'> {
  if (!template || template.names.length > mostGaps || !template.names.every((name) => isPlainName(name))) return {};
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

/** What a server sent, whole, beside what of it is shown. */
export interface KeptPiece {
  readonly view: ContentView;
  readonly bytes: () => Buffer;
  /** All that is text in it, without what cannot be seen. */
  readonly text?: () => string;
}

/** What is drawn and played in one result: many small files unfold as one large one does. */
export interface Room {
  pixels: number;
  bytes: number;
  nodes: number;
}

export const newRoom = (): Room => ({ pixels: pictureBounds.pixels, bytes: bytesOfResult, nodes: nodesOfResult });

/** Each piece as it is shown, and as it came; `room` is what all of a result have together. */
export function keepContent(content: readonly AnyContent[], room = newRoom()): KeptPiece[] {
  return content.flatMap((block) => {
    // Unwrapped once and for both, or another block would be saved than is shown.
    const inner = block.type === 'resource' && isObject(block.resource) ? block.resource : block;
    const view = describeBlock(inner, room);
    const encoded = inner.data ?? inner.blob;
    const bytes = (): Buffer => {
      if (typeof inner.text === 'string') return Buffer.from(inner.text);
      return Buffer.from(typeof encoded === 'string' ? encoded : '', 'base64');
    };
    const { text } = inner;
    // A block that no revision knows says what it says as JSON.
    if (!view) return [keepStructure(block, room)];
    return [{ view, bytes, ...(typeof text === 'string' && { text: () => textOf(view, text) }) }];
  });
}

export function keepStructure(structure: unknown, room = newRoom()): KeptPiece {
  const bytes = (): Buffer => Buffer.from(indented(structure));
  const { json, cut, nodes } = showJson(structure, { nodes: room.nodes });
  room.nodes -= nodes;
  return { view: { type: 'json', json, ...(cut && { cut }) }, bytes, text: () => indented(wholeJson(structure)) };
}

const indented = (json: unknown): string => JSON.stringify(json, null, 2);

const textOf = (view: ContentView, text: string): string =>
  view.type === 'json' ? indented(view.json) : displayBlock(text, Infinity).text;

function describeBlock(block: AnyContent, room: Room): ContentView | undefined {
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

/** By what its first bytes say; what is compressed may unfold, so that both are bounded, in a piece and in a result. */
function isShown(kind: string, data: string, size: number, room: Room): boolean {
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
