import { UriTemplate } from '@modelcontextprotocol/client';

/** A template of addresses (RFC 6570) and the names of its gaps. */
export interface ReadTemplate {
  readonly names: readonly string[];
  /** Those of its query, which an address may go without (RFC 6570 section 3.2.8). */
  readonly optional: readonly string[];
  fill(values: Readonly<Record<string, string>>): string;
}

/** `undefined`: an address without gaps, or with some that cannot be read. */
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
