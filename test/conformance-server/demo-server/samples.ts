import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server';

/** One red pixel. */
export const png = {
  data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==',
  mimeType: 'image/png',
} as const;

/** A WAV file without a sample. */
export const wav = {
  data: 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=',
  mimeType: 'audio/wav',
} as const;

export function textResult(...texts: readonly string[]): CallToolResult {
  return { content: texts.map((text): ContentBlock => ({ type: 'text', text })) };
}
