import { readTemplate } from '../../mcp/client/uri-template.ts';
import { printableLine } from '../text/printable.ts';
import { didYouMean, UsageError } from '../options/usage-error.ts';

/** The address that a template stands for once its gaps are filled; an address without gaps stays. Errors: USAGE. */
export function fillTemplate(address: string, values: Readonly<Record<string, string>>): string {
  const given = Object.keys(values);
  const template = readTemplate(address);
  const [unknown] = given.filter((name) => !template?.names.includes(name));
  if (unknown !== undefined) {
    throw new UsageError(
      `This address has no gap “${printableLine(unknown, 60)}”.${didYouMean(unknown, template?.names ?? [])}`,
      'read',
    );
  }
  if (!template) return address;
  const missing = template.names.filter((name) => !given.includes(name) && !template.optional.includes(name));
  if (missing.length > 0) {
    throw new UsageError(
      `Say what fills the gap ${missing.map((name) => `“${printableLine(name, 60)}”`).join(', ')}, as KEY=VALUE.`,
      'read',
    );
  }
  return template.fill(values);
}
