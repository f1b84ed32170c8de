import { UriTemplate } from '@modelcontextprotocol/client';

/** A URI template (RFC 6570) and its variable names. */
export interface ReadTemplate {
  readonly names: readonly string[];
  /** Query variables, which may be left out (RFC 6570 section 3.2.8). */
  readonly optional: readonly string[];
  fill(values: Readonly<Record<string, string>>): string;
}

/** `undefined`: no template, or an invalid one. */
export function readTemplate(address: string): ReadTemplate | undefined {
  if (!UriTemplate.isTemplate(address)) return undefined;
  try {
    const template = new UriTemplate(address);
    const query = [...address.matchAll(/\{[?&]([^{}]+)\}/gu)].flatMap(([, names = '']) => names.split(','));
    return {
      names: template.variableNames,
      optional: query.map((name) => name.replace(/(?:\*|:\d+)$/u, '')),
      fill: (values) => template.expand({ ...values }),
    };
  } catch {
    return undefined;
  }
}
