import { createHmac } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { AppRecord } from '../../shared/app-record.ts';
import type { AppChange } from '../../shared/app-view.ts';
import { levelOf, withLevel } from '../../shared/tool-permissions.ts';
import { PosternError } from '../errors/postern-error.ts';
import type { Random } from '../ports.ts';
import { readEntry, readLocalAddress } from './entry/read-entry.ts';
import { readContent } from './list/edit-file.ts';
import { entryNamed } from './list/entry-list.ts';
import { hashOf, linesToPaste, withLines } from './plan/plan-edits.ts';
import { readAppFile, revertRules } from './plan/planned-change.ts';
import type { PlannedChange } from './plan/planned-change.ts';
import { newId } from './app-dependencies.ts';
import type { AppDependencies } from './app-dependencies.ts';
import { accessChange, updateWaitingMarks } from './records/app-records.ts';
import type { AccessChange } from './records/app-records.ts';
import { folderOf } from './table/app.ts';

type ChangeAction = AppChange['action'] | 'paste';

export function actionOf({ method, before, after }: PlannedChange): ChangeAction {
  if (method !== 'file') return method;
  if (before === undefined) return 'created';
  return after === undefined ? 'deleted' : 'updated';
}

/** True if the change would leave the configuration unchanged. */
export function isEmpty({ method, before, after, edits, isPasted = false }: PlannedChange): boolean {
  return edits.length === 0 || (method === 'file' && before === after) || (method === 'paste' && isPasted);
}

/** The app can use a server only after the user has pasted its lines. */
export function awaitsPaste({ method, servers = [] }: PlannedChange): boolean {
  return method === 'paste' && servers.some(({ hasEntry }) => !hasEntry);
}

export interface AppliedChange {
  /** ID of the logged change; absent if nothing had to be written. */
  readonly id?: string;
  /** Path of the copy of the previous content. */
  readonly backup?: string;
  /** Set even if no file was written. */
  readonly access?: AccessChange | undefined;
}

/** How to plan again what the user has reviewed. */
export interface ReviewedChange {
  readonly plan: () => Promise<PlannedChange>;
  /** Fills in the secret, which was not shown. */
  readonly complete?: (planned: PlannedChange) => Promise<PlannedChange>;
  /** Absent if the change was not shown. */
  readonly isAsShown?: (planned: PlannedChange) => boolean;
}

/**
 * Plans again under the lock, since the file, the server list and the app records may have changed since the review.
 * Errors: APP_FILE_CHANGED if the plan is no longer what was shown, APP_FILE_DENIED, APP_COMMAND_FAILED, CFG_*, those of `plan`.
 */
export async function applyReviewed(
  engine: AppDependencies,
  { plan, complete, isAsShown }: ReviewedChange,
): Promise<AppliedChange & { readonly planned: PlannedChange }> {
  return await engine.locks.hold('apps', async () => {
    const planned = await plan();
    const changed = { stage: 'apps', detail: { file: planned.file.path } } as const;
    if (isAsShown?.(planned) === false) throw new PosternError('APP_FILE_CHANGED', changed);
    const whole = complete ? await complete(planned) : planned;
    return { planned: whole, ...(await applyUnderLock(engine, whole)) };
  });
}

/**
 * Order: the app record (an entry is useless without it), the tool rules (no call may get in before them), a backup,
 * then the file or the app's own command. On an error, records and rules are rolled back.
 */
async function applyUnderLock(engine: AppDependencies, planned: PlannedChange): Promise<AppliedChange> {
  const records = await engine.records.list();
  const changed = await engine.records.change((known) =>
    updateWaitingMarks(planned.records(known), planned, planned.method === 'paste'),
  );
  const access = accessChange(records, changed, planned.app);
  const ruleChanges = await changeRules(engine, planned);
  if (isEmpty(planned) || planned.method === 'paste') return { access };
  const written = await writeChange(engine, planned, ruleChanges).catch(async (error: unknown) => {
    // Only this app's records: every other change to them waits for the same lock.
    const belongsToOtherApp = ({ app }: AppRecord): boolean => app !== planned.app.id;
    await engine.records.change((current) => [
      ...current.filter(belongsToOtherApp),
      ...records.filter((each) => !belongsToOtherApp(each)),
    ]);
    await changeRules(engine, { app: planned.app, rules: revertRules(ruleChanges) });
    throw error;
  });
  // The user has consented, and pasted lines are useless without the record.
  if (written.kind === 'paste') {
    await engine.records.change((known) => updateWaitingMarks(known, planned, true));
    throw written.error;
  }
  return { ...written.change, access };
}

type RuleChanges = NonNullable<AppChange['rules']>;

/** In one write. Returns one item per changed server. Errors: CFG_*. */
async function changeRules(
  { servers }: Pick<AppDependencies, 'servers'>,
  { app, rules = [] }: Pick<PlannedChange, 'app' | 'rules'>,
): Promise<RuleChanges> {
  if (rules.length === 0) return [];
  const byServer = Map.groupBy(rules, ({ integration }) => integration);
  let ruleChanges: RuleChanges = [];
  await servers.changeList((list) => {
    ruleChanges = [];
    const integrations = list.integrations.map((integration) => {
      const own = byServer.get(integration.id);
      if (!own) return integration;
      const { permissions, ...others } = integration;
      const before = levelOf(permissions, app.id);
      const set = withLevel(
        permissions,
        app.id,
        own.reduce((level, { change }) => change(level), before),
      );
      const after = levelOf(set, app.id);
      if (isDeepStrictEqual(before, after)) return integration;
      ruleChanges.push({ integration: integration.id, before, after });
      return { ...others, ...(set && { permissions: set }) };
    });
    return { ...list, integrations };
  });
  return ruleChanges;
}

/** Nothing was written; `error` carries the lines for the user to paste. */
interface PasteRequired {
  readonly kind: 'paste';
  readonly error: PosternError;
}

async function writeChange(
  engine: AppDependencies,
  planned: PlannedChange,
  rules: RuleChanges,
): Promise<{ readonly kind: 'made'; readonly change: AppliedChange } | PasteRequired> {
  const { app, file, edits, method, made } = planned;
  const before = method === 'command' ? await readUnchanged(engine, planned) : planned.before;
  const at = engine.clock.now();
  const record = {
    id: newId(engine, 6),
    at,
    app: app.id,
    path: file.path,
    ...(file.project !== undefined && { project: file.project }),
    ...(file.editorProfile !== undefined && { editorProfile: file.editorProfile }),
    action: actionOf(planned) as AppChange['action'],
    names: edits.map(({ name }) => name),
    ...portOf(edits),
    ...(rules.length > 0 && !planned.restores && { rules }),
    made,
    ...(await topmostNewFolder(engine, planned)),
  };
  const changeWithHashes = (after: string | undefined): AppChange => ({ ...record, ...hashes(before, after) });
  const change = changeWithHashes(planned.after);
  const backup = await engine.backups.save(change, before);
  try {
    if (method === 'file')
      await engine.files.write(file, planned.before, planned.after, await createdFolder(engine, planned));
    else {
      const result = await runCommands(engine, planned);
      if (result.kind === 'paste') {
        await engine.backups.discard(change);
        return result;
      }
      await engine.backups.recordOutcome(changeWithHashes(result.after));
    }
  } catch (error) {
    await engine.backups.discard(change);
    throw error;
  }
  return { kind: 'made', change: { id: change.id, ...(backup !== undefined && { backup }) } };
}

/** Distinguishes our HTTP entries from those that point to another local server. */
function portOf(edits: PlannedChange['edits']): Pick<AppChange, 'port'> {
  const [port] = edits.flatMap(({ entry }) => readLocalAddress(readEntry(entry))?.port ?? []);
  return port === undefined ? {} : { port };
}

/** The topmost folder that must be created for the file, so that an undo can remove it. */
async function topmostNewFolder({ files }: AppDependencies, { file, before, after }: PlannedChange) {
  if (before !== undefined || after === undefined) return {};
  let topmost: string | undefined;
  for (let folder = folderOf(file.path); folder !== '' && !(await files.find(folder)); folder = folderOf(folder))
    topmost = folder;
  return topmost === undefined ? {} : { folder: topmost };
}

/** The folder that we created with the file; deleted together with it. */
async function createdFolder(
  { backups }: AppDependencies,
  { file, after }: PlannedChange,
): Promise<string | undefined> {
  if (after !== undefined) return undefined;
  return (await backups.list()).find(({ path, action }) => path === file.path && action === 'created')?.folder;
}

function hashes(before: string | undefined, after: string | undefined): Pick<AppChange, 'before' | 'after'> {
  const [beforeHash, afterHash] = [hashOf(before), hashOf(after)];
  return {
    ...(beforeHash !== undefined && { before: beforeHash }),
    ...(afterHash !== undefined && { after: afterHash }),
  };
}

/** A running app keeps writing its file, so only the edited entries must be unchanged. */
async function readUnchanged(engine: AppDependencies, { app, file, before, edits }: PlannedChange) {
  const { text, content } = await readAppFile(engine, app, file);
  const old = readContent(app, file.path, before);
  const isSame = edits.every(({ name }) => isDeepStrictEqual(entryNamed(content, name), entryNamed(old, name)));
  if (!isSame) throw new PosternError('APP_FILE_CHANGED', { stage: 'apps', detail: { file: file.path } });
  return text;
}

/** Returns the new file text, or lines to paste. Errors: APP_COMMAND_FAILED if there is neither. */
async function runCommands(
  engine: AppDependencies,
  planned: PlannedChange,
): Promise<{ readonly kind: 'done'; readonly after: string | undefined } | PasteRequired> {
  const { app, file, edits, commands } = planned;
  const failed = (): PasteRequired => {
    const detail = { app: app.name };
    const error = new PosternError('APP_COMMAND_FAILED', { stage: 'apps', detail });
    if (linesToPaste(planned) === undefined) throw error;
    return { kind: 'paste', error: withLines(error, planned) };
  };
  for (const { command, args } of commands) if (!(await engine.files.run(command, args))) return failed();
  const { text, content } = await readAppFile(engine, app, file);
  const isDone = edits.every(({ name, entry }) => (entryNamed(content, name) === undefined) === (entry === undefined));
  return isDone ? { kind: 'done', after: text } : failed();
}

/** Equal for two plans that look the same to the user. Hex; reveals nothing about the file. */
export type ChangeFingerprint = (planned: PlannedChange) => string;

/** HMAC-SHA-256, with a key of this process, over path, current content and new content. */
export function createChangeFingerprint(random: Random): ChangeFingerprint {
  const key = random.bytes(32);
  return (planned) =>
    createHmac('sha256', key)
      .update(JSON.stringify(factsOf(planned), stringifyBigInt))
      .digest('hex');
}

function factsOf({ app, file, method, edits, before, after, commands }: PlannedChange): readonly unknown[] {
  const facts = [app.id, file.path, file.project ?? null, method, edits];
  if (method === 'file') return [...facts, before ?? null, after ?? null];
  // Content is left out: the user may have pasted the lines by now.
  if (method === 'paste') return facts;
  // A running app keeps writing its file, so only the edited entries count.
  const content = readContent(app, file.path, before);
  return [...facts, edits.map(({ name }) => entryNamed(content, name) ?? null), commands];
}

/** TOML has 64-bit integers, which JSON lacks. */
function stringifyBigInt(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
