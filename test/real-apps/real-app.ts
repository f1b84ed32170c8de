import type { AppHome } from '../support/app-home.ts';
import type { packages } from './packages.ts';

/** How an AI app uses the server Notes once, without a user. */
export interface RealApp {
  readonly package: keyof typeof packages;
  /** In Postern's table of apps: whose file is written. */
  readonly id: string;
  /** Puts what it needs into its home folder before anything is added: a model, no prompts. */
  readonly prepare: (home: AppHome, model: string) => void;
  /** Its environment, beside HOME, PATH and what blocks every other request. */
  readonly environment: (model: string) => Readonly<Record<string, string>>;
  /** The command that uses `whoami` once, and where its result appears. */
  readonly ask: {
    readonly words: readonly string[];
    readonly seenBy: 'model' | 'output';
    /** Its exit code if the tool is denied; absent: 0. */
    readonly codeOfRefusal?: number;
  };
  /** Absent: it has none, and the tools exposed to its model show what it has read. */
  readonly list?: ListCommand;
  /** At first it exposes what a list contained in an earlier run, until the server has listed its tools again. */
  readonly offersFromBefore?: true;
  /** It is also tried with an unanswered prompt, which takes a minute and a half. */
  readonly waitsForAnswers?: true;
  /** Why it cannot use HTTP here, if so. */
  readonly httpNeeds?: () => string | undefined;
  /**
   * Its requests that no setting turns off: rejected here, and nothing depends on them. As the host, or method and
   * path.
   */
  readonly knownRequests?: readonly RegExp[];
}

/** The command by which an app lists its servers. */
export interface ListCommand {
  readonly words: readonly string[];
  /** What it prints about one that it has read. */
  readonly read: RegExp;
  /** What it prints about one that it has reached; absent: it does not try. */
  readonly reached?: RegExp;
  /** Its exit code if there is none; absent: 0. */
  readonly codeWhenGone?: number;
}

export const prompt = 'Who am I? Use the tool.';
