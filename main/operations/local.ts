import type { Integration } from '../../shared/integration.ts';
import type { LocalCommand, RunFacts } from '../../shared/local-command.ts';
import { commandBounds } from '../../shared/command-display.ts';
import { displayText, nameProblem } from '../address/display-text.ts';
import { isPlaceholderValue, findPlaceholderWord } from '../address/typed-address.ts';
import { remoteOf } from '../apps/import/listed-server.ts';
import type { EnginePorts } from '../engine/engine-ports.ts';
import {
  allowCommand,
  hasValues,
  mayRun,
  recordAllowed,
  readCommand,
  setLifetime,
  withLifetime,
} from '../engine/records/local-consent.ts';
import type { LocalValues } from '../engine/records/local-consent.ts';
import { PosternError } from '../errors/postern-error.ts';
import type { LocalRequest, LocalReport } from '../local-ports.ts';
import type { Tool } from '../mcp/client/call-tool.ts';
import { sealCommand, variablesForDisplay } from '../secret.ts';
import { readServer } from './operation.ts';
import type { OperationInput, OperationOutput, Surface } from './operation.ts';

/**
 * Asks the process that runs the local servers of this profile, here or elsewhere. `undefined`: none does. Never
 * rejects.
 */
type SendLocalRequest = (request: LocalRequest) => Promise<LocalReport | undefined>;

interface StoreScope {
  readonly ports: Pick<EnginePorts, 'store'>;
}

interface RunningScope extends StoreScope {
  readonly sendLocalRequest: SendLocalRequest;
}

interface ConsentScope extends RunningScope {
  readonly ports: Pick<EnginePorts, 'store' | 'vault'>;
}

/** The server is remote, so Postern does not run it. */
export class NotLocal extends PosternError {}

/** A word of a command, or a variable's value, is a placeholder from its documentation. */
export class PlaceholderInCommand extends PosternError {
  /** The word. */
  readonly part: string | undefined;
  /** Name of the variable. */
  readonly variable: string | undefined;

  constructor({ part, variable }: { readonly part?: string; readonly variable?: string }) {
    super('LOCAL_TO_FILL_IN', {
      stage: 'local',
      detail: {
        ...(part !== undefined && { part: displayText(part, 80) }),
        ...(variable !== undefined && { variables: [variable] }),
      },
    });
    this.part = part;
    this.variable = variable;
  }
}

/** A command has too many words or variables, or too long a word. */
export class CommandTooLong extends PosternError {
  constructor() {
    super('IPC_SCHEMA', { stage: 'postern' });
  }
}

/** A command as the user wrote it. */
interface TypedCommand {
  /** Name of the server, new or existing. */
  readonly name: string;
  readonly words: readonly string[];
  readonly folder?: string | undefined;
  /** The shell's folder; without it, `~` and relative paths start at the home folder. */
  readonly shellFolder?: string | undefined;
  /** Name of the list it comes from. */
  readonly from?: string | undefined;
  readonly lifetime?: 'shared' | undefined;
}

export interface PreparedCommand extends Omit<RunFacts, 'replaced'> {
  readonly values: LocalValues;
}

/**
 * Resolves what a command would run, and seals its secrets; starts nothing. `readValues`: values of its variables,
 * read once the rest is valid. Errors: NAME_INVALID, LOCAL_TO_FILL_IN as `PlaceholderInCommand`, as `CommandTooLong`,
 * NAME_TAKEN, LOCAL_NOT_FOUND, those of `readValues`, CFG_*.
 */
export async function prepareCommand(
  {
    ports,
    readValues,
  }: {
    readonly ports: Pick<EnginePorts, 'store' | 'local'>;
    readonly readValues: () => Promise<LocalValues>;
  },
  { name, words, folder, shellFolder, from, lifetime }: TypedCommand,
): Promise<PreparedCommand> {
  if (nameProblem(name)) throw new PosternError('NAME_INVALID', { stage: 'postern' });
  const part = findPlaceholderWord(words);
  if (part !== undefined) throw new PlaceholderInCommand({ part });
  const { findLocalByName } = await loadConnectLocal();
  await findLocalByName(ports, name);
  const resolved = await ports.local.prepare(words, folder, shellFolder);
  const values = await readValues();
  const { words: most, length, variables: mostVariables } = commandBounds;
  // The first word is the executable.
  const isTooMuch = words.length > most + 1 || Object.keys(values).length > mostVariables;
  if (isTooMuch || words.some((word) => word.length > length)) throw new CommandTooLong();
  const [variable] = Object.entries(values).find(([, value]) => isPlaceholderValue(value)) ?? [];
  if (variable !== undefined) throw new PlaceholderInCommand({ variable });
  const typed = {
    ...resolved,
    variables: Object.keys(values),
    ...(from !== undefined && { from }),
    ...(lifetime && { lifetime }),
  };
  const sealed = sealCommand(typed, values);
  return { values: sealed.values, ...runFacts(name, sealed) };
}

/**
 * Asks whether a prepared command may run, and connects it; null: the user declined. `starting`: called in between.
 * Errors: NAME_TAKEN, LOCAL_*, MCP_FAILED, NOT_FOUND when it was removed meanwhile, KC_*, CFG_*; then nothing is
 * stored.
 */
export async function connectCommand(
  {
    ports,
    user,
    signal,
    starting,
  }: Pick<Surface, 'user'> & {
    readonly ports: EnginePorts;
    readonly signal: AbortSignal;
    readonly starting?: (server: Pick<Integration, 'id' | 'name' | 'command'>) => void;
  },
  { values, ...facts }: PreparedCommand,
): Promise<{ readonly integration: Integration; readonly tools: readonly Tool[] } | null> {
  const { connectLocal, findLocalByName } = await loadConnectLocal();
  const { name, command } = facts;
  // Before asking: a server that takes the name meanwhile must not lose its command without a question.
  const existing = await findLocalByName(ports, name);
  const replaced = existing?.command;
  if (!(await user.confirm({ kind: 'run-command', ...facts, ...(replaced && { replaced }) }))) return null;
  const id = existing?.id ?? crypto.randomUUID();
  starting?.({ id, name, command });
  return await connectLocal(ports, { id, name, command, values, existing }, signal);
}

/** Loaded on demand: it brings the MCP client. */
const loadConnectLocal = async () => await import('../engine/connect/connect-local.ts');

function runFacts(
  name: string,
  { command, values }: { readonly command: LocalCommand; readonly values: LocalValues },
): Omit<RunFacts, 'replaced'> {
  const remote = remoteOf([command.command, ...command.arguments]);
  return { name: displayText(name), command, shown: variablesForDisplay(command, values), ...(remote && { remote }) };
}

/**
 * Starts a server; asks first if its command is not allowed yet or has changed. `isShared`: as of `local:share`. Null:
 * the user declined. Errors: NOT_FOUND, as `NotLocal` for a remote server, LOCAL_CONSENT if values are missing, KC_*,
 * CFG_*.
 */
export async function startLocal(
  { ports, user, sendLocalRequest, changed }: Surface & ConsentScope,
  { id, isShared }: OperationInput<'local:start'>,
): Promise<OperationOutput<'local:start'>> {
  // Before the list is read: opening the vault may seal the command in it.
  const vault = await ports.vault();
  const { name, command } = await readLocal(ports, id);
  const stored = await readCommand(vault, id, command);
  if (!mayRun(command, stored)) {
    const values = stored?.values ?? {};
    // The values were stored for another command: only the user can enter them again.
    if (!hasValues(command, values))
      throw new PosternError('LOCAL_CONSENT', { stage: 'local', remedy: { kind: 'connect-command' } });
    const candidate = isShared === undefined ? command : withLifetime(command, isShared);
    if (!(await user.confirm({ kind: 'run-command', ...runFacts(name, { command: candidate, values }) }))) return null;
    await allowCommand({ vault, store: ports.store }, { id, command }, values);
    // The page stops saying that it waits for an answer.
    await changed('integrations');
  }
  if (isShared !== undefined) await setLifetime(ports, id, isShared);
  const report = await sendLocalRequest({ id, act: 'start' });
  await changed('integrations');
  return { id, ...(report && { state: report.state }) };
}

/**
 * Stops a server's processes; null: no process serves apps. Errors: NOT_FOUND, as `NotLocal` for a remote server,
 * CFG_*.
 */
export async function stopLocal(
  { ports, sendLocalRequest }: RunningScope,
  { id }: OperationInput<'local:stop'>,
): Promise<OperationOutput<'local:stop'>> {
  await readLocal(ports, id);
  const report = await sendLocalRequest({ id, act: 'stop' });
  return report ? { state: report.state } : null;
}

/** Sets whether its sessions share one process, from its next start on. Errors: NOT_FOUND, CFG_*. */
export async function shareLocal(
  { ports, changed }: Pick<Surface, 'changed'> & StoreScope,
  { id, isShared }: OperationInput<'local:share'>,
): Promise<OperationOutput<'local:share'>> {
  await setLifetime(ports, id, isShared);
  await changed('integrations');
  return null;
}

/**
 * State of a server, and its output after the first `since` bytes. `undefined`: no process serves apps. Errors: as of
 * `stopLocal`.
 */
export async function readLocalReport(
  { ports, sendLocalRequest }: RunningScope,
  { id, since }: { readonly id: string; readonly since?: number | undefined },
): Promise<LocalReport | undefined> {
  await readLocal(ports, id);
  return await sendLocalRequest({ id, act: 'status', since });
}

/** The same, and whether its command may run. Errors: KC_*, those of `readLocalReport`. */
export async function localStatus(
  { ports, sendLocalRequest }: ConsentScope,
  { id, since }: OperationInput<'local:status'>,
): Promise<OperationOutput<'local:status'>> {
  const { command } = await readLocal(ports, id);
  const isAllowed = mayRun(command, await readCommand(await ports.vault(), id, command));
  await recordAllowed(ports.store, { id, command }, isAllowed);
  const { state, processes, output, total } = (await sendLocalRequest({ id, act: 'status', since })) ?? offReport;
  return { state, processes: [...processes], output, total, isAllowed };
}

const offReport: LocalReport = { state: 'off', processes: [], output: '', total: 0 };

/** Errors: NOT_FOUND, as `NotLocal` for a remote server, CFG_*. */
async function readLocal(
  { store }: Pick<EnginePorts, 'store'>,
  id: string,
): Promise<Integration & { readonly command: LocalCommand }> {
  const { command, ...server } = await readServer({ store }, id);
  if (!command) throw new NotLocal('NOT_FOUND', { stage: 'postern', detail: { count: 0 } });
  return { ...server, command };
}

export const localOperations = {
  'local:status': localStatus,
  'local:start': startLocal,
  'local:share': shareLocal,
  'local:stop': stopLocal,
} as const;
