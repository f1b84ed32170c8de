import { setTimeout as pause } from 'node:timers/promises';
import type { Integration } from '../../../shared/integration.ts';
import type { StartWords } from '../../../shared/pasted/read-command.ts';
import { commandBounds, variableName } from '../../../shared/shown-command.ts';
import { findIntegration } from '../../engine/kept/find-integration.ts';
import type { LocalValues } from '../../engine/kept/local-consent.ts';
import { keysIn } from '../../engine/kept/stored-secrets.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { askAboutLocal } from '../../host/gateway/gateway-holder.ts';
import type { LocalAsk, LocalReport } from '../../local-ports.ts';
import {
  CommandTooLong,
  connectCommand,
  NotLocal,
  PartToFillIn,
  prepareCommand,
  readLocalReport,
  startLocal,
  stopLocal,
} from '../../operations/local.ts';
import { readHiddenLine, terminalSurface } from '../asking/terminal-user.ts';
import type { CommandContext } from '../command-context.ts';
import { openCommandEngine, tellOutput } from '../opening/open-command-engine.ts';
import { openCommandProfile } from '../opening/open-command-profile.ts';
import { checkServerName, hasOption, optionValue, UsageError } from '../options/parse-arguments.ts';
import { summarise } from '../output/describe-integration.ts';
import type { Answer } from '../output/output.ts';
import { writeUse } from '../output/write-command.ts';
import { printable, printableLine } from '../text.ts';

/**
 * `postern local add NAME -- COMMAND…`: shows what will run, and connects it once that was allowed. `pasted`: variables
 * that came with the command. Errors: LOCAL_*, NAME_TAKEN, MCP_FAILED, USAGE, USER_CANCELLED, KC_*, CFG_*.
 */
export async function local(context: CommandContext, pasted: StartWords['variables'] = []): Promise<Answer> {
  const { args, output, steps, signal } = context;
  const [name = '', ...words] = args.positionals;
  checkServerName(name, args.command);
  const { ports } = await openCommandEngine(context);
  const readValues = async (): Promise<LocalValues> => {
    const typed = await readTyped(context);
    return { ...Object.fromEntries(pasted.map((each) => [each.name, each.value])), ...typed };
  };
  const folder = optionValue(args, 'cwd');
  const lifetime = optionValue(args, 'lifetime') === 'shared' ? 'shared' : undefined;
  const typed = { name, words, folder, writtenIn: process.cwd(), lifetime } as const;
  const prepared = await prepareCommand({ ports, readValues }, typed).catch((error: unknown) => {
    throw error instanceof PartToFillIn || error instanceof CommandTooLong ? commandUsage(error, context) : error;
  });
  const surface = {
    ...terminalSurface(context),
    starting(server: Parameters<typeof tellOutput>[2]) {
      tellOutput(context, ports, server);
      steps.begin('Starting it');
    },
  };
  const connected = await connectCommand({ ...surface, ports, signal }, prepared);
  if (!connected) throw new PosternError('USER_CANCELLED', { stage: 'programs' });
  const { integration, tools } = connected;
  const shown = printableLine(integration.name);
  steps.end('done', `Connected to ${shown}`);
  const { remote } = prepared;
  return {
    fields: { integration: summarise(integration), tools: tools.length, ...(remote && { remote }) },
    text: output.advise(
      `Connected “${shown}”, which has ${tools.length === 1 ? 'one tool' : `${tools.length} tools`}. Use it: ${writeUse('tools', integration.name)}`,
    ),
  };
}

function commandUsage(error: PartToFillIn | CommandTooLong, { args }: CommandContext): UsageError {
  if (error instanceof CommandTooLong) {
    const { words, variables } = commandBounds;
    return new UsageError(`A command has at most ${words} words and ${variables} variables.`, args.command);
  }
  const { part, variable } = error;
  return new UsageError(
    part === undefined
      ? `The value of ${variable} is one to fill in: put your own in its place.`
      : `The command has a part to fill in: ${printableLine(part, 80)}. Put your own value in its place.`,
    args.command,
  );
}

/** From this environment, or asked for, or from standard input: never from the command line. Errors: USAGE. */
async function readTyped({ args, stdin, canAsk, prompt, signal }: CommandContext): Promise<LocalValues> {
  const values: Record<string, string> = {};
  for (const name of args.options.get('env') ?? []) {
    if (!variableName.test(name)) throw new UsageError('--env needs the name of a variable, without =.', args.command);
    const asked = async (): Promise<string | undefined> =>
      canAsk ? await readHiddenLine(stdin, () => prompt(`${name}: `), signal) : undefined;
    const value = process.env[name] ?? (await asked());
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
 * `postern local start ID`: lets a server on this computer run; what nobody has allowed yet is shown and asked about. Errors:
 * NOT_FOUND, LOCAL_CONSENT where values are missing, USAGE, USER_CANCELLED, KC_*, CFG_*.
 */
export async function start(context: CommandContext): Promise<Answer> {
  const { args } = context;
  const lifetime = optionValue(args, 'lifetime');
  const { ports, folder } = await openCommandEngine(context);
  const server = await findIntegration(ports.store, args.positionals[0] ?? '', keysIn(ports.vault));
  const isShared = lifetime === undefined ? undefined : lifetime === 'shared';
  const scope = { ...terminalSurface(context), ports, askLocal: gatewayOf(folder) };
  const started = await startLocal(scope, { id: server.id, isShared }).catch(refuseRemote(server, context));
  return {
    fields: { state: started?.state ?? 'off' },
    text: `“${printableLine(server.name)}” runs as soon as something uses it.`,
  };
}

/** `postern local stop ID`: ends the processes of a server on this computer. Errors: NOT_FOUND, USAGE, CFG_*. */
export async function stop(context: CommandContext): Promise<Answer> {
  const { server, scope } = await openServer(context);
  const stopped = await stopLocal(scope, server).catch(refuseRemote(server, context));
  const shown = `“${printableLine(server.name)}”`;
  return {
    fields: { state: stopped?.state ?? 'off' },
    text: stopped ? `${shown} is stopped.` : `${shown} does not run: nobody serves programs.`,
  };
}

/** Milliseconds between two looks. */
const look = 300;

/** `postern local logs ID`: what a server on this computer has written. Errors: NOT_FOUND, USAGE, CFG_*. */
export async function logs(context: CommandContext): Promise<Answer> {
  const { args, output, signal } = context;
  const { server, scope } = await openServer(context);
  const { id } = server;
  const shown = `“${printableLine(server.name)}”`;
  const report = await readLocalReport(scope, { id }).catch(refuseRemote(server, context));
  if (!report) output.say(`Nobody serves programs, so ${shown} has not run for any.`);
  else if (report.output === '') output.say(`${shown} has written nothing.`);
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
    await pause(look, undefined, { signal }).catch(() => {});
    next = await scope.askLocal({ id, act: 'status', since });
    // Another one serves now.
    if (next && next.total < since) since = 0;
  }
  return { fields: {} };
}

async function openServer(context: CommandContext) {
  const { store, folder } = await openCommandProfile(context);
  const server = await findIntegration(store, context.args.positionals[0] ?? '');
  return { server, scope: { ports: { store }, askLocal: gatewayOf(folder) } };
}

/** The processes run where apps are served. */
function gatewayOf(folder: string): (ask: LocalAsk) => Promise<LocalReport | undefined> {
  return async (ask) => await askAboutLocal(folder, ask);
}

/** Errors: USAGE for a server that is somewhere else. */
function refuseRemote({ name }: Pick<Integration, 'name'>, { args }: CommandContext): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof NotLocal)) throw error;
    throw new UsageError(`Postern does not run “${printableLine(name)}”: it has an address.`, args.command);
  };
}
