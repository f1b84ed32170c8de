import { setTimeout as pause } from 'node:timers/promises';
import type { Integration } from '../../../shared/integration.ts';
import type { StartWords } from '../../../shared/pasted/read-command.ts';
import { commandBounds, variableName } from '../../../shared/command-display.ts';
import { findIntegration } from '../../engine/records/find-integration.ts';
import type { LocalValues } from '../../engine/records/local-consent.ts';
import { keysIn } from '../../engine/records/stored-secrets.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { sendLocalRequest } from '../../host/gateway/gateway-holder.ts';
import type { LocalRequest, LocalReport } from '../../local-ports.ts';
import {
  CommandTooLong,
  connectCommand,
  NotLocal,
  PlaceholderInCommand,
  prepareCommand,
  readLocalReport,
  startLocal,
  stopLocal,
} from '../../operations/local.ts';
import { readHiddenLine, terminalSurface } from '../interaction/terminal-user.ts';
import type { CommandContext } from '../command-context.ts';
import { reportServerOutput } from '../opening/open-command-engine.ts';
import { checkServerName, hasOption, optionValue, UsageError } from '../options/parse-arguments.ts';
import { summarize } from '../output/describe-integration.ts';
import type { CommandResult } from '../output/output.ts';
import { writeServerCommand } from '../output/write-command.ts';
import { printable, printableLine } from '../text.ts';

/**
 * `postern local add NAME -- COMMAND…`: shows what will run and adds it once the user allows it. `pasted`: variables
 * from a pasted command. Errors: LOCAL_*, NAME_TAKEN, MCP_FAILED, USAGE, USER_CANCELLED, KC_*, CFG_*.
 */
export async function local(context: CommandContext, pasted: StartWords['variables'] = []): Promise<CommandResult> {
  const { args, output, steps, signal } = context;
  const [name = '', ...words] = args.positionals;
  checkServerName(name, args.command);
  const { ports } = await context.openEngine();
  const readValues = async (): Promise<LocalValues> => {
    const typed = await readVariables(context);
    const known = pasted.flatMap(({ name: one, value = process.env[one] }) =>
      value === undefined ? [] : [[one, value]],
    );
    return { ...Object.fromEntries(known), ...typed };
  };
  const folder = optionValue(args, 'cwd');
  const lifetime = optionValue(args, 'lifetime') === 'shared' ? 'shared' : undefined;
  const typed = { name, words, folder, shellFolder: process.cwd(), lifetime } as const;
  const prepared = await prepareCommand({ ports, readValues }, typed).catch((error: unknown) => {
    throw error instanceof PlaceholderInCommand || error instanceof CommandTooLong
      ? commandUsage(error, context)
      : error;
  });
  const surface = {
    ...terminalSurface(context),
    starting(server: Parameters<typeof reportServerOutput>[2]) {
      reportServerOutput(context, ports, server);
      steps.begin('Starting the server');
    },
  };
  const connected = await connectCommand({ ...surface, ports, signal }, prepared);
  if (!connected) throw new PosternError('USER_CANCELLED', { stage: 'apps' });
  const { integration, tools } = connected;
  const label = printableLine(integration.name);
  steps.end('done', `Connected to ${label}`);
  const { remote } = prepared;
  return {
    fields: { integration: summarize(integration), tools: tools.length, ...(remote && { remote }) },
    text: output.advise(
      `Added “${label}” with ${tools.length === 1 ? '1 tool' : `${tools.length} tools`}. Use it: ${writeServerCommand('tools', integration.name)}`,
    ),
  };
}

function commandUsage(error: PlaceholderInCommand | CommandTooLong, { args }: CommandContext): UsageError {
  if (error instanceof CommandTooLong) {
    const { words, variables } = commandBounds;
    return new UsageError(`A command can have at most ${words} arguments and ${variables} variables.`, args.command);
  }
  const { part, variable } = error;
  return new UsageError(
    part === undefined
      ? `The value of ${variable} is a placeholder. Replace it with your own value.`
      : `The command has a placeholder: ${printableLine(part, 80)}. Replace it with your own value.`,
    args.command,
  );
}

/** Variable values from this environment, the terminal or standard input, never from arguments. Errors: USAGE. */
async function readVariables({ args, stdin, canAsk, prompt, signal }: CommandContext): Promise<LocalValues> {
  const values: Record<string, string> = {};
  for (const name of args.options.get('env') ?? []) {
    if (!variableName.test(name)) throw new UsageError('--env needs only a variable name, without =.', args.command);
    const askValue = async (): Promise<string | undefined> =>
      canAsk ? await readHiddenLine(stdin, () => prompt(`${name}: `), signal) : undefined;
    const value = process.env[name] ?? (await askValue());
    if (value === undefined) throw new UsageError(`The variable ${name} is not set here.`, args.command);
    values[name] = value;
  }
  if (!hasOption(args, 'env-stdin')) return values;
  for (const line of (await stdin.readAll(signal)).split(/\r?\n/u)) {
    if (line.trim() === '') continue;
    const at = line.indexOf('=');
    const name = line.slice(0, Math.max(at, 0)).trim();
    if (!variableName.test(name))
      throw new UsageError('--env-stdin needs lines NAME=VALUE on standard input.', args.command);
    values[name] = line.slice(at + 1);
  }
  return values;
}

/**
 * `postern local start ID`: lets a local server run; asks first if its command is not allowed yet. Errors: NOT_FOUND,
 * LOCAL_CONSENT if values are missing, USAGE, USER_CANCELLED, KC_*, CFG_*.
 */
export async function start(context: CommandContext): Promise<CommandResult> {
  const { args } = context;
  const lifetime = optionValue(args, 'lifetime');
  const { ports, folder } = await context.openEngine();
  const server = await findIntegration(ports.store, args.positionals[0] ?? '', keysIn(ports.vault));
  const isShared = lifetime === undefined ? undefined : lifetime === 'shared';
  const scope = { ...terminalSurface(context), ports, sendLocalRequest: askGateway(folder) };
  const started = await startLocal(scope, { id: server.id, isShared }).catch(refuseRemote(server, context));
  return {
    fields: { state: started?.state ?? 'off' },
    text: `“${printableLine(server.name)}” starts when something uses it.`,
  };
}

/** `postern local stop ID`: stops a local server. Errors: NOT_FOUND, USAGE, CFG_*. */
export async function stop(context: CommandContext): Promise<CommandResult> {
  const { server, scope } = await findLocalServer(context);
  const stopped = await stopLocal(scope, server).catch(refuseRemote(server, context));
  const label = `“${printableLine(server.name)}”`;
  return {
    fields: { state: stopped?.state ?? 'off' },
    text: stopped ? `${label} is stopped.` : `${label} is not running, because Postern is not serving AI apps.`,
  };
}

/** Milliseconds. */
const pollInterval = 300;

/** `postern local logs ID`: shows the log output of a local server. Errors: NOT_FOUND, USAGE, CFG_*. */
export async function logs(context: CommandContext): Promise<CommandResult> {
  const { args, output, signal } = context;
  const { server, scope } = await findLocalServer(context);
  const { id } = server;
  const label = `“${printableLine(server.name)}”`;
  const report = await readLocalReport(scope, { id }).catch(refuseRemote(server, context));
  if (!report) output.info(`${label} has no log, because Postern is not serving AI apps.`);
  else if (report.output === '') output.info(`${label} has written no log output.`);
  if (!hasOption(args, 'follow'))
    return {
      fields: { state: report?.state ?? 'off', output: report?.output ?? '' },
      text: report?.output ? printable(report.output.trimEnd()) : undefined,
    };
  let since = 0;
  for (let next = report; !signal.aborted;) {
    if (next && next.total !== since) {
      output.event('output', { output: next.output });
      if (next.output !== '') output.print(printable(next.output.replace(/\n$/u, '')));
      since = next.total;
    }
    await pause(pollInterval, undefined, { signal }).catch(() => {});
    next = await scope.sendLocalRequest({ id, act: 'status', since });
    // Another process serves now and starts at 0.
    if (next && next.total < since) since = 0;
  }
  return { fields: {} };
}

async function findLocalServer(context: CommandContext) {
  const { store, folder } = await context.openProfile();
  const server = await findIntegration(store, context.args.positionals[0] ?? '');
  return { server, scope: { ports: { store }, sendLocalRequest: askGateway(folder) } };
}

/** Local servers run in the process that serves apps. */
function askGateway(folder: string): (ask: LocalRequest) => Promise<LocalReport | undefined> {
  return async (ask) => await sendLocalRequest(folder, ask);
}

/** Errors: USAGE for a remote server. */
function refuseRemote({ name }: Pick<Integration, 'name'>, { args }: CommandContext): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof NotLocal)) throw error;
    throw new UsageError(
      `“${printableLine(name)}” is a remote server. This command is for local servers.`,
      args.command,
    );
  };
}
