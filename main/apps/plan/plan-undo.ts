import { advise } from '../../../shared/error-catalog/catalog-entry.ts';
import type { AppRecord } from '../../../shared/app-record.ts';
import type { AppChange } from '../../../shared/app-view.ts';
import type { Remedy } from '../../../shared/remedy.ts';
import { displayText } from '../../address/display-text.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { findTarget, ourEntries } from '../entry/our-entries.ts';
import type { OurEntry } from '../entry/our-entries.ts';
import { readContent } from '../list/edit-file.ts';
import type { Edit } from '../list/edit-file.ts';
import { entryNamed } from '../list/entry-list.ts';
import type { Entry } from '../list/entry-list.ts';
import { newId } from '../app-dependencies.ts';
import type { AppDependencies, EntryTarget } from '../app-dependencies.ts';
import { recordOf, withoutAccess, withAccess } from '../records/app-records.ts';
import type { App } from '../table/app.ts';
import { fileOf, serversInOtherFiles } from './entry-files.ts';
import { hashOf, planEdits } from './plan-edits.ts';
import { readAppFile, revertRules, showChange } from './planned-change.ts';
import type { PlannedChange } from './planned-change.ts';

/**
 * Undoes a change: byte for byte if the file is untouched since, otherwise only its entries.
 * Errors: UNDO_STALE if neither is safe, APP_FILE_*.
 */
export async function planUndo(
  engine: AppDependencies,
  app: App,
  change: AppChange,
  integrations: readonly EntryTarget[],
): Promise<PlannedChange> {
  const file = fileOf(change);
  if (change.undoneAt !== undefined) throw stale(change, 'undone');
  const before = await engine.backups.before(change);
  if (hashOf(before) !== change.before) throw stale(change, 'no-copy');
  const { text, content } = await readAppFile(engine, app, file);
  const old = readContent(app, change.path, before);
  const rules = revertRules(change.rules ?? []);
  const edits = change.names.map((name): Edit => ({ name, entry: entryNamed(old, name) as Entry | undefined }));
  const restores = edits.some(({ entry }) => entry !== undefined);
  const inOtherFiles = await serversInOtherFiles(engine, app, change.path);
  const ours = {
    now: await ourEntries(engine, change.path, content),
    before: await ourEntries(engine, change.path, old),
    elsewhere: inOtherFiles,
  };
  const records = (known: readonly AppRecord[]): readonly AppRecord[] =>
    restoreAccess(known, { engine, app, change, ours, integrations });
  if (change.action !== 'command' && hashOf(text) === change.after) {
    const shown = showChange({ app, before: text, after: before, edits, restores }, content);
    return {
      app,
      file,
      method: 'file',
      edits,
      before: text,
      after: before,
      made: 'entry',
      commands: [],
      secret: 'none',
      isReadableByOthers: false,
      restores,
      shown,
      rules,
      records,
    };
  }
  const copy = before === undefined ? undefined : engine.backups.pathOf(change);
  const isGone = ({ name, entry }: Edit): boolean => entry === undefined && entryNamed(content, name) === undefined;
  const isForeign = ({ name }: Edit): boolean =>
    entryNamed(content, name) !== undefined && !ours.now.some((each) => each.name === name);
  if (edits.some(isForeign)) throw stale(change, 'changed', copy);
  if (edits.some(isGone)) throw stale(change, 'gone', copy);
  return await planEdits(engine, { app, file, edits, records, restores, rules });
}

/** `copy`: path of the backup. */
function stale(
  { path, names }: AppChange,
  reason: 'undone' | 'no-copy' | 'changed' | 'gone',
  copy?: string,
): PosternError {
  return new PosternError('UNDO_STALE', {
    stage: 'apps',
    detail: { file: path, reason, ...(names.length === 1 && { entry: displayText(names.join(''), 80) }) },
    remedy: staleRemedy(reason, copy),
  });
}

function staleRemedy(reason: 'undone' | 'no-copy' | 'changed' | 'gone', copy: string | undefined): Remedy {
  const isOver = reason === 'undone' || reason === 'gone';
  if (copy === undefined) return advise('fix-files', isOver ? 'nothingLeft' : 'editFile');
  return isOver
    ? advise('fix-files', 'nothingLeftWithCopy', { copy })
    : advise('fix-files', 'editFileWithCopy', {
        copy,
      });
}

interface RestoreContext {
  readonly engine: AppDependencies;
  readonly app: App;
  readonly change: AppChange;
  readonly ours: {
    readonly now: readonly OurEntry[];
    readonly before: readonly OurEntry[];
    /** Servers of entries in the app's other files. */
    readonly elsewhere: readonly string[];
  };
  readonly integrations: readonly EntryTarget[];
}

/** Revokes permission for entries that are removed, and restores it for those that come back. */
function restoreAccess(
  records: readonly AppRecord[],
  { engine, app, change, ours, integrations }: RestoreContext,
): readonly AppRecord[] {
  const isAffected = ({ name }: OurEntry): boolean => change.names.includes(name);
  const targetId = ({ server }: Pick<OurEntry, 'server'>): string => findTarget(integrations, server)?.id ?? server;
  const inOtherFiles = ours.elsewhere.map((server) => ({ server }));
  const here = [...ours.now.filter((entry) => !isAffected(entry)), ...ours.before.filter(isAffected)];
  const remaining = [...here, ...inOtherFiles].map(targetId);
  const revoked = ours.now
    .filter((entry) => isAffected(entry) && !remaining.includes(targetId(entry)))
    .reduce((known, entry) => withoutAccess(known, app, targetId(entry)), records);
  return ours.before
    .filter((entry) => isAffected(entry) && findTarget(integrations, entry.server) !== undefined)
    .reduce(
      (known, entry) =>
        withAccess(known, {
          id: entry.record ?? recordOf(known, app)?.id ?? newId(engine, 8),
          app,
          integration: targetId(entry),
          now: engine.clock.now(),
        }),
      revoked,
    );
}
