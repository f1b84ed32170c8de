import type { CatalogueDetail } from '../shared/error-detail.ts';
import type { ProgramChange } from '../shared/program-view.ts';
import { PosternError } from './errors/postern-error.ts';

/** What changing other programs' configurations needs of the world; `program-files/` implements it. */

export interface FoundPath {
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'other';
}

/** A file of another program: below the home folder, or below `project`, which a person named. */
export interface ProgramFile {
  readonly path: string;
  readonly project?: string | undefined;
  /** Id of the profile of an editor that it belongs to; absent: the default one. */
  readonly editorProfile?: string | undefined;
}

const codes = {
  denied: 'PROGRAM_FILE_DENIED',
  damaged: 'PROGRAM_FILE_DAMAGED',
  layout: 'PROGRAM_FILE_LAYOUT',
} as const;

/**
 * Why a program's file is left alone: it may not be read or written, is not valid in its format, or is valid and of a
 * kind that is not changed safely.
 */
export class ProgramFileFault extends PosternError {
  readonly kind: keyof typeof codes;

  constructor(kind: keyof typeof codes, detail: CatalogueDetail, cause?: unknown) {
    super(codes[kind], { stage: 'programs', cause, detail });
    this.kind = kind;
  }
}

/** Configuration files of other programs. Errors, all with stage `programs`: PROGRAM_FILE_DENIED. */
export interface ProgramFiles {
  /** Whether it is there, without a look inside. `*` stands for a part of one name; of several the last one counts. */
  find(pattern: string): Promise<FoundPath | undefined>;
  /** Why it would not be read, as far as that shows without a look inside. Never rejects. */
  faultAtAGlance(file: ProgramFile): Promise<PosternError | undefined>;
  /** The whole text, a mark at its beginning included. `undefined`: there is none. Errors: PROGRAM_FILE_DAMAGED too. */
  read(file: ProgramFile): Promise<string | undefined>;
  /**
   * Whether others than its owner may read it, as far as its mode says; a file that is not there will be the owner's
   * alone.
   */
  isReadByOthers(file: ProgramFile): Promise<boolean>;
  /**
   * Puts `after` in the place of `before`, whole or not at all, with the mode and owner of before; `undefined` is no
   * file. `folder`: goes with the file, and what is between, while nothing else stands in them. Errors:
   * PROGRAM_FILE_CHANGED too, where `before` is not what is there.
   */
  write(file: ProgramFile, before: string | undefined, after: string | undefined, folder?: string): Promise<void>;
  /** What starts a program's own command, without a shell: looked for in PATH, then in `places`. */
  findCommand(name: string, places: readonly string[]): Promise<OwnCommand | undefined>;
  /** Runs it without a shell and unheard. Whether it ended well, in time. */
  run(command: string, args: readonly string[]): Promise<boolean>;
}

export interface OwnCommand {
  /** Absolute. */
  readonly command: string;
  /** Words that come before its own. */
  readonly args: readonly string[];
}

/** What stood in programs' files before our changes, and what the changes were. Errors: PROGRAM_FILE_DENIED. */
export interface ProgramBackups {
  /** Newest first. */
  list(): Promise<readonly ProgramChange[]>;
  /** Before the change is made. Answers where the copy is; `undefined` where there was nothing to copy. */
  keep(change: ProgramChange, before: string | undefined): Promise<string | undefined>;
  /** What stood there before it; `undefined`: nothing did, or the copy is gone. */
  before(change: ProgramChange): Promise<string | undefined>;
  /** Where that copy is, if one was kept. */
  placeOf(change: ProgramChange): string;
  /** Notes what became of it. */
  note(change: ProgramChange): Promise<void>;
  /** Of a change that was not made. */
  forget(change: ProgramChange): Promise<void>;
}
