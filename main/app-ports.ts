import type { CatalogDetail } from '../shared/error-detail.ts';
import type { AppChange } from '../shared/app-view.ts';
import { PosternError } from './errors/postern-error.ts';

/** The ports for changing AI apps' configuration files; `apps/files/` implements them. */

export interface FoundPath {
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'other';
}

/** An app's configuration file: below the home folder, or below `project`, which the user named. */
export interface AppFile {
  readonly path: string;
  readonly project?: string | undefined;
  /** Id of the editor profile that it belongs to; absent for the default profile. */
  readonly editorProfile?: string | undefined;
}

const codes = {
  denied: 'APP_FILE_DENIED',
  damaged: 'APP_FILE_DAMAGED',
  layout: 'APP_FILE_LAYOUT',
} as const;

/** Why an app's file is left alone: no permission, invalid syntax, or a valid layout that cannot be edited safely. */
export class AppFileFault extends PosternError {
  readonly kind: keyof typeof codes;

  constructor(kind: keyof typeof codes, detail: CatalogDetail, cause?: unknown) {
    super(codes[kind], { stage: 'apps', cause, detail });
    this.kind = kind;
  }
}

/** Configuration files of AI apps. Errors, all with stage `apps`: APP_FILE_DENIED. */
export interface AppFiles {
  /** Whether it exists; the content is not read. `*` matches part of one name; of several matches the last counts. */
  find(pattern: string): Promise<FoundPath | undefined>;
  /** Why the file could not be read, judged without opening it. Never rejects. */
  peekFault(file: AppFile): Promise<PosternError | undefined>;
  /** The whole text, including a byte order mark. `undefined`: no such file. Errors: also APP_FILE_DAMAGED. */
  read(file: AppFile): Promise<string | undefined>;
  /** Whether its mode lets anyone but the owner read it. A missing file will be created for the owner only. */
  isReadableByOthers(file: AppFile): Promise<boolean>;
  /**
   * Replaces `before` with `after` atomically, keeping mode and owner; `undefined` means no file. `folder`: removed
   * together with the file, as are the folders in between, as long as they are empty. Errors: also APP_FILE_CHANGED if
   * the content is not `before`.
   */
  write(file: AppFile, before: string | undefined, after: string | undefined, folder?: string): Promise<void>;
  /** How to run an app's own command without a shell: looked up in PATH, then in `folders`. */
  findCommand(name: string, folders: readonly string[]): Promise<AppCommand | undefined>;
  /** Runs it without a shell, and discards its output. True if it exited successfully in time. */
  run(command: string, args: readonly string[]): Promise<boolean>;
}

export interface AppCommand {
  /** Absolute. */
  readonly command: string;
  /** Arguments that come before its own. */
  readonly args: readonly string[];
}

/** Backups of app files before our changes, and a record of each change. Errors: APP_FILE_DENIED. */
export interface AppBackups {
  /** Newest first. */
  list(): Promise<readonly AppChange[]>;
  /** Called before the change is made. Returns the path of the copy; `undefined` if there was nothing to copy. */
  save(change: AppChange, before: string | undefined): Promise<string | undefined>;
  /** The content before the change; `undefined` if there was none, or the copy is gone. */
  before(change: AppChange): Promise<string | undefined>;
  /** Path of the copy, whether or not there is one. */
  pathOf(change: AppChange): string;
  /** Updates the record of a change with its outcome. */
  recordOutcome(change: AppChange): Promise<void>;
  /** Drops the backup of a change that was not made. */
  discard(change: AppChange): Promise<void>;
}
