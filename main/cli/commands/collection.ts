import { collectionUndoSeconds } from '../../../shared/bounds.ts';
import type { Collection } from '../../../shared/collection.ts';
import { collectionNameProblem, collectionReference, titleOf } from '../../../shared/entry-name.ts';
import type { Integration } from '../../../shared/integration.ts';
import type { ProgramRecord } from '../../../shared/program-record.ts';
import { displayText } from '../../address/display-text.ts';
import { programName } from '../../apps/records/program-records.ts';
import { AmbiguousReference } from '../../closest-word.ts';
import { findIntegration } from '../../engine/kept/find-integration.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { EndedStatus } from '../../kept-status.ts';
import { removeCollection, saveCollection } from '../../operations/collections.ts';
import { beginCollectionRemoval } from '../../operations/undo.ts';
import { terminalSurface } from '../asking/terminal-user.ts';
import type { CommandContext } from '../command-context.ts';
import { endedIn } from '../opening/open-command-profile.ts';
import { hasOption, UsageError } from '../options/parse-arguments.ts';
import { describeRestingState } from '../output/describe-integration.ts';
import type { Answer } from '../output/output.ts';
import { removalScope } from '../programs/confirm-changes.ts';
import { collectionName, namedCollection } from '../programs/named-program.ts';
import { openCommandPrograms } from '../programs/open-command-programs.ts';
import type { CommandPrograms } from '../programs/open-command-programs.ts';
import { alignColumns, printableLine } from '../text.ts';

interface Known {
  readonly integrations: readonly Integration[];
  readonly records: readonly ProgramRecord[];
  readonly ended: ReadonlyMap<string, EndedStatus>;
}

/**
 * `postern collection [NAME] [ID…]`: lists or shows them, or sets the servers of one. Errors: NOT_FOUND,
 * COLLECTIONS_FULL, USAGE, CFG_*.
 */
export async function collection(context: CommandContext): Promise<Answer> {
  const { args, output } = context;
  const [word, ...references] = args.positionals;
  const opened = await openCommandPrograms(context);
  const { engine, store, collections } = opened;
  const isRemoved = hasOption(args, 'remove');
  const known = async (): Promise<Known> => {
    const integrations = await store.list();
    const ended = integrations.some(({ command }) => command)
      ? await endedIn(engine.profileFolder)
      : new Map<string, never>();
    return { integrations, records: await engine.records.list(), ended };
  };
  if (word === undefined) {
    if (isRemoved) throw new UsageError('--remove goes with the NAME of a collection.', 'collection');
    const all = await collections.list();
    if (all.length === 0)
      output.say(output.advise('There is no collection yet. Make one with: postern collection NAME ID ID'));
    return listAll(all, await known());
  }
  if (isRemoved) {
    if (references.length > 0) throw new UsageError('--remove takes no ID.', 'collection');
    return await remove(context, opened, await namedCollection(collections, word, 'collection'));
  }
  const name = collectionName(word, 'collection');
  if (references.length === 0) return show(await namedCollection(collections, word, 'collection'), await known());
  const members = await Promise.all(references.map((reference) => findMember(store, reference)));
  const before = (await collections.list()).find((each) => each.name === name);
  // One that is there already is reached by `+-name`.
  if (!before && collectionNameProblem(name) === 'hyphen')
    throw new UsageError('A collection’s name begins with a letter or a digit.', 'collection');
  const ids = members.map(({ id }) => id);
  const wanted = before ? { id: collectionReference(before), members: ids } : { name, members: ids };
  const put = await saveCollection({ ...terminalSurface(context), ports: { store }, collections }, wanted);
  const after = await known();
  const added = put.members.filter((id) => before?.members.includes(id) !== true);
  const gone = before?.members.filter((id) => !put.members.includes(id)) ?? [];
  const fields = { collection: fieldsOf(put, after), added, gone };
  return { fields, text: output.advise(describePut(put, before, after, { added, gone })) };
}

/** One of several that were named, so an error says which. Errors: NOT_FOUND. */
async function findMember(store: CommandPrograms['store'], reference: string): Promise<Integration> {
  try {
    return await findIntegration(store, reference);
  } catch (error) {
    // An address may hold a key.
    if (!(error instanceof PosternError) || error instanceof AmbiguousReference || reference.includes('/')) throw error;
    throw error.with({ detail: { reference: displayText(reference) } });
  }
}

async function remove(
  context: CommandContext,
  { engine, store, collections }: CommandPrograms,
  removed: Collection,
): Promise<Answer> {
  let batch = '';
  const removeFor = async (gone: Collection, changes: readonly string[]): Promise<void> => {
    batch = await beginCollectionRemoval({ ports: engine, collections }, gone, changes);
  };
  const entries = { ports: { store }, collections, programs: engine, openPrograms: async () => engine };
  const scope = { ...terminalSurface(context), ...removalScope(context, entries), removeFor };
  await removeCollection(scope, { id: collectionReference(removed) });
  const sentences = [
    `Removed the collection “${printableLine(titleOf(removed))}”.`,
    'Its servers stay connected.',
    `To take it back within ${collectionUndoSeconds / 60} minutes: postern undo ${batch}`,
  ];
  return {
    fields: { removed: { name: removed.name, title: titleOf(removed) }, undo: batch },
    text: context.output.advise(sentences.join(' ')),
  };
}

function membersOf({ members }: Collection, { integrations }: Known): readonly Integration[] {
  return members.flatMap((id) => integrations.find((each) => each.id === id) ?? []);
}

function usersOf(shown: Collection, { records }: Known): readonly { readonly id: string; readonly name: string }[] {
  const reference = collectionReference(shown);
  const users = records.filter(
    ({ integrations, waiting = [], revokedAt }) =>
      revokedAt === undefined && integrations.includes(reference) && !waiting.includes(reference),
  );
  return [...new Set(users.map(({ program }) => program))].map((id) => ({ id, name: programName(id, records) ?? id }));
}

function fieldsOf(shown: Collection, known: Known) {
  return {
    name: shown.name,
    title: titleOf(shown),
    members: membersOf(shown, known).map(({ id, name, alias }) => ({ id, name, alias: alias ?? null })),
    programs: usersOf(shown, known).map(({ id }) => id),
  };
}

function listAll(all: readonly Collection[], known: Known): Answer {
  const rows = all.map((each) => [
    each.name,
    printableLine(titleOf(each), 40),
    namesOf(membersOf(each, known)) || '–',
    usersOf(each, known)
      .map(({ name }) => printableLine(name))
      .join(', ') || '–',
  ]);
  return {
    fields: { collections: all.map((each) => fieldsOf(each, known)) },
    text: rows.length === 0 ? undefined : alignColumns([['NAME', 'TITLE', 'SERVERS', 'USED BY'], ...rows]),
  };
}

function show(shown: Collection, known: Known): Answer {
  const members = membersOf(shown, known);
  const rows = members.map((each) => [
    printableLine(each.name),
    describeRestingState(each, Date.now(), known.ended.get(each.id)),
  ]);
  const users = usersOf(shown, known).map(({ name }) => printableLine(name));
  return {
    fields: { collection: fieldsOf(shown, known) },
    text: [
      `${printableLine(titleOf(shown))} (${collectionReference(shown)})`,
      `Used by  ${users.length === 0 ? 'no program yet' : users.join(', ')}`,
      '',
      rows.length === 0 ? 'It has no servers.' : alignColumns([['SERVER', 'STATUS'], ...rows]),
    ].join('\n'),
  };
}

function describePut(
  put: Collection,
  before: Collection | undefined,
  known: Known,
  { added, gone }: { readonly added: readonly string[]; readonly gone: readonly string[] },
): string {
  const quoted = `“${printableLine(titleOf(put))}”`;
  const all = `${namesOf(membersOf(put, known))}.`;
  if (!before)
    return `Made the collection ${quoted}: ${all} Let programs use it with: postern use ${collectionReference(put)} PROGRAM`;
  const named = (ids: readonly string[]): string => namesOf(membersOf({ ...put, members: [...ids] }, known));
  const changes = [
    ...(named(added) === '' ? [] : [`Added ${named(added)}.`]),
    ...(named(gone) === '' ? [] : [`Took out ${named(gone)}.`]),
  ];
  return [`The collection ${quoted} has now: ${all}`, ...changes].join(' ');
}

function namesOf(servers: readonly Integration[]): string {
  return servers.map(({ name }) => printableLine(name)).join(', ');
}
