import { collectionReference } from '../../../shared/entry-name.ts';
import type { Integration } from '../../../shared/integration.ts';
import { findIntegration } from '../../engine/kept/find-integration.ts';
import type { CommandContext } from '../command-context.ts';
import { openCommandProfile } from '../opening/open-command-profile.ts';
import {
  awaitedWord,
  awaitsFile,
  completeWords,
  positionalWords,
  readBashLine,
  shells,
  shellScripts,
} from '../options/complete-words.ts';
import { didYouMean, UsageError } from '../options/parse-arguments.ts';
import type { Answer } from '../output/output.ts';
import { printable } from '../text.ts';

/**
 * `postern completion SHELL`: the script for a shell; with `words`, what may stand next, and exit code 1 where not even a
 * file may; with `line`, the same for a line of bash and its COMP_WORDBREAKS, as bash inserts it. Errors: USAGE.
 */
export async function completion(context: CommandContext): Promise<Answer> {
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

/** A server may list more. */
const mostFound = 100;

async function complete(
  context: CommandContext,
  words: readonly string[],
  replies = (found: readonly string[]) => found,
): Promise<Answer> {
  const names = await knownNames(context, words).catch(() => []);
  // What a terminal would not show as it is cannot be chosen there.
  const fit = names.filter((name) => printable(name) === name && !name.includes('\n'));
  const found = replies(completeWords(context.commands, words, fit).slice(0, mostFound));
  if (found.length === 0) return { fields: { words: found }, exitCode: awaitsFile(context.commands, words) ? 0 : 1 };
  return { fields: { words: found }, text: found.join('\n') };
}

/** Loads no more than the word asks for. Errors: CFG_*; commands and options are completed all the same. */
async function knownNames(context: CommandContext, words: readonly string[]): Promise<readonly string[]> {
  const begun = words.at(-1) ?? '';
  switch (awaitedWord(context.commands, words)) {
    case 'server': {
      const { store } = await openCommandProfile(context);
      return typedNames(await store.list(), begun);
    }
    case 'local': {
      const { store } = await openCommandProfile(context);
      return typedNames(await store.list(), begun, ({ command }) => command !== undefined);
    }
    case 'used': {
      const { store } = await openCommandProfile(context);
      return [...typedNames(await store.list(), begun), ...(await store.collections.list()).map(collectionReference)];
    }
    case 'collection': {
      const { store } = await openCommandProfile(context);
      return (await store.collections.list()).map(({ name }) => name);
    }
    case 'program': {
      const [{ store }, { knownPrograms }] = await Promise.all([
        openCommandProfile(context),
        import('../../apps/records/program-records.ts'),
      ]);
      return (await knownPrograms({ records: store.programs })).map(({ id }) => id);
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
        openCommandProfile(context),
        import('../../storage/profile/server-files.ts'),
      ]);
      const { id, permissions } = await findIntegration(store, positionalWords(context.commands, words)[0] ?? '');
      const pins = await openPinStore({ profileFolder: folder, locks, list: store }).read(id);
      // As it was last listed: nothing is asked at the press of a key.
      const listed = [...(pins?.tools ?? []), ...(pins?.changed ?? [])].map(({ name }) => name);
      return [...new Set([...listed, ...(permissions?.rules ?? []).map(({ tool }) => tool)])];
    }
    case 'offer': {
      const { offeredWords } = await import('./offered-words.ts');
      return await offeredWords(context, words);
    }
    case undefined:
      return [];
  }
}

/**
 * Of each server the name, where that is begun and no other has it, else the alias. Where nothing is typed yet, a name
 * that needs quotes gives way to the alias. `isMeant`: the others are not offered.
 */
function typedNames(
  servers: readonly Integration[],
  begun: string,
  isMeant: (server: Integration) => boolean = () => true,
): readonly string[] {
  const keyOf = (name: string): string => name.toLocaleLowerCase('en');
  const counts = new Map<string, number>();
  for (const { name } of servers) counts.set(keyOf(name), (counts.get(keyOf(name)) ?? 0) + 1);
  return servers.filter(isMeant).flatMap(({ name, alias }) => {
    const isTyped = begun !== '' || alias === undefined || /^\w[\w.@-]*$/u.test(name);
    if (isTyped && counts.get(keyOf(name)) === 1 && name.startsWith(begun)) return name;
    // A name goes before the alias of another server.
    return alias === undefined || (counts.has(alias) && keyOf(name) !== alias) ? [] : alias;
  });
}
