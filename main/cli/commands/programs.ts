import { collectionNamed } from '../../../shared/entry-name.ts';
import type { Integration } from '../../../shared/integration.ts';
import type { Settings } from '../../../shared/settings.ts';
import type { DescribedEntry } from '../../apps/entry/our-entries.ts';
import { settleWaiting } from '../../apps/look/check-entries.ts';
import { lookInside, wayOf } from '../../apps/look/look-inside.ts';
import type { Way } from '../../apps/plan/planned-change.ts';
import type { UsedServer } from '../../apps/program-engine.ts';
import type { Program } from '../../apps/table/program.ts';
import { toPlainError } from '../../errors/postern-error.ts';
import { listApps, pauseApp, UnknownApp } from '../../operations/apps.ts';
import type { ListedApp } from '../../operations/apps.ts';
import { allUsed } from '../../operations/operation.ts';
import { terminalSurface } from '../asking/terminal-user.ts';
import type { CommandContext } from '../command-context.ts';
import { hasOption, UsageError } from '../options/parse-arguments.ts';
import { describeMoment } from '../output/describe-integration.ts';
import type { Answer } from '../output/output.ts';
import { writeReference } from '../output/write-command.ts';
import { namedProgram } from '../programs/named-program.ts';
import { openCommandPrograms } from '../programs/open-command-programs.ts';
import type { CommandPrograms } from '../programs/open-command-programs.ts';
import { alignColumns, printableLine } from '../text.ts';

const allPaused = 'All programs are paused: `postern settings programsPaused false` lets them go on.';

/**
 * `postern programs [PROGRAM]`: which are there; of one, what stands in its file, or with `--resume` that it goes on.
 * Errors: USAGE, PROGRAM_NOT_FOUND, CFG_*.
 */
export async function programs(context: CommandContext): Promise<Answer> {
  const [word] = context.args.positionals;
  const opened = await openCommandPrograms(context);
  const { engine, store, collections } = opened;
  const wanted = word === undefined ? undefined : await namedProgram(word, engine.records);
  if (hasOption(context.args, 'resume')) return await resume(context, opened, wanted);
  const settings = await store.settings();
  const scope = { ports: { store }, programs: engine };
  const describe = async (app: ListedApp): Promise<DescribedApp> => ({
    entries: [],
    profiles: [],
    ...app,
    way: await wayOf(engine, app),
    paused: settings.programsPaused === true || app.isPaused,
  });
  if (wanted) {
    const integrations = await allUsed({ ...scope, collections });
    await settleWaiting(engine, integrations);
    const [app] = await listApps(scope, [wanted]);
    if (!app) throw new UnknownApp(wanted.id);
    const inside = { ...(await describe(app)), ...(await lookInside(engine, app, integrations)) };
    return {
      fields: { programs: [fieldsOf(inside)] },
      text: [
        describeInside(inside, integrations),
        ...[...describeWaiting(inside, integrations), ...describePause(wanted, settings)].map(context.output.advise),
      ].join('\n'),
    };
  }
  const all = await Promise.all((await listApps(scope)).map(describe));
  return { fields: { programs: all.map(fieldsOf) }, text: describeAll(all) };
}

interface DescribedApp extends ListedApp, Pick<Inside, 'entries' | 'profiles'> {
  readonly way: Way;
  /** Alone, or with all others. */
  readonly paused: boolean;
}

type Inside = Awaited<ReturnType<typeof lookInside>>;

/** Others stay as they are, also those that were paused after the user was told this command. */
async function resume(
  context: CommandContext,
  { engine, store }: CommandPrograms,
  program: Program | undefined,
): Promise<Answer> {
  if (!program) throw new UsageError('--resume goes with one PROGRAM.', 'programs');
  const scope = { ...terminalSurface(context), ports: { store }, programs: engine };
  await pauseApp(scope, { program: program.id, paused: false });
  const { programsPaused = false, pausedPrograms = [] } = await store.settings();
  const text = programsPaused ? context.output.advise(allPaused) : `${program.name} goes on.`;
  return { fields: { programsPaused, pausedPrograms }, text };
}

function describePause({ id }: Program, { programsPaused = false, pausedPrograms = [] }: Settings): readonly string[] {
  return [
    ...(pausedPrograms.includes(id)
      ? [`Paused: whatever it asks is refused. \`postern programs ${id} --resume\` lets it go on.`]
      : []),
    ...(programsPaused ? [allPaused] : []),
  ];
}

function fieldsOf(described: DescribedApp) {
  const { program, found, paused, places, state, secret, entries, profiles, way, uses, waiting, lastUsedAt } =
    described;
  return {
    id: program.id,
    name: program.name,
    found,
    paused,
    files: places.map(({ path, isThere }, index) => ({
      path,
      scope: 'user',
      state: index === 0 ? state : isThere ? 'unread' : 'absent',
    })),
    entries,
    ...(profiles.length > 0 && {
      profiles: profiles.map(({ name, id, file, state: profileState, entries: own }) => ({
        name,
        id,
        path: file.path,
        state: profileState,
        entries: own,
      })),
    }),
    way,
    secret,
    notice: program.notice,
    uses,
    ...(waiting.length > 0 && { waiting }),
    lastUsedAt: lastUsedAt ?? null,
  };
}

function describeAll(all: readonly DescribedApp[]): string {
  const here = all.filter(({ found }) => found);
  if (here.length === 0) return 'None of the programs that Postern knows was found here.';
  const now = Date.now();
  return alignColumns([
    ['PROGRAM', 'NAME', 'USES', 'LAST USED', 'FILE'],
    ...here.map(({ program, paused, uses, waiting, lastUsedAt, file, fault }) => [
      program.id,
      `${program.name}${paused ? ' (paused)' : ''}`,
      describeUses(uses.length, waiting.length),
      lastUsedAt === undefined ? '–' : describeMoment(lastUsedAt, now),
      file.path === '' ? '–' : `${printableLine(file.path, 200)}${fault ? ' (cannot be read)' : ''}`,
    ]),
  ]);
}

/** Those that wait for the user are counted apart. */
function describeUses(uses: number, waiting: number): string {
  const used = uses === 0 && waiting === 0 ? '–' : String(uses);
  return waiting === 0 ? used : `${used} (${waiting} waiting for you)`;
}

function describeWaiting({ program, waiting }: ListedApp, integrations: readonly UsedServer[]): readonly string[] {
  return integrations
    .filter(({ id }) => waiting.includes(id))
    .map(({ id, alias = id, name }) => {
      const command = `postern use ${writeReference(alias)} ${program.id}`;
      return `Waiting for you: paste the lines of ${printableLine(name)}. \`${command}\` shows them.`;
    });
}

function describeInside(
  { program, found, file, state, fault, entries, profiles }: DescribedApp,
  integrations: readonly UsedServer[],
): string {
  if (file.path === '') return `${program.name}\nYou added it yourself: Postern knows no file of it.`;
  const head = [`${program.name}${found ? '' : ' is not installed here.'}`, `File  ${printableLine(file.path, 1_000)}`];
  return [
    ...head,
    ...(state === 'absent' ? ['That file is not there yet.'] : []),
    ...(fault ? [printableLine(toPlainError(fault).message, 400)] : []),
    ...describeEntries(entries, integrations),
    ...profiles.flatMap((profile) => [
      '',
      `Profile  ${printableLine(profile.name)} (--editor-profile=${profile.id})`,
      `File  ${printableLine(profile.file.path, 1_000)}`,
      ...(profile.state === 'absent' ? ['That file is not there yet.'] : []),
      ...describeEntries(profile.entries, integrations),
    ]),
  ].join('\n');
}

function describeEntries(entries: readonly DescribedEntry[], integrations: readonly UsedServer[]): readonly string[] {
  const rows = entries.map((entry) => [printableLine(entry.name), entry.kind, describeTarget(entry, integrations)]);
  return rows.length > 0 ? ['', alignColumns([['ENTRY', 'KIND', 'WHAT'], ...rows])] : [];
}

function describeTarget(entry: DescribedEntry, integrations: readonly UsedServer[]): string {
  const { kind, url, command, headers, env, integration, hasOldPort, otherProfile, switchedOff, keptOut } = entry;
  const server = integrations.find(({ id }) => id === integration);
  const own = server && describeUsed(server);
  const other = otherProfile === undefined ? undefined : `another profile: ${otherProfile}`;
  const gone = kind === 'postern' ? 'what is not connected any more' : undefined;
  const bridged = kind === 'local' && url !== undefined ? `${url}, through ${command ?? 'a command'}` : undefined;
  // It leads nowhere, and the port shows why.
  const old = hasOldPort && url !== undefined ? `another port than Postern has now: ${url}` : undefined;
  const target = old ?? own ?? other ?? gone ?? bridged ?? url ?? command ?? '';
  const secrets = [...headers, ...env].map((name) => printableLine(name, 40)).join(', ');
  const out = [
    ...(switchedOff ? ['switched off'] : []),
    ...(keptOut === undefined ? [] : [`kept out by the setting ${printableLine(keptOut, 200)} of the program`]),
  ].join(', ');
  return `${printableLine(target, 200)}${secrets === '' ? '' : ` (${secrets})`}${out === '' ? '' : `: ${out}`}`;
}

function describeUsed(server: UsedServer | Integration): string {
  if (collectionNamed(server.id) !== undefined) return `${server.name}, the collection ${server.id}`;
  return 'url' in server ? `${server.name}, ${server.url}` : server.name;
}
