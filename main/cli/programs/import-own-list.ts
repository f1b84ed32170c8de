import { fileBytes } from '../../limits.ts';
import type { UnreadPart } from '../../desktop/lists/exported-list.ts';
import { importList } from '../../desktop/lists/import-list.ts';
import type { Collections } from '../../gateway-ports.ts';
import type { EnginePorts } from '../../integration/engine-ports.ts';
import { readPlainFile } from '../../plain-file.ts';
import { PosternError } from '../../postern-error.ts';
import type { CommandContext } from '../command-context.ts';
import { hasOption } from '../options/option-values.ts';
import { UsageError } from '../options/usage-error.ts';
import type { Answer } from '../output/output.ts';
import { printableLine } from '../text/printable.ts';

/**
 * A file of `postern export`, or of the window. `undefined`: the word names no such file, and may be a program or a list
 * of another kind. Errors: USAGE for options that are about those, LIST_UNREADABLE with what was done all the same, CFG_*.
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
  const { added, collections, skipped, leftOut } = imported;
  const lines = [
    ...imported.unread.slice(0, mostNamed).map(describeUnread),
    ...(imported.unread.length > mostNamed ? [`${imported.unread.length - mostNamed} more could not be read.`] : []),
    `${added.length} added, ${skipped} were here already.`,
    ...(collections.length > 0 ? [`Collections added: ${collections.join(', ')}.`] : []),
    ...(leftOut > 0
      ? [`${leftOut} choices about addresses and hosts were not taken from the file: they are for you to make here.`]
      : []),
    ...(added.length > 0 ? ['Sign in to each: postern tools ID --sign-in browser'] : []),
  ];
  const refused = imported.unread.length;
  const unread = imported.unread.slice(0, mostListed);
  return {
    fields: { added, collections, skipped, refused, leftOut, ...(refused > 0 && { unread }) },
    text: lines.join('\n'),
    ...(refused > 0 && {
      failure: new PosternError('LIST_UNREADABLE', { stage: 'settings', detail: { unread: refused } }),
    }),
  };
}

/** Lines for a user, and parts in `--json`: the file may be anybody's. */
const [mostNamed, mostListed] = [20, 1_000];

function describeUnread({ list, index, name, member }: UnreadPart): string {
  const what = `${list === 'collections' ? 'Collection' : 'Entry'} ${index + 1}`;
  const shown = name === undefined ? what : `${what} (“${printableLine(name, 80)}”)`;
  return member === undefined
    ? `${shown} could not be read.`
    : `${shown} could not be read: its “${printableLine(member, 80)}”.`;
}
