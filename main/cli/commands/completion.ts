import { collectionReference } from '../../../shared/entry-name.ts';
import type { Integration } from '../../../shared/integration.ts';
import { findIntegration } from '../../engine/records/find-integration.ts';
import type { CommandContext } from '../command-context.ts';
import {
  expectedKind,
  expectsFile,
  completeWords,
  positionalWords,
  readBashLine,
  shells,
  shellScripts,
} from '../options/complete-words.ts';
import { didYouMean, UsageError } from '../options/parse-arguments.ts';
import type { CommandResult } from '../output/output.ts';
import { printable } from '../text.ts';

/**
 * `postern completion SHELL`: the script for a shell. `words`: prints completions, with exit code 1 if not even a file
 * fits. `line`: the same for a bash line and its COMP_WORDBREAKS. Errors: USAGE.
 */
export async function completion(context: CommandContext): Promise<CommandResult> {
  const [shell = '', ...words] = context.args.positionals;
  if (shell === 'words') return await complete(context, words);
  if (shell === 'line') {
    const [line = '', breaks = ''] = words;
    const { words: typed, replies } = readBashLine(line, breaks);
    return await complete(context, typed, replies);
  }
  const known = shells.find((name) => name === shell);
  if (known === undefined)
    throw new UsageError(
      `“postern completion” takes one of ${shells.join(', ')}.${didYouMean(shell, shells)}`,
      context.args.command,
    );
  const script = shellScripts[known];
  return { fields: { script }, text: script };
}

/** A server may list thousands. */
const maxCompletions = 100;

async function complete(
  context: CommandContext,
  words: readonly string[],
  replies = (found: readonly string[]) => found,
): Promise<CommandResult> {
  const names = await candidateNames(context, words).catch(() => []);
  // Leave out names that a terminal would escape.
  const printableNames = names.filter((name) => printable(name) === name && !name.includes('\n'));
  const found = replies(completeWords(context.commands, words, printableNames).slice(0, maxCompletions));
  if (found.length === 0) return { fields: { words: found }, exitCode: expectsFile(context.commands, words) ? 0 : 1 };
  return { fields: { words: found }, text: found.join('\n') };
}

/** Loads only what this kind of name needs. Errors: CFG_*; commands and options are completed anyway. */
async function candidateNames(context: CommandContext, words: readonly string[]): Promise<readonly string[]> {
  const prefix = words.at(-1) ?? '';
  switch (expectedKind(context.commands, words)) {
    case 'server': {
      const { store } = await context.openProfile();
      return typedNames(await store.list(), prefix);
    }
    case 'local': {
      const { store } = await context.openProfile();
      return typedNames(await store.list(), prefix, ({ command }) => command !== undefined);
    }
    case 'used': {
      const { store } = await context.openProfile();
      return [...typedNames(await store.list(), prefix), ...(await store.collections.list()).map(collectionReference)];
    }
    case 'collection': {
      const { store } = await context.openProfile();
      return (await store.collections.list()).map(({ name }) => name);
    }
    case 'app': {
      const [{ store }, { knownApps }] = await Promise.all([
        context.openProfile(),
        import('../../apps/records/app-records.ts'),
      ]);
      return (await knownApps({ records: store.apps })).map(({ id }) => id);
    }
    case 'setting': {
      const { settingNames } = await import('../../../shared/settings.ts');
      return settingNames;
    }
    case 'value': {
      const { settingChoices, settingNames } = await import('../../../shared/settings.ts');
      const [, ...given] = context.args.positionals;
      const name = settingNames.find((each) => given.includes(each));
      return (name && settingChoices(name)) ?? [];
    }
    case 'tool': {
      const [{ store, folder, locks }, { openPinStore }] = await Promise.all([
        context.openProfile(),
        import('../../storage/profile/server-files.ts'),
      ]);
      const { id, permissions } = await findIntegration(store, positionalWords(context.commands, words)[0] ?? '');
      const pins = await openPinStore({ profileFolder: folder, locks, list: store }).read(id);
      // From the last listing: Tab must not start a request.
      const listed = [...(pins?.tools ?? []), ...(pins?.changed ?? [])].map(({ name }) => name);
      return [...new Set([...listed, ...(permissions?.rules ?? []).map(({ tool }) => tool)])];
    }
    case 'capability': {
      const { serverCompletions } = await import('./server-completions.ts');
      return await serverCompletions(context, words);
    }
    case undefined:
      return [];
  }
}

/**
 * For each server its name, if that is unique and starts with `prefix`, else its alias. With an empty `prefix`, a name
 * that needs quotes is replaced by the alias. `isIncluded`: filter.
 */
function typedNames(
  servers: readonly Integration[],
  prefix: string,
  isIncluded: (server: Integration) => boolean = () => true,
): readonly string[] {
  const keyOf = (name: string): string => name.toLocaleLowerCase('en');
  const counts = new Map<string, number>();
  for (const { name } of servers) counts.set(keyOf(name), (counts.get(keyOf(name)) ?? 0) + 1);
  return servers.filter(isIncluded).flatMap(({ name, alias }) => {
    const prefersName = prefix !== '' || alias === undefined || /^\w[\w.@-]*$/u.test(name);
    if (prefersName && counts.get(keyOf(name)) === 1 && name.startsWith(prefix)) return name;
    // Names take precedence over other servers' aliases.
    return alias === undefined || (counts.has(alias) && keyOf(name) !== alias) ? [] : alias;
  });
}
