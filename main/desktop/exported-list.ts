import * as z from 'zod';
import { integrationOptionsSchema } from '../../shared/integration.ts';
import type { Integration } from '../../shared/integration.ts';

/** The integration list as a file for another computer: addresses and choices, no secret, no sign-in. */
const exportSchema = z.object({
  format: z.literal('postern-integrations'),
  version: z.literal(1),
  integrations: z.array(z.unknown()).max(10_000),
});

const exportedSchema = z.strictObject({
  name: z.string().trim().min(1).max(80),
  url: z.string().max(2_048),
  method: z.enum(['NoAuth', 'OAuth', 'OAuthWithDCR', 'OAuthWithCIMD']),
  options: integrationOptionsSchema,
});

export type ExportedIntegration = z.infer<typeof exportedSchema>;

export function renderExport(integrations: readonly Integration[]): string {
  const entries = integrations.map(({ name, url, method, options }) => ({ name, url, method, options }));
  const document = { format: 'postern-integrations', version: 1, integrations: entries };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** What `renderExport` made. Entries that do not fit are counted; `undefined`: it is no such file. */
export function readExport(text: string): { entries: readonly ExportedIntegration[]; refused: number } | undefined {
  const parsed = exportSchema.safeParse(parseJson(text));
  if (!parsed.success) return undefined;
  const read = parsed.data.integrations.map((entry) => exportedSchema.safeParse(entry));
  const entries = read.flatMap(({ data }) => (data ? [data] : []));
  return { entries, refused: read.length - entries.length };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
