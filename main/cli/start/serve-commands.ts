import { findIntegration } from '../../engine/kept/find-integration.ts';
import { keysIn } from '../../engine/kept/stored-secrets.ts';
import { KeptServers } from '../../engine/use/server-cache.ts';
import { profileSurroundings } from '../../host/installation.ts';
import type { Installation } from '../../host/installation.ts';
import { openKeychains } from '../../host/keychains.ts';
import { openProfile } from '../../host/open-profile.ts';
import type { CommandRequest, RemoteCommand } from '../../net/endpoint/command-endpoint.ts';
import { glanceAtKeyring } from '../../storage/keychain/keychain-service.ts';
import { refuseSharedFolder, watchProfile } from '../../storage/profile/profile-folder.ts';
import { profilePath } from '../../storage/profile/profile-path.ts';
import type { CommandEngine, ServedCommands } from '../command-context.ts';
import { assembleEngine } from '../opening/open-command-engine.ts';
import type { CommandName } from '../options/command-spec.ts';
import { parseArguments } from '../options/parse-arguments.ts';
import type { OptionName } from '../options/option-specs.ts';
import type { ParsedArguments } from '../options/parse-arguments.ts';
import { commandTable } from '../table/command-table.ts';
import { createStdinLines, interruptedBy } from '../terminal/terminal-input.ts';
import { openTerminal } from './open-terminal.ts';
import { runCommandLine } from './run-command-line.ts';
import { bearsOnAnswer, identityOf } from './this-process.ts';

/**
 * Runs commands that were typed elsewhere with this process's engine, whose vault is open, and over connections that
 * stay between them. Where a command could answer otherwise here than by itself, it is not run: so none is on a profile
 * whose own keyring each command has to be given the key of, and none that uses a server on this computer.
 */
export function serveCommands(installation: Installation, engine: CommandEngine): ServedCommands {
  const { folder, ports } = engine;
  const keptServers = new KeptServers({ asWritten: {}, isExclusive: true });
  const lent: CommandEngine = { ...engine, keptServers };
  const stopWatching = watchProfile(folder, () => void keptServers.review(ports.store));
  const own = JSON.stringify(identityOf(installation));

  async function canRun({ argv, identity, env }: CommandRequest): Promise<boolean> {
    const args = JSON.stringify(identity) === own && isSameHere(env) ? readServed(argv) : undefined;
    if (!args || glanceAtKeyring(folder) !== undefined) return false;
    await refuseSharedFolder(folder, process.platform);
    if (!commandTable.specs[args.command].usesSignIn) return true;
    const { command } = await findIntegration(ports.store, args.positionals[0] ?? '', keysIn(ports.vault));
    return command === undefined;
  }

  return {
    async run(command) {
      // Whatever speaks against it, the command itself says.
      if (!(await canRun(command.request).catch(() => false))) return undefined;
      return (await command.begin()) ? await run(command, installation, lent) : undefined;
    },
    async close() {
      stopWatching();
      await keptServers.end();
    },
  };
}

/** The same with an engine of its own, as each of the commands would have by itself: in a window, that is of another bundle. */
export function serveCommandsAlone(installation: Installation): ServedCommands {
  const profile = openProfile(profilePath(profileSurroundings(installation)));
  const keychains = openKeychains(installation);
  const engine = assembleEngine({ installation, profile, keychains, ignored: [] });
  const served = serveCommands(installation, engine);
  return {
    run: served.run,
    async close() {
      await served.close();
      await engine.close();
    },
  };
}

async function run(
  { request, stdout, stderr, openStdin, columns, onSignal }: RemoteCommand,
  installation: Installation,
  lent: CommandEngine,
): Promise<number> {
  const { argv, cwd, env, name, terminals } = request;
  const terminal = openTerminal({
    ...{ argv, env, name, stdout, stderr },
    columns: terminals.stdout ? columns() : undefined,
    columnsNow: () => columns() ?? 80,
    stdin: createStdinLines(openStdin, terminals.stdin),
  });
  const interruption = interruptedBy(onSignal);
  const code = await runCommandLine({ ...terminal, argv, installation, currentFolder: cwd, interruption, lent });
  return await terminal.end(code);
}

/**
 * What may ask a user elsewhere, has no end, lasts for a session, writes a file or names another profile is run by
 * itself.
 */
const alone: readonly OptionName[] = [
  'sign-in',
  'follow',
  'log-level',
  'output',
  'profile-folder',
  'vault',
  'passphrase-file',
  'key-file',
];

/** Files of this process, which are others there. */
const ofProcess = /@\/(?:dev|proc)\//u;

function readServed(argv: readonly string[]): (ParsedArguments & { readonly command: CommandName }) | undefined {
  const args = parseArguments(commandTable, argv);
  const { command, options } = args;
  if (command === undefined || commandTable.specs[command].isServed !== true) return undefined;
  if (alone.some((each) => options.has(each)) || argv.some((word) => ofProcess.test(word))) return undefined;
  return { ...args, command };
}

/** Whether what an answer may depend on is the same in this process. */
function isSameHere(env: Readonly<Record<string, string>>): boolean {
  const names = new Set([...Object.keys(env), ...Object.keys(process.env)].filter(bearsOnAnswer));
  return [...names].every((name) => env[name] === process.env[name]);
}
