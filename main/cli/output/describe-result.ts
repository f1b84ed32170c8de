import type { ResourceContents } from '../../integration/use/browse-server.ts';
import type { ToolResult } from '../../integration/use/use-server.ts';
import { mcpDepth } from '../../limits.ts';
import { measureJson } from '../../mcp/measure-json.ts';
import { printable, printableJson } from '../text/printable.ts';

/** Levels and characters of JSON that gets lines of its own. */
const indented = { depth: 16, size: 256 * 1_024 } as const;

/**
 * What a tool answered, for a person. JSON gets lines of its own as long as it is small and flat enough to be read:
 * the spaces of what is nested deeply would outgrow the answer a thousand times.
 */
export function describeResult({
  content,
  structuredContent,
}: Pick<ToolResult, 'content' | 'structuredContent'>): string | undefined {
  const { size } = measureJson(content, mcpDepth);
  const parts = content.map((block) => describeContent(block, size <= indented.size));
  if (parts.length === 0 && structuredContent !== undefined) parts.push(describeJson(structuredContent));
  return parts.length === 0 ? undefined : parts.join('\n');
}

/** What is in a resource, for a person. */
export function describeContents(contents: readonly ResourceContents[]): string | undefined {
  return describeResult({ content: contents.map((resource) => ({ type: 'resource', resource })) });
}

function describeJson(value: unknown): string {
  const { isTooDeep, size } = measureJson(value, indented.depth);
  return printableJson(value, isTooDeep || size > indented.size ? undefined : 2);
}

function describeContent(content: ToolResult['content'][number], mayIndent: boolean): string {
  switch (content.type) {
    case 'text':
      return describeText(content.text, mayIndent);
    case 'image':
    case 'audio':
      return printable(
        `[${content.type} ${content.mimeType}, ${content.data.length} characters of base64; see --json]`,
      );
    case 'resource_link':
      return printable(`[resource ${content.uri}]`);
    case 'resource':
      return 'text' in content.resource
        ? describeText(content.resource.text, mayIndent)
        : printable(
            `[resource ${content.resource.uri}, ${content.resource.blob.length} characters of base64; see --json]`,
          );
  }
}

/** Many servers answer JSON as text; a person reads it better with its lines. */
function describeText(text: string, mayIndent: boolean): string {
  if (!mayIndent || !/^\s*[[{]/u.test(text)) return printable(text);
  try {
    const value: unknown = JSON.parse(text);
    return measureJson(value, indented.depth).isTooDeep ? printable(text) : printableJson(value, 2);
  } catch {
    return printable(text);
  }
}
