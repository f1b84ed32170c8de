import { UriTemplate } from '@modelcontextprotocol/client';

/** A template of addresses (RFC 6570) and the names of its gaps. */
export interface ReadTemplate {
  readonly names: readonly string[];
  fill(values: Readonly<Record<string, string>>): string;
}

/** `undefined`: an address without gaps, or with some that cannot be read. */
export function readTemplate(address: string): ReadTemplate | undefined {
  if (!UriTemplate.isTemplate(address)) return undefined;
  try {
    const template = new UriTemplate(address);
    return { names: template.variableNames, fill: (values) => template.expand({ ...values }) };
  } catch {
    return undefined;
  }
}
