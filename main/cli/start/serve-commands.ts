import { findIntegration } from '../../engine/records/find-integration.ts';
import { keysIn } from '../../engine/records/stored-secrets.ts';
import { ServerPool } from '../../engine/use/server-pool.ts';
import { profileEnvironment } from '../../host/installation.ts';
import type { Installation } from '../../host/installation.ts';
import { openKeychains } from '../../host/keychains.ts';
import { openProfile } from '../../host/open-profile.ts';
import type { CommandRequest, RemoteCommand } from '../../net/endpoint/control-endpoint.ts';
import { peekKeyringKind } from '../../storage/keychain/keychain-service.ts';
import { refuseSharedFolder, watchProfile } from '../../storage/profile/profile-folder.ts';
import { profilePath } from '../../storage/profile/profile-path.ts';
import type { CommandEngine, CommandServer } from '../command-context.ts';
import { assembleEngine } from '../opening/open-command-engine.ts';
import type { CommandName } from '../options/command-spec.ts';
import { parseArguments } from '../options/parse-arguments.ts';
import type { OptionName } from '../options/option-specs.ts';
import type { ParsedArguments } from '../options/parse-arguments.ts';
import { commandTable } from '../table/command-table.ts';
import { createStdinLines, createInterruption } from '../terminal/terminal-input.ts';
import { openTerminal } from './open-terminal.ts';
import { runCommandLine } from './run-command-line.ts';
import { affectsResult, processIdentity } from './this-process.ts';

/**
 * Runs delegated commands with this process's engine, whose vault is open, and with pooled connections. Declines those
 * that could give another result here: on a profile with a keyring, whose secret each command needs, and on local
 * servers.
 */
export function serveCommands(installation: Installation, engine: CommandEngine): CommandServer {
  const { folder, ports } = engine;
  const serverPool = new ServerPool({ verbatim: {}, isExclusive: true });
  const sharedEngine: CommandEngine = { ...engine, serverPool };
  const stopWatching = watchProfile(folder, () => void serverPool.review(ports.store));
  const ownIdentity = JSON.stringify(processIdentity(installation));

  async function canRun({ argv, identity, env }: CommandRequest): Promise<boolean> {
    const args = JSON.stringify(identity) === ownIdentity && hasSameEnvironment(env) ? parseDelegated(argv) : undefined;
    if (!args || peekKeyringKind(folder) !== undefined) return false;
    refuseSharedFolder(folder, process.platform);
    if (!commandTable.specs[args.command].usesSignIn) return true;
    const { command } = await findIntegration(ports.store, args.positionals[0] ?? '', keysIn(ports.vault));
    return command === undefined;
  }

  return {
    async run(command) {
      // Declined on any error. The terminal's own process then reports it.
      if (!(await canRun(command.request).catch(() => false))) return undefined;
      return (await command.begin()) ? await run(command, installation, sharedEngine) : undefined;
    },
    async close() {
      stopWatching();
      await serverPool.end();
    },
  };
}

/** `serveCommands` with its own engine, for the window: it is another bundle, so it cannot share its engine. */
export function serveCommandsStandalone(installation: Installation): CommandServer {
  const profile = openProfile(profilePath(profileEnvironment(installation)));
  const keychains = openKeychains(installation);
  const engine = assembleEngine({ installation, profile, keychains, ignoredVariables: [] });
  const commandServer = serveCommands(installation, engine);
  return {
    run: commandServer.run,
    async close() {
      await commandServer.close();
      await engine.close();
    },
  };
}

async function run(
  { request, stdout, stderr, openStdin, columns, onSignal }: RemoteCommand,
  installation: Installation,
  sharedEngine: CommandEngine,
): Promise<number> {
  const { argv, cwd, env, name, terminals } = request;
  const terminal = openTerminal({
    ...{ argv, env, name, stdout, stderr },
    columns: terminals.stdout ? columns() : undefined,
    currentColumns: () => columns() ?? 80,
    stdin: createStdinLines(openStdin, terminals.stdin),
  });
  const interruption = createInterruption(onSignal);
  const code = await runCommandLine({
    ...terminal,
    argv,
    installation,
    currentFolder: cwd,
    interruption,
    sharedEngine,
  });
  return await terminal.end(code);
}

/**
 * Commands with these options are not run here, because they may ask the user, run without end, set a level for a
 * session, write a file or name another profile.
 */
const neverServed: readonly OptionName[] = [
  'sign-in',
  'follow',
  'log-level',
  'output',
  'profile-folder',
  'vault',
  'passphrase-file',
  'key-file',
];

/** Files that are different in each process. */
const processFiles = /@\/(?:dev|proc)\//u;

function parseDelegated(argv: readonly string[]): (ParsedArguments & { readonly command: CommandName }) | undefined {
  const args = parseArguments(commandTable, argv);
  const { command, options } = args;
  if (command === undefined || commandTable.specs[command].canDelegate !== true) return undefined;
  if (neverServed.some((each) => options.has(each)) || argv.some((word) => processFiles.test(word))) return undefined;
  return { ...args, command };
}

/** Whether all variables that can change a result are the same in this process. */
function hasSameEnvironment(env: Readonly<Record<string, string>>): boolean {
  const names = new Set([...Object.keys(env), ...Object.keys(process.env)].filter(affectsResult));
  return [...names].every((name) => env[name] === process.env[name]);
}
