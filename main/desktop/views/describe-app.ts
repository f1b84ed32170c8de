import type { AppView } from '../../../shared/app-view.ts';
import type { ErrorCode } from '../../../shared/error-codes.ts';
import type { ErrorDetail } from '../../postern-error.ts';
import { describeError } from '../../../shared/error-catalogue.ts';

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
  readonly detail: ErrorDetail;
}

export function describeFacts({
  version,
  platform,
  runtime,
  demoUrl,
}: ProgramFacts): Pick<AppView, 'version' | 'platform' | 'runtime' | 'demo'> {
  return {
    version,
    platform,
    runtime: [...runtime],
    ...(demoUrl !== undefined && { demo: { url: demoUrl } }),
  };
}

export function describeNotices(notices: readonly AppNotice[], dismissed: ReadonlySet<string>): AppView['notices'] {
  return notices
    .map(({ code, detail }) => {
      const { message, remedy } = describeError(code, detail);
      const { part = '', line = '', column = '' } = detail;
      return { id: `${code} ${part} ${line}:${column}`, code, message, remedy };
    })
    .filter(({ id }) => !dismissed.has(id));
}
