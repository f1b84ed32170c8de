import path from 'node:path';
import type { PlainError } from '../../../shared/error-codes.ts';
import { hasTrait } from '../../../shared/error-traits.ts';
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
import { integrationOf, waitingFor } from '../attempts/sign-in-attempts.ts';
import type { AttemptRun } from '../attempts/sign-in-attempts.ts';
import { recentSignIns } from '../desktop-context.ts';
import type { DesktopContext } from '../desktop-context.ts';

interface DesktopHandlerOptions {
  readonly snapshots: () => Promise<Snapshots>;
  readonly onInteractive: () => void;
  readonly dismiss: (noticeId: string) => void;
  readonly changeSettings: (change: SettingsToStore) => Promise<unknown>;
}

type DesktopHandlers = Pick<
  IpcHandlers,
  | 'desktop:snapshots'
  | 'desktop:interactive'
  | 'desktop:openLogs'
  | 'desktop:copy'
  | 'desktop:openPage'
  | 'desktop:dismissNotice'
  | 'settings:chooseCertificateFile'
  | 'settings:arrange'
>;

export function desktopHandlers(context: DesktopContext, options: DesktopHandlerOptions): DesktopHandlers {
  const { ports, shell, attempts, settings, folder, changed } = context;
  return {
    'desktop:snapshots': async () => await options.snapshots(),
    'desktop:interactive': async () => {
      options.onInteractive();
      return null;
    },
    'desktop:openLogs': async () => {
      await shell.openFolder(path.join(folder, 'logs'));
      return null;
    },
    'desktop:copy': async ({ kind, id = '', signInAt }) => {
      if (kind === 'callbackUrl') {
        const attempt = attempts.find((candidate) => candidate.id === id);
        const waiting = waitingFor(attempt?.run, 'credentials');
        const source = waiting?.request ?? attempt?.choices.typed;
        shell.copyText(source?.callbackUrl ?? callbackUrl(await callbackAddress(ports)));
        changed('desktop');
      } else if (kind === 'scopes') {
        shell.copyText(await scopesOfService(attempts.get(id).choices.url));
      } else if (kind === 'serverAddress') {
        shell.copyText((await readServer(ports, id)).url);
      } else if (kind === 'authorizationLink') {
        shell.copyText(await authorizationLink(attempts.get(id).run));
        // Shows when the link expires.
        changed('connections');
      } else if (kind === 'deviceCode' || kind === 'deviceLink') {
        const devicePage = waitingFor(attempts.get(id).run, 'device')?.devicePage;
        if (!devicePage) throw new PosternError('STATE_EXPIRED', { stage: 'authorization' });
        shell.copyText(kind === 'deviceCode' ? devicePage.userCode : (devicePage.pageWithCode ?? devicePage.page));
      } else {
        shell.copyText(renderReport(await buildReport(context, id, signInAt)));
      }
      return null;
    },
    'desktop:openPage': async ({ service, page }) => {
      await shell.openBrowser(await pageOfService(service, page));
      return null;
    },
    'desktop:dismissNotice': async ({ id }) => {
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
      changed('desktop');
      return null;
    },
  };
}

/** The URL of the sign-in page, renewed if needed. Errors: STATE_EXPIRED, those of `renew`. */
async function authorizationLink(run: AttemptRun | undefined): Promise<string> {
  const { authorization } = waitingFor(run, 'callback') ?? {};
  await authorization?.renew?.();
  // The response may have arrived meanwhile.
  if (!authorization || waitingFor(run, 'callback')?.authorization !== authorization)
    throw new PosternError('STATE_EXPIRED', { stage: 'authorization' });
  return authorization.url;
}

async function buildReport(context: DesktopContext, id: string, signInAt: number | undefined): Promise<ReportContent> {
  const { attempts, statuses, ports, health } = context;
  const attempt = attempts.find((candidate) => candidate.id === id);
  const integration = await ports.store.read((attempt && integrationOf(attempt)) ?? id);
  const state = attempt?.flow.state;
  const ended = state && errorOf(state);
  return {
    backend: health.view().backend,
    url: attempt?.choices.url ?? integration?.url,
    method: attempt?.flow.findings.shownInspection?.discovery.method ?? integration?.method,
    state: state?.name ?? integration?.state,
    error: ended ? toPlainError(ended) : integration && statuses.views([integration])[0]?.status.error,
    entries:
      (await recentSignIns(context, id)).find(({ at }) => signInAt === undefined || at === signInAt)?.entries ?? [],
  };
}

/** Loaded on demand: it is large, and not needed at start. */
const loadKnownServers = async () => await import('../../../shared/known-servers.ts');

/** A page of a known service; a window cannot open any other. Errors: NOT_FOUND. */
async function pageOfService(service: string, page: 'home' | 'oauthApp' | 'key'): Promise<BrowserAddress> {
  const { searchKnownServers } = await loadKnownServers();
  const { homepage, oauthApp, key } = searchKnownServers(service).find(({ name }) => name === service) ?? {};
  const address = { home: homepage, oauthApp: oauthApp?.page, key: key?.page }[page];
  if (address === undefined) throw new PosternError('NOT_FOUND', { stage: 'postern', detail: { count: 0 } });
  return browserAddress(address);
}

/** Scopes that an OAuth app at this service needs, separated by spaces. Errors: NOT_FOUND. */
async function scopesOfService(url: string): Promise<string> {
  const { findKnownServer } = await loadKnownServers();
  const { scopes } = findKnownServer(url)?.oauthApp ?? {};
  if (scopes === undefined) throw new PosternError('NOT_FOUND', { stage: 'postern', detail: { count: 0 } });
  return scopes.join(' ');
}

/** Content of the report about a sign-in attempt or an integration. */
interface ReportContent {
  /** Name of the secret storage. */
  readonly backend: string;
  readonly url: string | undefined;
  readonly method: string | undefined;
  readonly state: string | undefined;
  readonly error: PlainError | undefined;
  readonly entries: readonly TraceEntry[];
}

/**
 * A redacted report that the user can send to support: version, verdict, error and every request. Always in English,
 * because it goes to the maintainers of a service or of Postern.
 */
function renderReport({ backend, url, method, state, error, entries }: ReportContent): string {
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
  const outcome = `${status ?? 'no response'}${milliseconds === undefined ? '' : ` in ${milliseconds} ms`}`;
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

/** Lets the user open an unusable settings file. */
export function settingsFileHandlers({ shell, settingsFile }: DesktopContext): Pick<IpcHandlers, 'settings:openFile'> {
  return {
    'settings:openFile': async () => {
      const fault = await settingsFile.findFault();
      const folder = path.dirname(settingsFile.path);
      // If the file itself is the problem (such as a link), open only the folder.
      if (fault && !hasTrait(fault.error, 'settings-content')) await shell.openFolder(folder);
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

/** These return at once; progress is published in the update view. */
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
