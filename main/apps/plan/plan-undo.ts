import { advise } from '../../../shared/error-catalogue/catalogue-entry.ts';
import type { ProgramRecord } from '../../../shared/program-record.ts';
import type { ProgramChange } from '../../../shared/program-view.ts';
import type { Remedy } from '../../../shared/remedy.ts';
import { displayText } from '../../address/display-text.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { findUsed, ourEntries } from '../entry/our-entries.ts';
import type { OurEntry } from '../entry/our-entries.ts';
import { readContent } from '../list/edit-file.ts';
import type { Edit } from '../list/edit-file.ts';
import { entryNamed } from '../list/entry-list.ts';
import type { Entry } from '../list/entry-list.ts';
import { newId } from '../program-engine.ts';
import type { ProgramEngine, UsedServer } from '../program-engine.ts';
import { recordOf, withoutUse, withUse } from '../records/program-records.ts';
import type { Program } from '../table/program.ts';
import { hashOf, planEdits } from './plan-edits.ts';
import { fileOf, serversElsewhere } from './plan-leaving.ts';
import { readFile, rulesBack, showChange } from './planned-change.ts';
import type { PlannedChange } from './planned-change.ts';

/**
 * What takes a change back: byte for byte while the file is what the change had left, else its entries alone.
 * Errors: UNDO_STALE where neither is safe, PROGRAM_FILE_*.
 */
export async function planUndo(
  engine: ProgramEngine,
  program: Program,
  change: ProgramChange,
  integrations: readonly UsedServer[],
): Promise<PlannedChange> {
  const file = fileOf(change);
  if (change.undoneAt !== undefined) throw stale(change, 'undone');
  const before = await engine.backups.before(change);
  if (hashOf(before) !== change.before) throw stale(change, 'no-copy');
  const { text, content } = await readFile(engine, program, file);
  const old = readContent(program, change.path, before);
  const rules = rulesBack(change.rules ?? []);
  const edits = change.names.map((name): Edit => ({ name, entry: entryNamed(old, name) as Entry | undefined }));
  const restores = edits.some(({ entry }) => entry !== undefined);
  const elsewhere = await serversElsewhere(engine, program, change.path);
  const ours = {
    now: await ourEntries(engine, change.path, content),
    before: await ourEntries(engine, change.path, old),
    elsewhere,
  };
  const records = (known: readonly ProgramRecord[]): readonly ProgramRecord[] =>
    restoreUses(known, { engine, program, change, ours, integrations });
  if (change.action !== 'command' && hashOf(text) === change.after) {
    const shown = showChange({ program, before: text, after: before, edits, restores }, content);
    return {
      program,
      file,
      way: 'file',
      edits,
      before: text,
      after: before,
      made: 'entry',
      commands: [],
      secret: 'none',
      isReadByOthers: false,
      restores,
      shown,
      rules,
      records,
    };
  }
  const copy = before === undefined ? undefined : engine.backups.placeOf(change);
  const isGone = ({ name, entry }: Edit): boolean => entry === undefined && entryNamed(content, name) === undefined;
  const isOthers = ({ name }: Edit): boolean =>
    entryNamed(content, name) !== undefined && !ours.now.some((each) => each.name === name);
  if (edits.some(isOthers)) throw stale(change, 'changed', copy);
  if (edits.some(isGone)) throw stale(change, 'gone', copy);
  return await planEdits(engine, { program, file, edits, records, restores, rules });
}

/** Why nothing is undone. `copy`: where what stood there before is kept. */
function stale(
  { path, names }: ProgramChange,
  reason: 'undone' | 'no-copy' | 'changed' | 'gone',
  copy?: string,
): PosternError {
  return new PosternError('UNDO_STALE', {
    stage: 'programs',
    detail: { file: path, reason, ...(names.length === 1 && { entry: displayText(names.join(''), 80) }) },
    remedy: afterStale(reason, copy),
  });
}

function afterStale(reason: 'undone' | 'no-copy' | 'changed' | 'gone', copy: string | undefined): Remedy {
  const isOver = reason === 'undone' || reason === 'gone';
  if (copy === undefined) return advise('mend-files', isOver ? 'nothingLeft' : 'changeByHand');
  return isOver
    ? advise('mend-files', 'nothingLeftWithCopy', { copy })
    : advise('mend-files', 'changeByHandWithCopy', {
        copy,
      });
}

interface Restored {
  readonly engine: ProgramEngine;
  readonly program: Program;
  readonly change: ProgramChange;
  readonly ours: {
    readonly now: readonly OurEntry[];
    readonly before: readonly OurEntry[];
    /** What entries in other files of the program lead to. */
    readonly elsewhere: readonly string[];
  };
  readonly integrations: readonly UsedServer[];
}

/** Permissions go with the entries that go, and come with those that come back. */
function restoreUses(
  records: readonly ProgramRecord[],
  { engine, program, change, ours, integrations }: Restored,
): readonly ProgramRecord[] {
  const concerned = ({ name }: OurEntry): boolean => change.names.includes(name);
  const used = ({ server }: Pick<OurEntry, 'server'>): string => findUsed(integrations, server)?.id ?? server;
  const elsewhere = ours.elsewhere.map((server) => ({ server }));
  const here = [...ours.now.filter((entry) => !concerned(entry)), ...ours.before.filter(concerned)];
  const left = [...here, ...elsewhere].map(used);
  const without = ours.now
    .filter((entry) => concerned(entry) && !left.includes(used(entry)))
    .reduce((known, entry) => withoutUse(known, program, used(entry)), records);
  return ours.before
    .filter((entry) => concerned(entry) && findUsed(integrations, entry.server) !== undefined)
    .reduce(
      (known, entry) =>
        withUse(known, {
          id: entry.record ?? recordOf(known, program)?.id ?? newId(engine, 8),
          program,
          integration: used(entry),
          now: engine.clock.now(),
        }),
      without,
    );
}
