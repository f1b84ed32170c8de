import type { AppView } from '../../shared/app-view.ts';
import type { ErrorCode } from '../../shared/error-codes.ts';
import { describeError } from '../../shared/error-catalogue.ts';

/** What does not change while the program runs. */
export interface ProgramFacts {
  readonly version: string;
  readonly platform: string;
  readonly runtime: AppView['runtime'];
  /** A server that runs for trying things out. */
  readonly demoUrl?: string | undefined;
}

/** Something that a person should be told once about their files. */
export interface AppNotice {
  readonly code: ErrorCode;
  readonly file?: string | undefined;
}

export function describeFacts({
  version,
  platform,
  runtime,
  demoUrl,
}: ProgramFacts): Omit<
  AppView,
  'theme' | 'proxy' | 'settings' | 'canStartAtLogin' | 'callbackUrl' | 'storage' | 'notices'
> {
  return {
    version,
    platform,
    runtime: [...runtime],
    ...(demoUrl !== undefined && { demo: { url: demoUrl } }),
  };
}

export function describeNotices(notices: readonly AppNotice[], dismissed: ReadonlySet<string>): AppView['notices'] {
  return notices
    .map(({ code, file }) => {
      const { message, nextStep } = describeError(code, file === undefined ? {} : { file });
      return { id: `${code} ${file ?? ''}`.trim(), code, message, nextStep };
    })
    .filter(({ id }) => !dismissed.has(id));
}
