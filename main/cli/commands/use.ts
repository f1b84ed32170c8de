import { stat } from 'node:fs/promises';
import path from 'node:path';
import { collectionNameIn } from '../../../shared/entry-name.ts';
import { isOtherApp, appNameSchema } from '../../../shared/app-record.ts';
import { editorProfiles } from '../../apps/plan/editor-profiles.ts';
import type { AppDependencies, EntryTarget } from '../../apps/app-dependencies.ts';
import { otherApp } from '../../apps/records/app-records.ts';
import type { App } from '../../apps/table/app.ts';
import { matchIntegrations } from '../../engine/records/find-integration.ts';
import { isGatewayRunning } from '../../host/gateway/gateway-holder.ts';
import { freePort } from '../../net/endpoint/loopback-listener.ts';
import { proposeUnuse, proposeUse } from '../../operations/app-changes.ts';
import { revokeApp } from '../../operations/apps.ts';
import { readEntryTargets } from '../../operations/operation.ts';
import type { AppFile } from '../../app-ports.ts';
import { peekKeyringKind } from '../../storage/keychain/keychain-service.ts';
import { terminalSurface } from '../interaction/terminal-user.ts';
import type { CommandContext } from '../command-context.ts';
import { secretVariables } from '../opening/keyring-secret.ts';
import { didYouMean, hasOption, optionValue, UsageError } from '../options/parse-arguments.ts';
import type { ParsedArguments } from '../options/parse-arguments.ts';
import type { CommandResult } from '../output/output.ts';
import { quoteForShell } from '../output/write-command.ts';
import { confirmChanges, confirmEntryRemoval } from '../apps/confirm-changes.ts';
import { resolveApp, resolveApps, resolveTarget } from '../apps/resolve-references.ts';
import { openCommandApps } from '../apps/open-command-apps.ts';
import type { CommandApps } from '../apps/open-command-apps.ts';
import { printableLine } from '../text.ts';

/** `postern use ID APP…`: adds an entry to each app. Errors: NOT_FOUND, APP_*, USAGE, USER_CANCELLED, CFG_*. */
export async function use(context: CommandContext): Promise<CommandResult> {
  const { args } = context;
  const [reference = '', ...words] = args.positionals;
  const options = { as: entryName(args), project: await projectFolder(args) };
  const isHttp = hasOption(args, 'http');
  const { engine, store, collections, vault } = isHttp ? await openWithVault(context) : await openCommandApps(context);
  const other = otherName(args);
  if (words.length === 0 && other === undefined) throw new UsageError('“postern use” needs an APP, or --other.', 'use');
  const apps = [...(await resolveApps(words, engine.records)), ...(other === undefined ? [] : [otherApp(other)])];
  for (const app of apps) checkAppOptions(app, options, isHttp);
  const fileOf = await filesInProfile(engine, apps, args);
  const { id } = await resolveTarget({ store, collections }, reference, 'use');
  const read = async () => await readEntryTargets({ ports: { store }, collections }, [id]);
  // One port for all of them.
  let port: Promise<number> | undefined;
  const scope = { ports: { store, vault }, apps: engine, freePort: () => (port ??= freePort()) };
  const proposals = apps.map((app) =>
    proposeUse(scope, app, read, { ...options, file: fileOf(app), isHttp: isHttp || undefined }),
  );
  let usesHttp = false;
  const result = await confirmChanges(context, engine, proposals, async (planned) => {
    usesHttp = planned.some(({ secret }) => secret !== 'none');
  });
  if (hasOption(args, 'dry-run') || (await isGatewayRunning(engine.profileFolder))) return result;
  const note = describeServeNeeded(args, peekKeyringKind(engine.profileFolder), usesHttp);
  return note === undefined ? result : { ...result, text: [result.text, context.output.advise(note)].join('\n') };
}

/**
 * What the user has to keep running: an HTTP entry cannot start Postern, and a process started by an app cannot unlock
 * a profile with its own keyring.
 */
function describeServeNeeded(
  args: ParsedArguments,
  keyringKind: ReturnType<typeof peekKeyringKind>,
  usesHttp: boolean,
): string | undefined {
  if (keyringKind === 'file' || keyringKind === 'passphrase') {
    const option = keyringKind === 'file' ? 'key-file' : 'passphrase-file';
    const secretFile = optionValue(args, option) ?? process.env[secretVariables[keyringKind]];
    const command = `postern serve --${option} ${secretFile ? quoteForShell(path.resolve(secretFile)) : 'FILE'}`;
    const what = keyringKind === 'file' ? 'a key file' : 'a passphrase';
    return `Sign-ins here are encrypted with ${what}, which AI apps do not have. Keep \`${command}\` running.`;
  }
  if (!usesHttp) return undefined;
  return 'Postern is not running at that address. Keep the window open, or keep `postern serve` running.';
}

/** The same with the vault, which stores the secrets of apps. */
async function openWithVault(context: CommandContext): Promise<CommandApps> {
  const engine = await context.openEngine();
  const { store, vault } = engine.ports;
  return { engine: await engine.openApps(), store, collections: engine.collections, vault };
}

/** Errors: USAGE for options that the app does not support. */
function checkAppOptions(
  app: App,
  { as: name, project }: { readonly as: string | undefined; readonly project: string | undefined },
  isHttp: boolean,
): void {
  checkProject(app, project, 'use');
  if (app.nameRule === 'no-underscore' && name?.includes('_') === true)
    throw new UsageError(`${app.name} does not accept “_” in a name.`, 'use');
  if (isHttp && !app.http) throw new UsageError(`${app.name} only supports commands. Leave out --http.`, 'use');
}

/** Errors: USAGE. */
function checkProject(app: App, project: string | undefined, command: 'use' | 'unuse'): void {
  if (project !== undefined && isOtherApp(app.id))
    throw new UsageError(
      `Postern does not know the files of ${printableLine(app.name)}. Leave out --project.`,
      command,
    );
  if (project !== undefined && app.projectFiles === undefined)
    throw new UsageError(`${app.name} has no project configuration. Leave out --project.`, command);
}

/** `--other`. Errors: USAGE for an invalid name. */
function otherName(args: ParsedArguments): string | undefined {
  const name = optionValue(args, 'other')?.trim();
  if (name !== undefined && !appNameSchema().safeParse(name).success)
    throw new UsageError('--other takes a name of 1 to 80 characters.', 'use');
  return name;
}

/** `--project` as an absolute path. Errors: USAGE if it is not a folder. */
async function projectFolder(args: ParsedArguments): Promise<string | undefined> {
  const option = optionValue(args, 'project');
  if (option === undefined) return undefined;
  const folder = path.resolve(option);
  const isThere = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isThere) throw new UsageError(`There is no folder ${printableLine(folder, 1_000)}.`, args.command);
  return folder;
}

/** `--as`. Errors: USAGE for a name that some apps or models do not accept. */
function entryName(args: ParsedArguments): string | undefined {
  const name = optionValue(args, 'as');
  if (name !== undefined && !/^[A-Za-z0-9][A-Za-z0-9_-]{0,47}$/.test(name))
    throw new UsageError('--as needs a name of at most 48 letters, digits, “-” and “_”.', args.command);
  return name;
}

/** `postern unuse ID APP…`: removes the entries; --all revokes an app. Errors: APP_*, USAGE, USER_CANCELLED, CFG_*. */
export async function unuse(context: CommandContext): Promise<CommandResult> {
  const { args } = context;
  if (hasOption(args, 'all')) return await revoke(context);
  const [reference = '', ...words] = args.positionals;
  const project = await projectFolder(args);
  const { engine, ...lists } = await openCommandApps(context);
  const apps = await resolveApps(words, engine.records);
  for (const app of apps) checkProject(app, project, 'unuse');
  const fileOf = await filesInProfile(engine, apps, args);
  const server = await findServer(lists, reference);
  const proposals = apps.map((app) => proposeUnuse(app, async () => [server], { project, file: fileOf(app) }));
  return await confirmChanges(context, engine, proposals, async (planned) => {
    if (typeof server === 'string' && planned.every(({ edits }) => edits.length === 0))
      await resolveTarget(lists, reference, 'unuse');
  });
}

/** Entries outlive their server, so its alias or ID is accepted too. */
async function findServer(
  lists: Pick<CommandApps, 'store' | 'collections'>,
  reference: string,
): Promise<EntryTarget | string> {
  if (collectionNameIn(reference) !== undefined) {
    try {
      return await resolveTarget(lists, reference, 'unuse');
    } catch (error) {
      // The entries of a removed collection still have its reference.
      if (error instanceof UsageError) return reference;
      throw error;
    }
  }
  const [only, ...others] = await matchIntegrations(lists.store, reference);
  return only && others.length === 0 ? only : reference;
}

/**
 * The files of the `--editor-profile` with that name or ID; without the option, none. Errors: USAGE if an app has no
 * such profile, APP_FILE_*.
 */
async function filesInProfile(
  engine: AppDependencies,
  apps: readonly App[],
  args: ParsedArguments,
): Promise<(app: App) => AppFile | undefined> {
  const profileName = optionValue(args, 'editor-profile');
  if (profileName === undefined) return () => undefined;
  if (optionValue(args, 'project') !== undefined)
    throw new UsageError('Use either --editor-profile or --project.', args.command);
  const files = new Map<string, AppFile>();
  for (const app of apps) {
    if (app.hasProfiles !== true)
      throw new UsageError(`${printableLine(app.name)} has no profiles. Leave out --editor-profile.`, args.command);
    const profiles = await editorProfiles(engine, app);
    const lowerCase = profileName.toLowerCase();
    const matches = profiles.filter(({ name, id }) => id === profileName || name.toLowerCase() === lowerCase);
    const [found] = matches;
    if (!found || matches.length > 1) {
      const names = profiles.map(({ name, id }) => `${quoteForShell(name)} (${id})`).join(', ');
      const what = found ? 'several profiles with that name, so use the ID' : 'no such profile';
      const all = profiles.length === 0 ? 'It has only the default profile' : `It has the default profile and ${names}`;
      const suggestion = didYouMean(
        profileName,
        profiles.map(({ name }) => name),
      );
      throw new UsageError(`${app.name} has ${what}. ${all}.${found ? '' : suggestion}`, args.command);
    }
    files.set(app.id, found.file);
  }
  return ({ id }) => files.get(id);
}

/**
 * `postern unuse --all APP`: revokes all access of an app. Errors: APP_NOT_FOUND, USAGE, USER_CANCELLED.
 */
async function revoke(context: CommandContext): Promise<CommandResult> {
  const { output } = context;
  const { engine } = await openCommandApps(context);
  const app = await resolveApp(context.args.positionals[0] ?? '', engine.records);
  const done = await revokeApp({ ...terminalSurface(context), apps: engine }, { app: app.id });
  const revoked = done?.revoked ?? [];
  output.print(
    revoked.length > 0 ? `${app.name} no longer has access to Postern.` : `${app.name} has no access to Postern.`,
  );
  if (isOtherApp(app.id)) output.print('Remove the lines for Postern from its configuration. They no longer work.');
  for (const applyRemoval of await confirmEntryRemoval(context, engine, { kind: 'app', app })) await applyRemoval();
  return {
    fields: { revoked },
    text: undefined,
  };
}
