import type { ProgramHome } from '../support/program-home.ts';
import type { packages } from './packages.ts';

/** How an AI program is made to use the server Notes once, without a person. */
export interface RealProgram {
  readonly package: keyof typeof packages;
  /** In the table of Postern: whose file is written. */
  readonly id: string;
  /** Puts what it has to have in its home folder before anything is added to it: a model, no questions. */
  readonly prepare: (home: ProgramHome, model: string) => void;
  /** Its environment, beside HOME, PATH and what leads every other request to nobody. */
  readonly environment: (model: string) => Readonly<Record<string, string>>;
  /** The command that uses `whoami` once, and where its answer is to be seen. */
  readonly ask: {
    readonly words: readonly string[];
    readonly seenBy: 'model' | 'output';
    /** Its exit code where the tool refuses; absent: 0. */
    readonly codeOfRefusal?: number;
  };
  /** Absent: it has none, and what it offers to its model shows what it has read. */
  readonly list?: ListCommand;
  /** At first it offers what a list said in an earlier run, until the server has listed its tools anew. */
  readonly offersFromBefore?: true;
  /** It is also tried with a question that nobody answers, which takes a minute and a half. */
  readonly waitsForAnswers?: true;
  /** Why it cannot go over HTTP here, where that is so. */
  readonly httpNeeds?: () => string | undefined;
  /**
   * Requests of it that no setting turns off: refused here, and nothing depends on them. As the host, or method and
   * path.
   */
  readonly knownRequests?: readonly RegExp[];
}

/** The command by which a program says which servers it has. */
export interface ListCommand {
  readonly words: readonly string[];
  /** What it prints about one that it has read. */
  readonly read: RegExp;
  /** What it prints about one that it has reached; absent: it does not try. */
  readonly reached?: RegExp;
  /** Its exit code where there is none; absent: 0. */
  readonly codeWhenGone?: number;
}

export const prompt = 'Who am I? Use the tool.';
