import { collectionUndoSeconds } from '../../../shared/bounds.ts';
import type { Collection } from '../../../shared/collection.ts';
import { collectionNameProblem, collectionReference, titleOf } from '../../../shared/entry-name.ts';
import type { Integration } from '../../../shared/integration.ts';
import type { AppRecord } from '../../../shared/app-record.ts';
import { displayText } from '../../address/display-text.ts';
import { appName } from '../../apps/records/app-records.ts';
import { AmbiguousReference } from '../../closest-word.ts';
import { findIntegration } from '../../engine/records/find-integration.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { EndedStatus } from '../../stored-status.ts';
import { removeCollection, saveCollection } from '../../operations/collections.ts';
import { beginCollectionRemoval } from '../../operations/undo.ts';
import { terminalSurface } from '../interaction/terminal-user.ts';
import type { CommandContext } from '../command-context.ts';
import { readEndedStatuses } from '../opening/open-command-profile.ts';
import { hasOption, UsageError } from '../options/parse-arguments.ts';
import { describeRestingState } from '../output/describe-integration.ts';
import type { CommandResult } from '../output/output.ts';
import { removalScope } from '../apps/confirm-changes.ts';
import { collectionName, namedCollection } from '../apps/named-app.ts';
import { openCommandApps } from '../apps/open-command-apps.ts';
import type { CommandApps } from '../apps/open-command-apps.ts';
import { alignColumns, printableLine } from '../text.ts';

interface CollectionData {
  readonly integrations: readonly Integration[];
  readonly records: readonly AppRecord[];
  readonly ended: ReadonlyMap<string, EndedStatus>;
}

/**
 * `postern collection [NAME] [ID…]`: lists or shows collections, or sets the servers of one. Errors: NOT_FOUND,
 * COLLECTIONS_FULL, USAGE, CFG_*.
 */
export async function collection(context: CommandContext): Promise<CommandResult> {
  const { args, output } = context;
  const [word, ...references] = args.positionals;
  const opened = await openCommandApps(context);
  const { engine, store, collections } = opened;
  const isRemoved = hasOption(args, 'remove');
  const known = async (): Promise<CollectionData> => {
    const integrations = await store.list();
    const ended = integrations.some(({ command }) => command)
      ? await readEndedStatuses(engine.profileFolder)
      : new Map<string, never>();
    return { integrations, records: await engine.records.list(), ended };
  };
  if (word === undefined) {
    if (isRemoved) throw new UsageError('--remove needs the NAME of a collection.', 'collection');
    const all = await collections.list();
    if (all.length === 0)
      output.info(output.advise('There are no collections yet. Create one with: postern collection NAME ID ID'));
    return listAll(all, await known());
  }
  if (isRemoved) {
    if (references.length > 0) throw new UsageError('--remove takes only a NAME.', 'collection');
    return await remove(context, opened, await namedCollection(collections, word, 'collection'));
  }
  const name = collectionName(word, 'collection');
  if (references.length === 0) return show(await namedCollection(collections, word, 'collection'), await known());
  const members = await Promise.all(references.map((reference) => findMember(store, reference)));
  const before = (await collections.list()).find((each) => each.name === name);
  // An existing one may start with a hyphen.
  if (!before && collectionNameProblem(name) === 'hyphen')
    throw new UsageError('A collection name must start with a letter or a digit.', 'collection');
  const ids = members.map(({ id }) => id);
  const wanted = before ? { id: collectionReference(before), members: ids } : { name, members: ids };
  const put = await saveCollection({ ...terminalSurface(context), ports: { store }, collections }, wanted);
  const after = await known();
  const added = put.members.filter((id) => before?.members.includes(id) !== true);
  const gone = before?.members.filter((id) => !put.members.includes(id)) ?? [];
  const fields = { collection: fieldsOf(put, after), added, gone };
  return { fields, text: output.advise(describeSaved(put, before, after, { added, gone })) };
}

/** Finds a member; the error says which reference failed. Errors: NOT_FOUND. */
async function findMember(store: CommandApps['store'], reference: string): Promise<Integration> {
  try {
    return await findIntegration(store, reference);
  } catch (error) {
    // An address may contain an API key.
    if (!(error instanceof PosternError) || error instanceof AmbiguousReference || reference.includes('/')) throw error;
    throw error.with({ detail: { reference: displayText(reference) } });
  }
}

async function remove(
  context: CommandContext,
  { engine, store, collections }: CommandApps,
  removed: Collection,
): Promise<CommandResult> {
  let batch = '';
  const removeFor = async (gone: Collection, changes: readonly string[]): Promise<void> => {
    batch = await beginCollectionRemoval({ ports: engine, collections }, gone, changes);
  };
  const entries = { ports: { store }, collections, apps: engine, openApps: async () => engine };
  const scope = { ...terminalSurface(context), ...removalScope(context, entries), removeFor };
  await removeCollection(scope, { id: collectionReference(removed) });
  const sentences = [
    `Removed the collection “${printableLine(titleOf(removed))}”.`,
    'Its servers stay connected.',
    `To undo within ${collectionUndoSeconds / 60} minutes: postern undo ${batch}`,
  ];
  return {
    fields: { removed: { name: removed.name, title: titleOf(removed) }, undo: batch },
    text: context.output.advise(sentences.join(' ')),
  };
}

function membersOf({ members }: Collection, { integrations }: CollectionData): readonly Integration[] {
  return members.flatMap((id) => integrations.find((each) => each.id === id) ?? []);
}

function usersOf(
  shown: Collection,
  { records }: CollectionData,
): readonly { readonly id: string; readonly name: string }[] {
  const reference = collectionReference(shown);
  const users = records.filter(
    ({ integrations, waiting = [], revokedAt }) =>
      revokedAt === undefined && integrations.includes(reference) && !waiting.includes(reference),
  );
  return [...new Set(users.map(({ app }) => app))].map((id) => ({ id, name: appName(id, records) ?? id }));
}

function fieldsOf(shown: Collection, known: CollectionData) {
  return {
    name: shown.name,
    title: titleOf(shown),
    members: membersOf(shown, known).map(({ id, name, alias }) => ({ id, name, alias: alias ?? null })),
    apps: usersOf(shown, known).map(({ id }) => id),
  };
}

function listAll(all: readonly Collection[], known: CollectionData): CommandResult {
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

function show(shown: Collection, known: CollectionData): CommandResult {
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
      `Used by  ${users.length === 0 ? 'no app yet' : users.join(', ')}`,
      '',
      rows.length === 0 ? 'It has no servers.' : alignColumns([['SERVER', 'STATUS'], ...rows]),
    ].join('\n'),
  };
}

function describeSaved(
  put: Collection,
  before: Collection | undefined,
  known: CollectionData,
  { added, gone }: { readonly added: readonly string[]; readonly gone: readonly string[] },
): string {
  const quoted = `“${printableLine(titleOf(put))}”`;
  const all = `${namesOf(membersOf(put, known))}.`;
  if (!before)
    return `Created the collection ${quoted}: ${all} Let AI apps use it with: postern use ${collectionReference(put)} APP`;
  const named = (ids: readonly string[]): string => namesOf(membersOf({ ...put, members: [...ids] }, known));
  const changes = [
    ...(named(added) === '' ? [] : [`Added ${named(added)}.`]),
    ...(named(gone) === '' ? [] : [`Removed ${named(gone)}.`]),
  ];
  return [`The collection ${quoted} now has: ${all}`, ...changes].join(' ');
}

function namesOf(servers: readonly Integration[]): string {
  return servers.map(({ name }) => printableLine(name)).join(', ');
}
