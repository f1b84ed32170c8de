import type { AppDependencies } from '../apps/app-dependencies.ts';
import type { ServerPool } from '../engine/use/server-pool.ts';
import type { PosternError } from '../errors/postern-error.ts';
import type { Collections, AppRecords } from '../gateway-ports.ts';
import type { Installation } from '../host/installation.ts';
import type { Keychains } from '../host/keychains.ts';
import type { Engine } from '../host/open-engine.ts';
import type { Profile } from '../host/open-profile.ts';
import type { RunRemoteCommand } from '../net/endpoint/control-endpoint.ts';
import type { Keychain, Log } from '../ports.ts';
import type { CommandSpec, CommandTable } from './options/command-spec.ts';
import type { ParsedArguments } from './options/parse-arguments.ts';
import type { CommandResult, Output } from './output/output.ts';
import type { TargetServer, AdviceContext } from './output/write-command.ts';
import type { Interruption, StdinLines } from './terminal/terminal-input.ts';
import type { LiveSteps } from './terminal/terminal-output.ts';

/** Everything a command gets. */
export interface CommandContext {
  readonly args: ParsedArguments;
  /** All commands, for those that describe or run others. */
  readonly commands: CommandTable<LoadableCommand>;
  readonly output: Output;
  readonly steps: LiveSteps;
  readonly stdin: StdinLines;
  /** Writes to the terminal without a line end, for questions. */
  readonly prompt: (text: string) => void;
  /** Whether a user is at this terminal and can answer questions. */
  readonly canAsk: boolean;
  /** Aborts with USER_CANCELLED when the user interrupts. */
  readonly signal: AbortSignal;
  readonly interruption: Pick<Interruption, 'passTo'>;
  readonly installation: Installation;
  /** Opened once per command. */
  keychains(): Promise<Keychains>;
  /** Base of relative file names; `undefined` if the folder has been removed. */
  readonly currentFolder: string | undefined;
  /** Opens the profile. Problems in its settings file are reported before the last line. Errors: CFG_*. */
  openProfile(): Promise<Profile>;
  /** Opens the engine, for a command that talks to servers. `memory`: stores nothing. Errors: CFG_*. */
  openEngine(options?: { readonly memory?: boolean }): Promise<CommandEngine>;
  /** Absent if this command does not have a process of its own. */
  readonly serveCommands?: ((engine: CommandEngine) => Promise<CommandServer>) | undefined;
  /** From now on, failures of this command go to `log`. */
  logTo(log: Log): void;
  /** Lets next steps include the `postern connect` command of this server. */
  setTargetServer(server: TargetServer): void;
  /** What is known so far for writing a next step. */
  adviceContext(): AdviceContext;
  /** Registers a callback that runs just before the last line. `failure`: the error that line will report. */
  beforeResult(report: (failure?: PosternError) => void): void;
  /** Registers cleanup that runs however the command ends. All cleanup together gets two seconds. */
  onEnd(close: () => Promise<void>): void;
  /** Registers work to wait for before the process ends, without a time limit. A second Ctrl-C skips it. */
  finishBeforeEnd(finish: () => Promise<unknown>): void;
}

/** Runs commands on behalf of other processes. */
export interface CommandServer {
  readonly run: RunRemoteCommand;
  /** Closes the pooled sessions. Never rejects. */
  close(): Promise<void>;
}

export type Command = (context: CommandContext) => Promise<CommandResult>;

/** A command's row in the table. */
export interface LoadableCommand extends CommandSpec {
  /** Loads this command and its imports only. */
  readonly load: () => Promise<Command>;
}

/** The engine, with what commands need of the profile. */
export interface CommandEngine extends Engine, Pick<Profile, 'history'> {
  /** Connections reused across commands, in a process that runs many. */
  readonly serverPool?: ServerPool | undefined;
  readonly folder: string;
  readonly keychain: Keychain;
  /** The AI apps that may use the connected servers. */
  readonly apps: AppRecords;
  readonly collections: Collections;
  /** What commands about AI apps need. Errors: CFG_*. */
  readonly openApps: () => Promise<AppDependencies>;
  /** Problems found in the settings file. */
  readonly notices: () => readonly PosternError[];
  /** Environment variables that were ignored. */
  readonly ignoredVariables: readonly string[];
}

/** Keeps the command names in the type and widens the rows. */
export function commandRows<Name extends string>(
  rows: Readonly<Record<Name, LoadableCommand>>,
): Readonly<Record<Name, LoadableCommand>> {
  return rows;
}

export const idHelp =
  'ID is the name, alias or address of a server (`postern list`), or the start of its ID (`postern list --json`).';
