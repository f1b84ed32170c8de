import { UriTemplate } from '@modelcontextprotocol/client';

/** A URI template (RFC 6570) and its variable names. */
export interface ParsedTemplate {
  readonly names: readonly string[];
  /** Query variables, which may be left out (RFC 6570 section 3.2.8). */
  readonly optional: readonly string[];
  fill(values: Readonly<Record<string, string>>): string;
}

/** `undefined`: no template, or an invalid one. */
export function parseUriTemplate(uri: string): ParsedTemplate | undefined {
  if (!UriTemplate.isTemplate(uri)) return undefined;
  try {
    const template = new UriTemplate(uri);
    const queryNames = [...uri.matchAll(/\{[?&]([^{}]+)\}/gu)].flatMap(([, names = '']) => names.split(','));
    return {
      names: template.variableNames,
      optional: queryNames.map((name) => name.replace(/(?:\*|:\d+)$/u, '')),
      fill: (values) => template.expand({ ...values }),
    };
  } catch {
    return undefined;
  }
}
