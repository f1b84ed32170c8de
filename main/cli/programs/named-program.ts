import type { Collection } from '../../../shared/collection.ts';
import { collectionNamed, collectionNameProblem, collectionReference } from '../../../shared/entry-name.ts';
import { asUsedServer } from '../../apps/program-engine.ts';
import type { UsedServer } from '../../apps/program-engine.ts';
import { findKnown, knownPrograms } from '../../apps/records/program-records.ts';
import type { Program } from '../../apps/table/program.ts';
import { closestWord } from '../../closest-word.ts';
import { findIntegration } from '../../engine/kept/find-integration.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { Collections, ProgramRecords } from '../../gateway-ports.ts';
import type { IntegrationStore } from '../../ports.ts';
import type { CommandName } from '../options/command-spec.ts';
import { didYouMean, UsageError } from '../options/parse-arguments.ts';
import { printableLine } from '../text.ts';

/** The program that a person names: of the table, or one that they have added. Errors: PROGRAM_NOT_FOUND, CFG_*. */
export async function namedProgram(word: string, records: Pick<ProgramRecords, 'list'>): Promise<Program> {
  const program = findKnown(word, await records.list());
  if (!program) throw await programNotFound(word, records);
  return program;
}

/** With the one that was probably meant. */
export async function programNotFound(word: string, records: Pick<ProgramRecords, 'list'>): Promise<PosternError> {
  const known = await knownPrograms({ records });
  const near = closestWord(
    word,
    known.flatMap(({ id, name }) => [id, name]),
  );
  const meant = known.find(({ id, name }) => near === id || near === name)?.id;
  return new PosternError('PROGRAM_NOT_FOUND', {
    stage: 'programs',
    detail: { unknown: true, ...(meant !== undefined && { meant }) },
  });
}

/** Each once. Errors: as of `namedProgram`. */
export async function namedPrograms(
  words: readonly string[],
  records: Pick<ProgramRecords, 'list'>,
): Promise<readonly Program[]> {
  const named = await Promise.all(words.map((word) => namedProgram(word, records)));
  return [...new Map(named.map((program) => [program.id, program])).values()];
}

interface Lists {
  readonly store: IntegrationStore;
  readonly collections: Pick<Collections, 'list'>;
}

/** A server, or behind a `+` a collection; where there is none, a server of that name. Errors: NOT_FOUND, USAGE, CFG_*. */
export async function namedUsed(
  { store, collections }: Lists,
  reference: string,
  command: CommandName,
): Promise<UsedServer> {
  if (collectionNamed(reference) === undefined) return await findIntegration(store, reference);
  const server = (await store.list()).find(({ name }) => name === reference);
  if (server && !(await collections.list()).some((each) => collectionReference(each) === reference)) return server;
  return asUsedServer(await namedCollection(collections, reference, command));
}

/** With or without the `+`. Errors: USAGE, CFG_*. */
export async function namedCollection(
  collections: Pick<Collections, 'list'>,
  reference: string,
  command: CommandName,
): Promise<Collection> {
  const name = collectionName(reference, command);
  const all = await collections.list();
  const found = all.find((each) => each.name === name);
  if (!found)
    throw new UsageError(
      `There is no collection “${printableLine(name, 40)}”.${didYouMean(
        name,
        all.map((each) => each.name),
      )} “postern collection” lists them.`,
      command,
    );
  return found;
}

/** Errors: USAGE for what can be none. */
export function collectionName(reference: string, command: CommandName): string {
  const name = collectionNamed(reference) ?? reference;
  if (collectionNameProblem(name) === 'letters')
    throw new UsageError('A collection’s name has small letters, digits and hyphens, at most 24 of them.', command);
  return name;
}
