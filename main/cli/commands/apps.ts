import { collectionNameIn } from '../../../shared/entry-name.ts';
import type { Integration } from '../../../shared/integration.ts';
import type { Settings } from '../../../shared/settings.ts';
import type { DescribedEntry } from '../../apps/entry/our-entries.ts';
import { recordEntries } from '../../apps/inspect/check-entries.ts';
import { inspectApp, changeMethod } from '../../apps/inspect/inspect-app.ts';
import type { ChangeMethod } from '../../apps/plan/planned-change.ts';
import type { EntryTarget } from '../../apps/app-dependencies.ts';
import type { App } from '../../apps/table/app.ts';
import { PosternError, toPlainError } from '../../errors/postern-error.ts';
import { listApps, pauseApp, UnknownApp } from '../../operations/apps.ts';
import type { ListedApp } from '../../operations/apps.ts';
import { listEntryTargets } from '../../operations/operation.ts';
import { terminalSurface } from '../interaction/terminal-user.ts';
import type { CommandContext } from '../command-context.ts';
import { hasOption, UsageError } from '../options/parse-arguments.ts';
import { describeMoment } from '../output/describe-integration.ts';
import type { CommandResult } from '../output/output.ts';
import { quoteForShell } from '../output/write-command.ts';
import { resolveApp } from '../apps/resolve-references.ts';
import { openCommandApps } from '../apps/open-command-apps.ts';
import type { CommandApps } from '../apps/open-command-apps.ts';
import { alignColumns, printableLine } from '../text.ts';

const allPaused = 'All AI apps are paused. Resume them with `postern settings appsPaused false`.';

/**
 * `postern apps [APP]`: lists AI apps, or shows the configuration of one; `--resume` resumes it. Errors: USAGE,
 * APP_NOT_FOUND, CFG_*.
 */
export async function apps(context: CommandContext): Promise<CommandResult> {
  const [word] = context.args.positionals;
  const opened = await openCommandApps(context);
  const { engine, store, collections } = opened;
  const requested = word === undefined ? undefined : await resolveApp(word, engine.records);
  if (hasOption(context.args, 'resume')) return await resume(context, opened, requested);
  const settings = await store.settings();
  const scope = { ports: { store }, apps: engine };
  const describe = async (app: ListedApp): Promise<AppDetails> => ({
    entries: [],
    profiles: [],
    ...app,
    way: await changeMethod(engine, app),
    paused: settings.appsPaused === true || app.isPaused,
  });
  const check = async (): Promise<readonly EntryTarget[]> => {
    const targets = await listEntryTargets({ ...scope, collections });
    await recordEntries(engine, targets);
    return targets;
  };
  if (requested) {
    const integrations = await check();
    const [app] = await listApps(scope, [requested]);
    if (!app) throw new UnknownApp(requested.id);
    const inspected = { ...(await describe(app)), ...(await inspectApp(engine, app, integrations)) };
    return {
      fields: { apps: [fieldsOf(inspected)] },
      text: [
        describeConfiguration(inspected, integrations),
        ...[...describeWaiting(inspected, integrations), ...describePaused(requested, settings)].map(
          context.output.advise,
        ),
      ].join('\n'),
    };
  }
  // The list is shown even if what is found cannot be recorded.
  await check().catch((error: unknown) => {
    if (!(error instanceof PosternError)) throw error;
  });
  const all = await Promise.all((await listApps(scope)).map(describe));
  return { fields: { apps: all.map(fieldsOf) }, text: describeAll(all) };
}

interface AppDetails extends ListedApp, Pick<AppInspection, 'entries' | 'profiles'> {
  readonly way: ChangeMethod;
  /** True if this app, or all apps, are paused. */
  readonly paused: boolean;
}

type AppInspection = Awaited<ReturnType<typeof inspectApp>>;

/** Resumes only this app. Other apps stay paused. */
async function resume(
  context: CommandContext,
  { engine, store }: CommandApps,
  app: App | undefined,
): Promise<CommandResult> {
  if (!app) throw new UsageError('--resume needs an APP.', 'apps');
  const scope = { ...terminalSurface(context), ports: { store }, apps: engine };
  await pauseApp(scope, { app: app.id, paused: false });
  const { appsPaused = false, pausedApps = [] } = await store.settings();
  const text = appsPaused ? context.output.advise(allPaused) : `Resumed ${app.name}.`;
  return { fields: { appsPaused, pausedApps }, text };
}

function describePaused({ id }: App, { appsPaused = false, pausedApps = [] }: Settings): readonly string[] {
  return [
    ...(pausedApps.includes(id)
      ? [`Paused: its requests are refused. Resume it with \`postern apps ${id} --resume\`.`]
      : []),
    ...(appsPaused ? [allPaused] : []),
  ];
}

function fieldsOf(details: AppDetails) {
  const { app, isInstalled, paused, candidates, state, secret, entries, profiles, way, uses, waiting, lastUsedAt } =
    details;
  return {
    id: app.id,
    name: app.name,
    found: isInstalled,
    paused,
    files: candidates.map(({ path, exists }, index) => ({
      path,
      scope: 'user',
      state: index === 0 ? state : exists ? 'present' : 'absent',
    })),
    entries,
    ...(profiles.length > 0 && {
      profiles: profiles.map(({ name, id, file, state: profileState, entries: profileEntries }) => ({
        name,
        id,
        path: file.path,
        state: profileState,
        entries: profileEntries,
      })),
    }),
    way,
    secret,
    notice: app.notice,
    uses,
    ...(waiting.length > 0 && { waiting }),
    lastUsedAt: lastUsedAt ?? null,
  };
}

function describeAll(all: readonly AppDetails[]): string {
  const installed = all.filter(({ isInstalled }) => isInstalled);
  if (installed.length === 0) return 'No known AI app was found on this computer.';
  const now = Date.now();
  return alignColumns([
    ['APP', 'NAME', 'USES', 'LAST USED', 'FILE'],
    ...installed.map(({ app, paused, uses, waiting, lastUsedAt, file, fault }) => [
      app.id,
      `${app.name}${paused ? ' (paused)' : ''}`,
      describeUses(uses.length, waiting.length),
      lastUsedAt === undefined ? '–' : describeMoment(lastUsedAt, now),
      file.path === '' ? '–' : `${printableLine(file.path, 200)}${fault ? ' (cannot be read)' : ''}`,
    ]),
  ]);
}

/** Servers without an entry are counted separately. */
function describeUses(uses: number, waiting: number): string {
  const used = uses === 0 && waiting === 0 ? '–' : String(uses);
  return waiting === 0 ? used : `${used} (${waiting} without an entry)`;
}

function describeWaiting({ app, waiting }: ListedApp, integrations: readonly EntryTarget[]): readonly string[] {
  return integrations
    .filter(({ id }) => waiting.includes(id))
    .map(({ id, alias = id, name }) => {
      const command = `postern use ${quoteForShell(alias)} ${app.id}`;
      return `The entry for ${printableLine(name)} is missing. \`${command}\` adds it, or shows the lines to paste.`;
    });
}

function describeConfiguration(
  { app, isInstalled, file, state, fault, entries, profiles }: AppDetails,
  integrations: readonly EntryTarget[],
): string {
  if (file.path === '') return `${app.name}\nYou added this app. Postern does not know its configuration file.`;
  const head = [
    `${app.name}${isInstalled ? '' : ' is not installed here.'}`,
    `File  ${printableLine(file.path, 1_000)}`,
  ];
  return [
    ...head,
    ...(state === 'absent' ? ['This file does not exist yet.'] : []),
    ...(fault ? [printableLine(toPlainError(fault).message, 400)] : []),
    ...describeEntries(entries, integrations),
    ...profiles.flatMap((profile) => [
      '',
      `Profile  ${printableLine(profile.name)} (--editor-profile=${profile.id})`,
      `File  ${printableLine(profile.file.path, 1_000)}`,
      ...(profile.state === 'absent' ? ['This file does not exist yet.'] : []),
      ...describeEntries(profile.entries, integrations),
    ]),
  ].join('\n');
}

function describeEntries(entries: readonly DescribedEntry[], integrations: readonly EntryTarget[]): readonly string[] {
  const rows = entries.map((entry) => [printableLine(entry.name), entry.kind, describeTarget(entry, integrations)]);
  return rows.length > 0 ? ['', alignColumns([['ENTRY', 'KIND', 'TARGET'], ...rows])] : [];
}

function describeTarget(entry: DescribedEntry, integrations: readonly EntryTarget[]): string {
  const { kind, url, command, headers, env, integration, hasOldPort, otherProfile, switchedOff, excludedBy } = entry;
  const server = integrations.find(({ id }) => id === integration);
  const usedServer = server && describeUsed(server);
  const otherTarget = otherProfile === undefined ? undefined : `another profile: ${otherProfile}`;
  const removedServer = kind === 'postern' ? 'a server that was removed' : undefined;
  const bridged = kind === 'local' && url !== undefined ? `${url}, through ${command ?? 'a command'}` : undefined;
  // The entry does not work, and the port shows why.
  const oldPort = hasOldPort && url !== undefined ? `an old port of Postern: ${url}` : undefined;
  const target = oldPort ?? usedServer ?? otherTarget ?? removedServer ?? bridged ?? url ?? command ?? '';
  const secrets = [...headers, ...env].map((name) => printableLine(name, 40)).join(', ');
  const reasons = [
    ...(switchedOff ? ['switched off'] : []),
    ...(excludedBy === undefined ? [] : [`ignored because of the app’s setting ${printableLine(excludedBy, 200)}`]),
  ].join(', ');
  return `${printableLine(target, 200)}${secrets === '' ? '' : ` (${secrets})`}${reasons === '' ? '' : `: ${reasons}`}`;
}

function describeUsed(server: EntryTarget | Integration): string {
  if (collectionNameIn(server.id) !== undefined) return `${server.name}, the collection ${server.id}`;
  return 'url' in server ? `${server.name}, ${server.url}` : server.name;
}
