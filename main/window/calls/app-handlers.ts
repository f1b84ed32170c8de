import path from 'node:path';
import type { PlainError } from '../../../shared/error-codes.ts';
import { isAbout } from '../../../shared/error-facts.ts';
import type { IpcHandlers } from '../../../shared/ipc-contract.ts';
import type { Snapshots } from '../../../shared/ipc-event.ts';
import { product } from '../../../shared/product.ts';
import type { TraceEntry } from '../../../shared/trace.ts';
import { browserAddress } from '../../address/check-address.ts';
import type { BrowserAddress } from '../../address/check-address.ts';
import { displayText } from '../../address/display-text.ts';
import { callbackAddress, callbackUrl } from '../../engine/sign-in/callback-address.ts';
import { errorOf } from '../../engine/sign-in/flow-state.ts';
import { PosternError, toPlainError } from '../../errors/postern-error.ts';
import { urlLength } from '../../limits.ts';
import { readServer } from '../../operations/operation.ts';
import type { SettingsToStore } from '../../operations/settings.ts';
import { windowWords } from '../../window-words.ts';
import { integrationOf, waitingFor } from '../connections/connections.ts';
import type { Attempt } from '../connections/connections.ts';
import { signInsOf } from '../desktop-context.ts';
import type { DesktopContext } from '../desktop-context.ts';

interface AppHandlerOptions {
  readonly snapshots: () => Promise<Snapshots>;
  readonly onInteractive: () => void;
  readonly dismiss: (noticeId: string) => void;
  readonly changeSettings: (change: SettingsToStore) => Promise<unknown>;
}

type AppHandlers = Pick<
  IpcHandlers,
  | 'app:snapshots'
  | 'app:interactive'
  | 'app:openLogs'
  | 'app:copy'
  | 'app:openPage'
  | 'app:dismissNotice'
  | 'settings:chooseCertificateFile'
  | 'settings:arrange'
>;

export function appHandlers(context: DesktopContext, options: AppHandlerOptions): AppHandlers {
  const { ports, shell, connections, settings, folder, changed } = context;
  return {
    'app:snapshots': async () => await options.snapshots(),
    'app:interactive': async () => {
      options.onInteractive();
      return null;
    },
    'app:openLogs': async () => {
      await shell.openFolder(path.join(folder, 'logs'));
      return null;
    },
    'app:copy': async ({ kind, id = '', signInAt }) => {
      if (kind === 'callbackUrl') {
        const connection = connections.find((candidate) => candidate.id === id);
        const question = waitingFor(connection?.attempt, 'credentials');
        const shown = question?.request ?? connection?.wanted.typed;
        shell.copyText(shown?.callbackUrl ?? callbackUrl(await callbackAddress(ports)));
        changed('app');
      } else if (kind === 'scopes') {
        shell.copyText(await scopesOfService(connections.get(id).wanted.url));
      } else if (kind === 'serverAddress') {
        shell.copyText((await readServer(ports, id)).url);
      } else if (kind === 'authorizationLink') {
        shell.copyText(await linkOf(connections.get(id).attempt));
        // How long the link holds.
        changed('connections');
      } else if (kind === 'deviceCode' || kind === 'deviceLink') {
        const shown = waitingFor(connections.get(id).attempt, 'device')?.shown;
        if (!shown) throw new PosternError('STATE_EXPIRED', { stage: 'authorization' });
        shell.copyText(kind === 'deviceCode' ? shown.userCode : (shown.pageWithCode ?? shown.page));
      } else {
        shell.copyText(renderReport(await reportOf(context, id, signInAt)));
      }
      return null;
    },
    'app:openPage': async ({ service, page }) => {
      await shell.openBrowser(await pageOfService(service, page));
      return null;
    },
    'app:dismissNotice': async ({ id }) => {
      options.dismiss(id);
      return null;
    },
    'settings:chooseCertificateFile': async () => {
      const certificateFile = await shell.chooseFile(windowWords.certificateFile);
      if (certificateFile === undefined) return { chosen: false };
      await options.changeSettings({ certificateFile });
      return { chosen: true };
    },
    'settings:arrange': async (change) => {
      await settings.arrange(change);
      changed('app');
      return null;
    },
  };
}

/** The address of its sign-in page, asked for anew where that is needed. Errors: STATE_EXPIRED, those of `renew`. */
async function linkOf(attempt: Attempt | undefined): Promise<string> {
  const { authorization } = waitingFor(attempt, 'callback') ?? {};
  await authorization?.renew?.();
  // Its answer may have come meanwhile.
  if (!authorization || waitingFor(attempt, 'callback')?.authorization !== authorization)
    throw new PosternError('STATE_EXPIRED', { stage: 'authorization' });
  return authorization.url;
}

async function reportOf(context: DesktopContext, id: string, signInAt: number | undefined): Promise<Reported> {
  const { connections, board, ports, health } = context;
  const connection = connections.find((candidate) => candidate.id === id);
  const integration = await ports.store.read((connection && integrationOf(connection)) ?? id);
  const state = connection?.flow.state;
  const ended = state && errorOf(state);
  return {
    backend: health.view().backend,
    url: connection?.wanted.url ?? integration?.url,
    method: connection?.flow.found.shown?.discovery.method ?? integration?.method,
    state: state?.name ?? integration?.state,
    error: ended ? toPlainError(ended) : integration && board.views([integration])[0]?.status.error,
    entries: (await signInsOf(context, id)).find(({ at }) => signInAt === undefined || at === signInAt)?.entries ?? [],
  };
}

/** Loaded when somebody asks: it is long, and the window starts without it. */
const load = async () => await import('../../../shared/known-servers.ts');

/** The page of a service of the catalogue; a window can name no other. Errors: NOT_FOUND. */
async function pageOfService(service: string, page: 'home' | 'app' | 'key'): Promise<BrowserAddress> {
  const { searchKnownServers } = await load();
  const { home, app, key } = searchKnownServers(service).find(({ name }) => name === service) ?? {};
  const address = { home, app: app?.page, key: key?.page }[page];
  if (address === undefined) throw new PosternError('NOT_FOUND', { stage: 'app', detail: { count: 0 } });
  return browserAddress(address);
}

/** What an app at the service of this server should be allowed, separated by spaces. Errors: NOT_FOUND. */
async function scopesOfService(url: string): Promise<string> {
  const { findKnownServer } = await load();
  const { scopes } = findKnownServer(url)?.app ?? {};
  if (scopes === undefined) throw new PosternError('NOT_FOUND', { stage: 'app', detail: { count: 0 } });
  return scopes.join(' ');
}

/** What is known of a connection or an integration. */
interface Reported {
  /** Where secrets are kept here, by name. */
  readonly backend: string;
  readonly url: string | undefined;
  readonly method: string | undefined;
  readonly state: string | undefined;
  readonly error: PlainError | undefined;
  readonly entries: readonly TraceEntry[];
}

/**
 * What a person can send to whoever helps them: program, verdict, error and every request, all of it redacted. In
 * English whatever the window speaks: it goes to those who maintain a service or Postern, wherever they are.
 */
function renderReport({ backend, url, method, state, error, entries }: Reported): string {
  const lines = [
    `Postern ${product.version} on ${process.platform}, secrets in ${backend}`,
    ...(url === undefined ? [] : [`Server: ${withoutQuery(url)}`]),
    ...(method === undefined ? [] : [`Method: ${method}`]),
    ...(state === undefined ? [] : [`State: ${state}`]),
    ...(error
      ? [`Error: ${error.code}${error.cause ? ` (${error.cause})` : ''} in ${error.stage}: ${error.message}`]
      : []),
    '',
    ...entries.flatMap(renderEntry),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function renderEntry(entry: TraceEntry): string[] {
  const { number, method, url, status, milliseconds, rule, clause, verdict, code, request, response } = entry;
  const outcome = `${status ?? 'no answer'}${milliseconds === undefined ? '' : ` in ${milliseconds} ms`}`;
  const fields = (title: string, message: TraceEntry['request'] | undefined): string[] =>
    [...(message?.headers ?? []), ...(message?.body ?? [])].map(({ name, value }) => `     ${title} ${name}: ${value}`);
  return [
    `${number}. ${method} ${url} → ${outcome}`,
    `     ${rule} (${clause}): ${verdict}${code ? ` ${code}` : ''}`,
    ...fields('>', request),
    ...fields('<', response),
  ];
}

function withoutQuery(url: string): string {
  const address = URL.parse(url);
  return displayText(address ? `${address.origin}${address.pathname}` : '', urlLength.received);
}

/** What a person does about a settings file that cannot be used. */
export function settingsFileHandlers({ shell, settingsFile }: DesktopContext): Pick<IpcHandlers, 'settings:openFile'> {
  return {
    'settings:openFile': async () => {
      const trouble = await settingsFile.trouble();
      const folder = path.dirname(settingsFile.path);
      // What a link names is not opened for anybody.
      if (trouble && !isAbout(trouble.error, 'settings-content')) await shell.openFolder(folder);
      else
        await shell.openFolder(settingsFile.path).catch(async (error: unknown) => {
          if (!(error instanceof PosternError)) throw error;
          await shell.openFolder(folder);
        });
      return null;
    },
  };
}

type UpdateHandlers = Pick<IpcHandlers, 'update:check' | 'update:download' | 'update:install'>;

/** Each answers at once; what becomes of it is published. */
export function updateHandlers({ updates }: Pick<DesktopContext, 'updates'>): UpdateHandlers {
  return {
    'update:check': async () => {
      void updates?.check();
      return null;
    },
    'update:download': async () => {
      void updates?.download();
      return null;
    },
    'update:install': async () => {
      void updates?.install();
      return null;
    },
  };
}
