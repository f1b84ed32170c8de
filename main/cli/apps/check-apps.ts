import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import type { Collection } from '../../../shared/collection.ts';
import { collectionReference, titleOf } from '../../../shared/entry-name.ts';
import { canConnectOverHttp, isOtherApp } from '../../../shared/app-record.ts';
import type { AppRecord } from '../../../shared/app-record.ts';
import type { Settings } from '../../../shared/settings.ts';
import { checkSteps, entryFaultWords } from '../../../shared/status-words.ts';
import type { CheckedFile, EntryProblem } from '../../apps/inspect/check-entries.ts';
import { gatewayUrlOf } from '../../apps/app-dependencies.ts';
import type { AppDependencies } from '../../apps/app-dependencies.ts';
import { knownApps } from '../../apps/records/app-records.ts';
import type { App } from '../../apps/table/app.ts';
import { toPlainError } from '../../errors/postern-error.ts';
import { readVersion } from '../../host/installation.ts';
import { gatewayAddress, isGatewayRunning, readHolder } from '../../host/gateway/gateway-holder.ts';
import type { GatewayHolder } from '../../host/gateway/gateway-holder.ts';
import { faultFacts } from '../../operations/doctor.ts';
import type { AppFindings } from '../../operations/doctor.ts';
import { ActivityReader } from '../../storage/profile/activity-store.ts';
import { quoteForShell, writeFileOptions } from '../output/write-command.ts';
import { printableLine } from '../text.ts';

/** Checks whether AI apps can use servers through Postern. Errors: CFG_*. */
export async function checkApps(
  engine: AppDependencies,
  { files, records, waiting, empty }: AppFindings,
  settings: Settings,
): Promise<readonly AppCheck[]> {
  const found = [...files.flatMap(checkFile), ...waiting.map(checkWaiting)];
  const isUsed = files.some(({ entries }) => entries.length > 0);
  const okCheck: AppCheck = {
    name: 'apps',
    ok: true,
    message: isUsed ? 'The entries in your AI apps work.' : 'No AI app uses Postern yet.',
  };
  return [
    ...checkPause(settings, await knownApps(engine)),
    await checkGateway(engine.profileFolder),
    ...(await checkHttp(engine.profileFolder, settings.gatewayPort, records)),
    checkPipe(engine),
    ...(found.length > 0 ? found : [okCheck]),
    ...empty.map(checkCollection),
    await checkActivity(engine.profileFolder, settings),
  ];
}

/** An app without its entry for a server. Without a known file, only its first call shows that it has one. */
function checkWaiting({
  record: { app, name },
  server: { id, alias = id, name: server },
}: AppFindings['waiting'][number]): AppCheck {
  const [appName, serverName] = [printableLine(name, 80), printableLine(server, 80)];
  return isOtherApp(app)
    ? { name: 'apps', ok: true, message: `${appName} has not used ${serverName} yet.`, app }
    : {
        name: 'apps',
        ok: false,
        message: `The entry for ${serverName} is missing in the configuration of ${appName}.`,
        nextStep: `postern use ${quoteForShell(alias)} ${app}`,
        app,
      };
}

function checkCollection(collection: Collection): AppCheck {
  return {
    name: 'collections',
    ok: false,
    message: `The collection “${printableLine(titleOf(collection), 80)}” has no servers, so ${collectionReference(collection)} gives AI apps nothing.`,
    nextStep: `postern collection ${collection.name} ID`,
  };
}

/** Reports paused apps. No check if none is paused. */
function checkPause(
  { appsPaused, pausedApps = [] }: Settings,
  apps: readonly Pick<App, 'id' | 'name'>[],
): readonly AppCheck[] {
  const check = (message: string, nextStep: string): AppCheck => ({ name: 'pause', ok: false, message, nextStep });
  const all = 'You paused all AI apps. Their requests are refused.';
  return [
    ...(appsPaused === true ? [check(all, 'postern settings appsPaused false')] : []),
    // One check each, because each is resumed by its own command.
    ...apps
      .filter(({ id }) => pausedApps.includes(id))
      .map(({ id, name }) =>
        check(`You paused ${printableLine(name, 200)}. Its requests are refused.`, `postern apps ${id} --resume`),
      ),
  ];
}

/** Reports how many calls are recorded. */
async function checkActivity(folder: string, { activity }: Settings): Promise<AppCheck> {
  const { calls } = await new ActivityReader(folder).read();
  const recorded = calls.length === 1 ? '1 call is recorded' : `${calls.length} calls are recorded`;
  const mode =
    activity === 'off'
      ? 'You turned off recording of calls'
      : 'Postern records which app calls what, but no arguments or results';
  return { name: 'activity', ok: true, message: `${mode}; ${recorded}.` };
}

function checkPipe({ pipe: { command } }: AppDependencies): AppCheck {
  const version = readVersion();
  const facts = { name: 'pipe', path: command, version } as const;
  const message = `AI apps start ${printableLine(command, 200)} of Postern ${version}.`;
  if (existsSync(command)) return { ...facts, ok: true, message };
  return { ...facts, ok: false, message: `${message} It is missing.`, nextStep: 'Install Postern again.' };
}

function checkFile({ app, file, entries, error }: CheckedFile): AppCheck[] {
  const name = 'apps';
  if (error) {
    const message = `Postern cannot read the configuration of ${app.name}: ${toPlainError(error).message}`;
    const nextStep = 'Fix the file. Postern does not touch it until then.';
    return [{ name, ok: false, message, nextStep, app: app.id, path: file.path }];
  }
  const where = writeFileOptions(file);
  return entries.flatMap((entry): AppCheck[] => {
    const { fault } = entry;
    if (!fault) return [];
    const problem = entryFaultWords[fault]({ of: app.name, ...faultFacts(entry, fault) });
    return [
      {
        name,
        ok: false,
        message: `The entry “${printableLine(entry.name, 80)}” of ${app.name} ${problem}`,
        nextStep: writeStep(checkSteps[fault], app.name, `${quoteForShell(entry.server)} ${app.id}${where}`),
        app: app.id,
        entry: entry.name,
        path: file.path,
      },
    ];
  });
}

/** The fix for an entry of `app`. `words`: the arguments of the command. */
function writeStep(step: (typeof checkSteps)[EntryProblem], app: string, words: string): string {
  switch (step) {
    case 'remove-entry':
      return `postern unuse ${words}`;
    case 'allow':
    case 'renew':
      return `postern use ${words}`;
    case 'renew-address':
      return `postern use ${words} --http`;
    case 'change-setting':
      return `Change that setting in ${app}.`;
  }
}

/** Milliseconds for a local socket to accept a connection. */
const connectTimeout = 1_000;
/** Milliseconds for the gateway to read a line: a hung process accepts connections but reads nothing. */
const readTimeout = 5_000;

const holders: Readonly<Record<GatewayHolder['kind'], string>> = {
  window: 'The Postern window',
  serve: '`postern serve`',
};

/**
 * The lock shows whether a process serves, `endpoint.json` which one, and the socket whether apps can reach it. Never
 * rejects.
 */
async function checkGateway(folder: string): Promise<AppCheck> {
  const name = 'gateway';
  if (!(await isGatewayRunning(folder))) {
    const message = 'Postern is not serving AI apps now. It starts when an app needs it.';
    return { name, ok: true, message, holder: null, socket: null };
  }
  const [socketPath, holder] = [(await gatewayAddress(folder)) ?? folder, await readHolder(folder)];
  const holderName = holder ? `${holders[holder.kind]} (process ${holder.pid})` : 'A Postern process';
  const facts = { holder: holder ? { kind: holder.kind, pid: holder.pid } : null, socket: socketPath };
  const displayPath = printableLine(socketPath, 200);
  if (holder?.isLeaving === true) {
    const message = `${holderName} is finishing its last requests before it exits. It starts again when an app needs it.`;
    return { name, ok: true, message, ...facts, socket: null };
  }
  const isReachable = await acceptsConnections({ path: socketPath });
  if (isReachable && (await responds(socketPath))) {
    return { name, ok: true, message: `${holderName} serves AI apps at ${displayPath}.`, ...facts };
  }
  const message = isReachable
    ? `${holderName} holds ${displayPath} but does not respond, so AI apps cannot use Postern.`
    : `${holderName} serves AI apps, but cannot be reached at ${displayPath}.`;
  return { name, ok: false, message, nextStep: 'Quit it. Postern starts again when an app needs it.', ...facts };
}

/** Checks the HTTP port, if an app uses it. Never rejects. */
async function checkHttp(
  folder: string,
  port: number | undefined,
  records: readonly AppRecord[],
): Promise<readonly AppCheck[]> {
  if (port === undefined || !records.some(canConnectOverHttp)) return [];
  const name = 'http';
  const address = gatewayUrlOf(port);
  const isOpen = (await isGatewayRunning(folder)) && (await readHolder(folder))?.http === address;
  if (isOpen) return [{ name, ok: true, message: `AI apps that use HTTP reach Postern at ${address}.`, port }];
  if (await acceptsConnections({ port, host: '127.0.0.1' })) {
    const message = `Port ${port} is used by another program, so AI apps that use HTTP cannot reach Postern.`;
    return [{ name, ok: false, message, nextStep: 'Quit that program. Postern then uses the port.', port }];
  }
  const message = `Postern is not running at ${address}, and an app that uses HTTP cannot start it.`;
  return [{ name, ok: false, message, nextStep: 'Open the Postern window, or run `postern serve`.', port }];
}

/** Whether the gateway reads input: it hangs up on an invalid first line. */
async function responds(socketPath: string): Promise<boolean> {
  const socket = connect(socketPath);
  socket.resume();
  socket.write('{"postern":1,"control":"there"}\n');
  try {
    await once(socket, 'close', { signal: AbortSignal.timeout(readTimeout) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function acceptsConnections(
  endpoint: { readonly path: string } | { readonly port: number; readonly host: string },
) {
  const socket = connect(endpoint);
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(connectTimeout) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** A check about AI apps: a message for the user and fields for `--json`. */
export interface AppCheck {
  readonly name: 'gateway' | 'http' | 'pipe' | 'apps' | 'collections' | 'activity' | 'pause';
  readonly ok: boolean;
  readonly message: string;
  readonly nextStep?: string;
  /** The process that serves apps; `null`: none, or unknown. */
  readonly holder?: { readonly kind: 'window' | 'serve'; readonly pid: number } | null;
  readonly socket?: string | null;
  readonly port?: number;
  /** The command that entries start, and its version. */
  readonly path?: string;
  readonly version?: string;
  readonly app?: string;
  readonly entry?: string;
}
