import { hash } from 'node:crypto';
import type { AppView } from '../../../shared/app-view.ts';
import { toPlainError } from '../../plain-error.ts';
import type { PosternError } from '../../postern-error.ts';

/** What does not change while the program runs. */
export interface ProgramFacts {
  readonly version: string;
  readonly platform: string;
  readonly runtime: AppView['runtime'];
  readonly sandbox: AppView['sandbox'];
  /** A server that runs for trying things out. */
  readonly demoUrl?: string | undefined;
}

export function describeFacts({
  version,
  platform,
  runtime,
  sandbox,
  demoUrl,
}: ProgramFacts): Pick<AppView, 'version' | 'platform' | 'runtime' | 'sandbox' | 'demo'> {
  return {
    version,
    platform,
    runtime: [...runtime],
    sandbox,
    ...(demoUrl !== undefined && { demo: { url: demoUrl } }),
  };
}

/** What a person should be told once about their files. */
export function describeNotices(notices: readonly PosternError[], dismissed: ReadonlySet<string>): AppView['notices'] {
  return notices
    .map((notice) => {
      const { code, message, detail, remedy } = toPlainError(notice);
      return { id: hash('sha256', message, 'hex'), code, message, ...(detail && { detail }), remedy };
    })
    .filter(({ id }) => !dismissed.has(id));
}
