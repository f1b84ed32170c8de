import type { AppView } from '../../shared/app-view.ts';
import type { ErrorCode } from '../../shared/error-codes.ts';
import { describeError } from '../../shared/error-catalogue.ts';
import { displayHost } from '../address/display-host.ts';

/** What does not change while the program runs. */
export interface ProgramFacts {
  readonly version: string;
  readonly platform: string;
  readonly runtime: AppView['runtime'];
  readonly env: Readonly<Record<string, string | undefined>>;
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
  env,
  demoUrl,
}: ProgramFacts): Omit<AppView, 'theme' | 'settings' | 'canStartAtLogin' | 'callbackUrl' | 'storage' | 'notices'> {
  return {
    version,
    platform,
    runtime: [...runtime],
    proxy: describeProxy(env),
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

/** A proxy of the environment is told, not used: the address rule has to see the real target (RFC 9728 7.7). */
function describeProxy(env: ProgramFacts['env']): AppView['proxy'] {
  const names = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'];
  const value = names.map((name) => env[name]).find((text) => text !== undefined && text !== '');
  if (value === undefined) return { mode: 'direct' };
  const host = URL.parse(value.includes('://') ? value : `http://${value}`)?.hostname;
  return { mode: 'notUsed', ...(host && { host: displayHost(host) }) };
}
