import { stat } from 'node:fs/promises';
import path from 'node:path';
import { collectionNamed } from '../../../shared/entry-name.ts';
import { isOtherProgram, programNameSchema } from '../../../shared/program-record.ts';
import { editorProfiles } from '../../apps/plan/editor-profiles.ts';
import type { ProgramEngine, UsedServer } from '../../apps/program-engine.ts';
import { otherProgram } from '../../apps/records/program-records.ts';
import type { Program } from '../../apps/table/program.ts';
import { matchIntegrations } from '../../engine/kept/find-integration.ts';
import { isServed } from '../../host/gateway/gateway-holder.ts';
import { freePort } from '../../net/endpoint/loopback-door.ts';
import { wantedUnuse, wantedUse } from '../../operations/app-changes.ts';
import { revokeApp } from '../../operations/apps.ts';
import { readUsed } from '../../operations/operation.ts';
import type { ProgramFile } from '../../program-ports.ts';
import { glanceAtKeyring } from '../../storage/keychain/keychain-service.ts';
import { terminalSurface } from '../asking/terminal-user.ts';
import type { CommandContext } from '../command-context.ts';
import { secretVariables } from '../opening/keyring-secret.ts';
import { openCommandEngine } from '../opening/open-command-engine.ts';
import { didYouMean, hasOption, optionValue, UsageError } from '../options/parse-arguments.ts';
import type { ParsedArguments } from '../options/parse-arguments.ts';
import type { Answer } from '../output/output.ts';
import { writeReference } from '../output/write-command.ts';
import { confirmChanges, offerEntries } from '../programs/confirm-changes.ts';
import { namedProgram, namedPrograms, namedUsed } from '../programs/named-program.ts';
import { openCommandPrograms, openEnginePrograms } from '../programs/open-command-programs.ts';
import type { CommandPrograms } from '../programs/open-command-programs.ts';
import { printableLine } from '../text.ts';

/** `postern use ID PROGRAM…`: adds an entry to each. Errors: NOT_FOUND, PROGRAM_*, USAGE, USER_CANCELLED, CFG_*. */
export async function use(context: CommandContext): Promise<Answer> {
  const { args } = context;
  const [reference = '', ...words] = args.positionals;
  const options = { as: entryName(args), project: await projectFolder(args) };
  const isHttp = hasOption(args, 'http');
  const { engine, store, collections, vault } = isHttp
    ? await openWithVault(context)
    : await openCommandPrograms(context);
  const other = otherName(args);
  if (words.length === 0 && other === undefined)
    throw new UsageError('“postern use” needs a PROGRAM, or --other.', 'use');
  const programs = [
    ...(await namedPrograms(words, engine.records)),
    ...(other === undefined ? [] : [otherProgram(other)]),
  ];
  for (const program of programs) refuseUnfit(program, options, isHttp);
  const fileOf = await filesInProfile(engine, programs, args);
  const { id } = await namedUsed({ store, collections }, reference, 'use');
  const read = async () => await readUsed({ ports: { store }, collections }, [id]);
  // One port for all of them.
  let port: Promise<number> | undefined;
  const scope = { ports: { store, vault }, programs: engine, freePort: () => (port ??= freePort()) };
  const wanted = programs.map((program) =>
    wantedUse(scope, program, read, { ...options, file: fileOf(program), isHttp: isHttp || undefined }),
  );
  let holdsAddress = false;
  const answer = await confirmChanges(context, engine, wanted, async (planned) => {
    holdsAddress = planned.some(({ secret }) => secret !== 'none');
  });
  if (hasOption(args, 'dry-run') || (await isServed(engine.profileFolder))) return answer;
  const remark = toServe(args, glanceAtKeyring(engine.profileFolder), holdsAddress);
  return remark === undefined ? answer : { ...answer, text: [answer.text, context.output.advise(remark)].join('\n') };
}

/**
 * What has to run while nobody serves: an entry that holds an address cannot start Postern, as one with a command does,
 * and what an app starts is given nothing that opens a sealed profile.
 */
function toServe(
  args: ParsedArguments,
  sealed: ReturnType<typeof glanceAtKeyring>,
  holdsAddress: boolean,
): string | undefined {
  if (sealed === 'file' || sealed === 'passphrase') {
    const option = sealed === 'file' ? 'key-file' : 'passphrase-file';
    const named = optionValue(args, option) ?? process.env[secretVariables[sealed]];
    const command = `postern serve --${option} ${named ? writeReference(path.resolve(named)) : 'FILE'}`;
    const what = sealed === 'file' ? 'a key file' : 'a passphrase';
    return `Sign-ins here are sealed with ${what}, which programs do not have: run \`${command}\`, and let it run.`;
  }
  if (!holdsAddress) return undefined;
  return 'Nobody answers at that address now: open the window of Postern, or run `postern serve`, and let it run.';
}

/** The same with the vault, which keeps the secrets of programs. */
async function openWithVault(context: CommandContext): Promise<CommandPrograms> {
  const engine = await openCommandEngine(context);
  const { store, vault } = engine.ports;
  return { engine: await openEnginePrograms(context, engine), store, collections: engine.collections, vault };
}

/** Errors: USAGE for what the program does not take. */
function refuseUnfit(
  program: Program,
  { as: name, project }: { readonly as: string | undefined; readonly project: string | undefined },
  isHttp: boolean,
): void {
  refuseProject(program, project, 'use');
  if (program.nameRule === 'no-underscore' && name?.includes('_') === true)
    throw new UsageError(`${program.name} takes no “_” in a name.`, 'use');
  if (isHttp && !program.http) throw new UsageError(`${program.name} starts commands alone: leave out --http.`, 'use');
}

/** Errors: USAGE. */
export function refuseProject(program: Program, project: string | undefined, command: 'use' | 'unuse'): void {
  if (project !== undefined && isOtherProgram(program.id))
    throw new UsageError(`Postern knows no file of ${printableLine(program.name)}: leave out --project.`, command);
  if (project !== undefined && program.projectFiles === undefined)
    throw new UsageError(`${program.name} reads no file of a project: leave out --project.`, command);
}

/** `--other`. Errors: USAGE for what is no name. */
function otherName(args: ParsedArguments): string | undefined {
  const name = optionValue(args, 'other')?.trim();
  if (name !== undefined && !programNameSchema.safeParse(name).success)
    throw new UsageError('--other takes a name of 1 to 80 characters.', 'use');
  return name;
}

/** `--project`, absolute. Errors: USAGE for what is no folder. */
export async function projectFolder(args: ParsedArguments): Promise<string | undefined> {
  const named = optionValue(args, 'project');
  if (named === undefined) return undefined;
  const folder = path.resolve(named);
  const isThere = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isThere) throw new UsageError(`There is no folder ${printableLine(folder, 1_000)}.`, args.command);
  return folder;
}

/** `--as`. Errors: USAGE for what some program or model could not take. */
function entryName(args: ParsedArguments): string | undefined {
  const name = optionValue(args, 'as');
  if (name !== undefined && !/^[A-Za-z0-9][A-Za-z0-9_-]{0,47}$/.test(name))
    throw new UsageError('--as takes letters, digits, “-” and “_”, at most 48 of them.', args.command);
  return name;
}

/** `postern unuse ID PROGRAM…`: takes the entries out; with --all everything of one program. Errors: PROGRAM_*, USAGE, USER_CANCELLED, CFG_*. */
export async function unuse(context: CommandContext): Promise<Answer> {
  const { args } = context;
  if (hasOption(args, 'all')) return await revoke(context);
  const [reference = '', ...words] = args.positionals;
  const project = await projectFolder(args);
  const { engine, ...lists } = await openCommandPrograms(context);
  const programs = await namedPrograms(words, engine.records);
  for (const program of programs) refuseProject(program, project, 'unuse');
  const fileOf = await filesInProfile(engine, programs, args);
  const server = await findServer(lists, reference);
  const wanted = programs.map((program) =>
    wantedUnuse(program, async () => [server], { project, file: fileOf(program) }),
  );
  return await confirmChanges(context, engine, wanted, async (planned) => {
    if (typeof server === 'string' && planned.every(({ edits }) => edits.length === 0))
      await namedUsed(lists, reference, 'unuse');
  });
}

/** Entries outlive the server that they lead to: then they are known by its alias or id. */
async function findServer(
  lists: Pick<CommandPrograms, 'store' | 'collections'>,
  reference: string,
): Promise<UsedServer | string> {
  if (collectionNamed(reference) !== undefined) {
    try {
      return await namedUsed(lists, reference, 'unuse');
    } catch (error) {
      // A collection is called in its entries what it was called here.
      if (error instanceof UsageError) return reference;
      throw error;
    }
  }
  const [only, ...others] = await matchIntegrations(lists.store, reference);
  return only && others.length === 0 ? only : reference;
}

/**
 * The files that `--editor-profile` names, by its name or id; without it, and in the default profile, none is named.
 * Errors: USAGE where a program has no such profile, PROGRAM_FILE_*.
 */
export async function filesInProfile(
  engine: ProgramEngine,
  programs: readonly Program[],
  args: ParsedArguments,
): Promise<(program: Program) => ProgramFile | undefined> {
  const wanted = optionValue(args, 'editor-profile');
  if (wanted === undefined) return () => undefined;
  if (optionValue(args, 'project') !== undefined)
    throw new UsageError('Say --editor-profile or --project, not both.', args.command);
  const files = new Map<string, ProgramFile>();
  for (const program of programs) {
    if (program.hasProfiles !== true)
      throw new UsageError(`${printableLine(program.name)} has no profiles: leave out --editor-profile.`, args.command);
    const profiles = await editorProfiles(engine, program);
    const bare = wanted.toLowerCase();
    const fitting = profiles.filter(({ name, id }) => id === wanted || name.toLowerCase() === bare);
    const [found] = fitting;
    if (!found || fitting.length > 1) {
      const names = profiles.map(({ name, id }) => `${writeReference(name)} (${id})`).join(', ');
      const what = found ? 'several profiles of that name: take the id of one' : 'no such profile';
      const all = profiles.length === 0 ? 'It has the default one alone' : `It has the default one and ${names}`;
      const near = didYouMean(
        wanted,
        profiles.map(({ name }) => name),
      );
      throw new UsageError(`${program.name} has ${what}. ${all}.${found ? '' : near}`, args.command);
    }
    files.set(program.id, found.file);
  }
  return ({ id }) => files.get(id);
}

/**
 * `postern unuse --all PROGRAM`: it may use nothing of Postern any more. Errors: PROGRAM_NOT_FOUND, USAGE, USER_CANCELLED.
 */
export async function revoke(context: CommandContext): Promise<Answer> {
  const { output } = context;
  const { engine } = await openCommandPrograms(context);
  const program = await namedProgram(context.args.positionals[0] ?? '', engine.records);
  const done = await revokeApp({ ...terminalSurface(context), programs: engine }, { program: program.id });
  const revoked = done?.revoked ?? [];
  output.print(`${program.name} may use nothing of Postern${revoked.length > 0 ? ' any more' : ''}.`);
  if (isOtherProgram(program.id))
    output.print('Take the lines of Postern out of its configuration: they lead nowhere now.');
  for (const takeOut of await offerEntries(context, engine, { kind: 'program', program })) await takeOut();
  return {
    fields: { revoked },
    text: undefined,
  };
}
