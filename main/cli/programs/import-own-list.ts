import { fileBytes } from '../../limits.ts';
import { importList } from '../../desktop/lists/import-list.ts';
import type { Collections } from '../../gateway-ports.ts';
import type { EnginePorts } from '../../integration/engine-ports.ts';
import { readPlainFile } from '../../plain-file.ts';
import type { CommandContext } from '../command-context.ts';
import { hasOption } from '../options/option-values.ts';
import { UsageError } from '../options/usage-error.ts';
import type { Answer } from '../output/output.ts';

/**
 * A file of `postern export`, or of the window. `undefined`: the word names no such file, and may be a program or a list
 * of another kind. Errors: USAGE for options that are about those, CFG_*.
 */
export async function importOwnList(
  { args }: CommandContext,
  ports: EnginePorts & { readonly collections: Collections },
): Promise<Answer | undefined> {
  const [word = ''] = args.positionals;
  if (!/[./\\]/u.test(word)) return undefined;
  const bytes = await readPlainFile(word, { limit: fileBytes.settings, follow: true }).catch(() => undefined);
  const text = bytes?.toString('utf8') ?? '';
  if (!text.includes('postern-integrations')) return undefined;
  for (const option of ['only', 'take-over', 'local'] as const)
    if (hasOption(args, option)) throw new UsageError(`--${option} is not for a list of \`postern export\`.`, 'import');
  const imported = await importList(ports, text);
  if (!imported) return undefined;
  const { added, collections, skipped, refused, leftOut } = imported;
  const lines = [
    `${added.length} added, ${skipped} were here already${refused > 0 ? `, ${refused} could not be read` : ''}.`,
    ...(collections.length > 0 ? [`Collections added: ${collections.join(', ')}.`] : []),
    ...(leftOut > 0
      ? [`${leftOut} choices about addresses and hosts were not taken from the file: they are for you to make here.`]
      : []),
    ...(added.length > 0 ? ['Sign in to each: postern tools ID --sign-in browser'] : []),
  ];
  return { fields: { added, collections, skipped, refused, leftOut }, text: lines.join('\n') };
}
