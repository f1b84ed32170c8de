import type { ReleaseFile } from './signed-release.ts';

/** The newest version that a feed tells of. */
export interface OfferedRelease {
  readonly version: string;
  readonly files: readonly ReleaseFile[];
}

/** What looks for a release, fetches it and puts it in place; electron-updater in the running program. */
export interface UpdateBackend {
  /** `undefined`: this program cannot be replaced. Errors: UPD_FAILED. */
  newest(): Promise<OfferedRelease | undefined>;
  /** A small file beside the release. Errors: UPD_FAILED. */
  read(name: string): Promise<string>;
  /** Fetches what `newest` told of. Errors: UPD_FAILED, UPD_SIGNATURE. */
  download(onProgress: (percent: number) => void): Promise<void>;
  /** Ends the program, and starts the new version. */
  install(): void;
}
