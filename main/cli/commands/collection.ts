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
import { describeStatus } from '../output/describe-integration.ts';
import type { CommandResult } from '../output/output.ts';
import { removalScope } from '../apps/confirm-changes.ts';
import { parseCollectionName, resolveCollection } from '../apps/resolve-references.ts';
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
  const readData = async (): Promise<CollectionData> => {
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
    return listAll(all, await readData());
  }
  if (isRemoved) {
    if (references.length > 0) throw new UsageError('--remove takes only a NAME.', 'collection');
    return await remove(context, opened, await resolveCollection(collections, word, 'collection'));
  }
  const name = parseCollectionName(word, 'collection');
  if (references.length === 0) return show(await resolveCollection(collections, word, 'collection'), await readData());
  const members = await Promise.all(references.map((reference) => findMember(store, reference)));
  const before = (await collections.list()).find((each) => each.name === name);
  // An existing one may start with a hyphen.
  if (!before && collectionNameProblem(name) === 'hyphen')
    throw new UsageError('A collection name must start with a letter or a digit.', 'collection');
  const ids = members.map(({ id }) => id);
  const change = before ? { id: collectionReference(before), members: ids } : { name, members: ids };
  const saved = await saveCollection({ ...terminalSurface(context), ports: { store }, collections }, change);
  const after = await readData();
  const added = saved.members.filter((id) => before?.members.includes(id) !== true);
  const gone = before?.members.filter((id) => !saved.members.includes(id)) ?? [];
  const fields = { collection: fieldsOf(saved, after), added, gone };
  return { fields, text: output.advise(describeSaved(saved, before, after, { added, gone })) };
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

function appsUsing(
  item: Collection,
  { records }: CollectionData,
): readonly { readonly id: string; readonly name: string }[] {
  const reference = collectionReference(item);
  const apps = records.filter(
    ({ integrations, waiting = [], revokedAt }) =>
      revokedAt === undefined && integrations.includes(reference) && !waiting.includes(reference),
  );
  return [...new Set(apps.map(({ app }) => app))].map((id) => ({ id, name: appName(id, records) ?? id }));
}

function fieldsOf(item: Collection, data: CollectionData) {
  return {
    name: item.name,
    title: titleOf(item),
    members: membersOf(item, data).map(({ id, name, alias }) => ({ id, name, alias: alias ?? null })),
    apps: appsUsing(item, data).map(({ id }) => id),
  };
}

function listAll(all: readonly Collection[], data: CollectionData): CommandResult {
  const rows = all.map((each) => [
    each.name,
    printableLine(titleOf(each), 40),
    namesOf(membersOf(each, data)) || '–',
    appsUsing(each, data)
      .map(({ name }) => printableLine(name))
      .join(', ') || '–',
  ]);
  return {
    fields: { collections: all.map((each) => fieldsOf(each, data)) },
    text: rows.length === 0 ? undefined : alignColumns([['NAME', 'TITLE', 'SERVERS', 'USED BY'], ...rows]),
  };
}

function show(item: Collection, data: CollectionData): CommandResult {
  const members = membersOf(item, data);
  const rows = members.map((each) => [
    printableLine(each.name),
    describeStatus(each, Date.now(), data.ended.get(each.id)),
  ]);
  const apps = appsUsing(item, data).map(({ name }) => printableLine(name));
  return {
    fields: { collection: fieldsOf(item, data) },
    text: [
      `${printableLine(titleOf(item))} (${collectionReference(item)})`,
      `Used by  ${apps.length === 0 ? 'no app yet' : apps.join(', ')}`,
      '',
      rows.length === 0 ? 'It has no servers.' : alignColumns([['SERVER', 'STATUS'], ...rows]),
    ].join('\n'),
  };
}

function describeSaved(
  saved: Collection,
  before: Collection | undefined,
  data: CollectionData,
  { added, gone }: { readonly added: readonly string[]; readonly gone: readonly string[] },
): string {
  const quoted = `“${printableLine(titleOf(saved))}”`;
  const all = `${namesOf(membersOf(saved, data))}.`;
  if (!before)
    return `Created the collection ${quoted}: ${all} Let AI apps use it with: postern use ${collectionReference(saved)} APP`;
  const namesOfIds = (ids: readonly string[]): string => namesOf(membersOf({ ...saved, members: [...ids] }, data));
  const changes = [
    ...(namesOfIds(added) === '' ? [] : [`Added ${namesOfIds(added)}.`]),
    ...(namesOfIds(gone) === '' ? [] : [`Removed ${namesOfIds(gone)}.`]),
  ];
  return [`The collection ${quoted} now has: ${all}`, ...changes].join(' ');
}

function namesOf(servers: readonly Integration[]): string {
  return servers.map(({ name }) => printableLine(name)).join(', ');
}
