import { setTimeout as pause } from 'node:timers/promises';
import type { Integration } from '../../../shared/integration.ts';
import { findIntegration } from '../../engine/kept/find-integration.ts';
import { keysIn } from '../../engine/kept/stored-secrets.ts';
import { askAboutLocal } from '../../host/gateway/gateway-holder.ts';
import type { LocalAsk, LocalReport } from '../../local-ports.ts';
import { NotLocal, readLocalReport, startLocal, stopLocal } from '../../operations/local.ts';
import { terminalSurface } from '../asking/terminal-user.ts';
import type { CommandContext } from '../command-context.ts';
import { openCommandEngine } from '../opening/open-command-engine.ts';
import { openCommandProfile } from '../opening/open-command-profile.ts';
import { hasOption, optionValue, UsageError } from '../options/parse-arguments.ts';
import type { Answer } from '../output/output.ts';
import { printable, printableLine } from '../text.ts';

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
  const started = await startLocal(scope, { id: server.id, isShared }).catch(toUsage(server, context));
  return {
    fields: { state: started?.state ?? 'off' },
    text: `“${printableLine(server.name)}” runs as soon as something uses it.`,
  };
}

/** `postern local stop ID`: ends the processes of a server on this computer. Errors: NOT_FOUND, USAGE, CFG_*. */
export async function stop(context: CommandContext): Promise<Answer> {
  const { server, scope } = await openServer(context);
  const stopped = await stopLocal(scope, server).catch(toUsage(server, context));
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
  const report = await readLocalReport(scope, { id }).catch(toUsage(server, context));
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
function toUsage({ name }: Pick<Integration, 'name'>, { args }: CommandContext): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof NotLocal)) throw error;
    throw new UsageError(`Postern does not run “${printableLine(name)}”: it has an address.`, args.command);
  };
}
