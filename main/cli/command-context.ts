import type { KeptServers } from '../engine/use/server-cache.ts';
import type { PosternError } from '../errors/postern-error.ts';
import type { Collections, ProgramRecords } from '../gateway-ports.ts';
import type { Installation } from '../host/installation.ts';
import type { Keychains } from '../host/keychains.ts';
import type { Engine } from '../host/open-engine.ts';
import type { Profile } from '../host/open-profile.ts';
import type { RunRemoteCommand } from '../net/endpoint/command-endpoint.ts';
import type { Keychain, Log } from '../ports.ts';
import type { CommandSpec, CommandTable } from './options/command-spec.ts';
import type { ParsedArguments } from './options/parse-arguments.ts';
import type { Answer, Output } from './output/output.ts';
import type { ServerAtHand, Situation } from './output/write-command.ts';
import type { Interruption, StdinLines } from './terminal/terminal-input.ts';
import type { LiveSteps } from './terminal/terminal-output.ts';

/** What a command has to work with. */
export interface CommandContext {
  readonly args: ParsedArguments;
  /** All that there are, for those that explain or run others. */
  readonly commands: CommandTable<LoadableCommand>;
  readonly output: Output;
  readonly steps: LiveSteps;
  readonly stdin: StdinLines;
  /** Writes to the terminal as it is, for questions. */
  readonly prompt: (text: string) => void;
  /** A person sits at this terminal and may be asked. */
  readonly canAsk: boolean;
  /** Aborts with USER_CANCELLED when the person interrupts. */
  readonly signal: AbortSignal;
  readonly interruption: Pick<Interruption, 'passTo'>;
  readonly installation: Installation;
  /** The same for the whole command. */
  keychains(): Promise<Keychains>;
  /** What names of files are relative to; `undefined` where it has been removed. */
  readonly currentFolder: string | undefined;
  /** Of the command that runs this one, with what is in its memory, or of the process that runs it for another one. */
  readonly lent?: CommandEngine | undefined;
  /** Left out where this command is not a process of its own. */
  readonly serveCommands?: ((engine: CommandEngine) => Promise<ServedCommands>) | undefined;
  /** Where failures of this command are noted from now on. */
  logTo(log: Log): void;
  /** The server that a name stands for, for a next step that names the command that connects it. */
  serverAtHand(server: ServerAtHand): void;
  /** What a next step can be built from so far. */
  situation(): Situation;
  /** Something to be said before the last line, whatever that is; `failure`: what that line will say. */
  onAnswer(tell: (failure?: PosternError) => void): void;
  /** Work to do before the process ends, in whatever way it ends. It gets two seconds. */
  onEnd(close: () => Promise<void>): void;
  /** Work that has begun and is not cut off by the end of the process, unless the user insists on it. */
  finishBeforeEnd(finish: () => Promise<unknown>): void;
}

/** Runs commands that were typed elsewhere. */
export interface ServedCommands {
  readonly run: RunRemoteCommand;
  /** Ends the sessions that are kept. Never rejects. */
  close(): Promise<void>;
}

export type Command = (context: CommandContext) => Promise<Answer>;

/** The row of a command. */
export interface LoadableCommand extends CommandSpec {
  /** Loads it and what it needs, and nothing of the others. */
  readonly load: () => Promise<Command>;
}

/** The engine as a command has it. */
export interface CommandEngine extends Engine, Pick<Profile, 'history'> {
  /** Connections that stay between commands, in a process that runs many. */
  readonly keptServers?: KeptServers | undefined;
  readonly folder: string;
  readonly keychain: Keychain;
  /** The programs that may use what is connected. */
  readonly programs: ProgramRecords;
  readonly collections: Collections;
  /** What was found in the settings file. */
  readonly notices: () => readonly PosternError[];
  /** Variables of the environment that have no effect here. */
  readonly ignored: readonly string[];
}

/** Rows of the table, with their names and nothing more as their type. */
export function commandRows<Name extends string>(
  rows: Readonly<Record<Name, LoadableCommand>>,
): Readonly<Record<Name, LoadableCommand>> {
  return rows;
}

export const theId =
  'ID is a name from `postern list`, an alias, an address, or an id (or how it begins) from `postern list --json`.';
