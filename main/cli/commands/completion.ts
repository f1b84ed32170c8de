import { collectionReference } from '../../../shared/collection-name.ts';
import type { Integration } from '../../../shared/integration.ts';
import { findIntegration } from '../../integration/kept/find-integration.ts';
import type { CommandContext } from '../command-context.ts';
import { openCommandProfile } from '../opening/open-command-profile.ts';
import { awaitedWord, awaitsFile, completeWords, positionalWords } from '../options/complete-words.ts';
import { shells, shellScripts } from '../options/shell-scripts.ts';
import { didYouMean, UsageError } from '../options/usage-error.ts';
import type { Answer } from '../output/output.ts';

/**
 * `postern completion SHELL`: the script for a shell; with `words`, what may stand next, and exit code 1 where not even a
 * file may. Errors: USAGE.
 */
export async function completion(context: CommandContext): Promise<Answer> {
  const [shell = '', ...words] = context.args.positionals;
  if (shell === 'words') return await complete(context, words);
  const known = shells.find((name) => name === shell);
  if (known === undefined)
    throw new UsageError(
      `“postern completion” takes one of ${shells.join(', ')}.${didYouMean(shell, shells)}`,
      'completion',
    );
  const script = shellScripts[known];
  return { fields: { script }, text: script };
}

async function complete(context: CommandContext, typed: readonly string[]): Promise<Answer> {
  const words = joinEqualSigns(typed);
  const names = await knownNames(context, words).catch(() => []);
  const whole = completeWords(words, names);
  // Such a shell completes what follows the sign alone.
  const before = typed.at(-1) === words.at(-1) ? 0 : (words.at(-1) ?? '').indexOf('=') + 1;
  const found = whole.map((word) => word.slice(before));
  if (found.length === 0) return { fields: { words: found }, exitCode: awaitsFile(words) ? 0 : 1 };
  return { fields: { words: found }, text: found.join('\n') };
}

/** Loads no more than the word asks for. Errors: CFG_*; commands and options are completed all the same. */
async function knownNames(context: CommandContext, words: readonly string[]): Promise<readonly string[]> {
  const begun = words.at(-1) ?? '';
  switch (awaitedWord(words)) {
    case 'server': {
      const { store } = await openCommandProfile(context);
      return typedNames(await store.list(), begun);
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
        import('../../programs/records/other-program.ts'),
      ]);
      return (await knownPrograms({ records: store.programs })).map(({ id }) => id);
    }
    case 'setting': {
      const { settingSpecs } = await import('../options/setting-specs.ts');
      return Object.keys(settingSpecs);
    }
    case 'value': {
      const { settingSpecs } = await import('../options/setting-specs.ts');
      const [, ...given] = context.args.positionals;
      return Object.entries(settingSpecs).find(([name]) => given.includes(name))?.[1].choices ?? [];
    }
    case 'tool': {
      const [{ store, folder, locks }, { openPinStore }] = await Promise.all([
        openCommandProfile(context),
        import('../../storage/profile/pin-store.ts'),
      ]);
      const { id, permissions } = await findIntegration(store, positionalWords(words)[0] ?? '');
      const pins = await openPinStore({ profileFolder: folder, locks, list: store }).read(id);
      // As it was last listed: nothing is asked at the press of a key.
      const listed = [...(pins?.tools ?? []), ...(pins?.changed ?? [])].map(({ name }) => name);
      return [...new Set([...listed, ...(permissions?.rules ?? []).map(({ tool }) => tool)])];
    }
    case 'offer': {
      const { offeredWords } = await import('../opening/offered-words.ts');
      return await offeredWords(context, words);
    }
    case undefined:
      return [];
  }
}

/**
 * Of each its name, where that needs no quotes and no other has it, else its alias; aliases too where no name begins so.
 */
function typedNames(servers: readonly Pick<Integration, 'name' | 'alias'>[], begun: string): readonly string[] {
  const counts = new Map<string, number>();
  const keyOf = (name: string): string => name.toLocaleLowerCase('en');
  for (const { name } of servers) counts.set(keyOf(name), (counts.get(keyOf(name)) ?? 0) + 1);
  const isPlain = (name: string): boolean => /^\w[\w.@-]*$/u.test(name) && counts.get(keyOf(name)) === 1;
  const names = servers.flatMap(({ name, alias }) => (isPlain(name) ? name : (alias ?? [])));
  if (names.some((name) => name.startsWith(begun))) return names;
  return servers.flatMap(({ alias }) => alias ?? []);
}

/** bash takes `key=value` apart into three words. */
function joinEqualSigns(words: readonly string[]): readonly string[] {
  const joined: string[] = [];
  for (const [index, word] of words.entries()) {
    const follows = word === '=' || (words[index - 1] === '=' && index > 1);
    if (follows && joined.length > 0) joined.push(`${joined.pop()}${word}`);
    else joined.push(word);
  }
  return joined;
}
