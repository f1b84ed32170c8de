import path from 'node:path';
import type { IpcHandlers } from '../../../shared/ipc-handlers.ts';
import type { Snapshots } from '../../../shared/snapshots.ts';
import { callbackAddress, callbackUrl } from '../../integration/sign-in/callback-address.ts';
import { runDoctor } from '../../integration/doctor/doctor.ts';
import { errorOf } from '../../integration/sign-in/flow-state.ts';
import { toPlainError } from '../../plain-error.ts';
import { PosternError } from '../../postern-error.ts';
import { openRegistry } from '../../registry/open-registry.ts';
import { integrationOf } from '../connections/connections.ts';
import type { Attempt } from '../connections/attempt.ts';
import { waitingFor } from '../connections/waiting.ts';
import type { DesktopContext } from '../desktop-context.ts';
import { readServer } from '../state/read-server.ts';
import { type Reported, renderReport } from '../views/render-report.ts';
import { signInsOf } from './sign-ins-of.ts';
import { browserAddress } from '../../address/browser-address.ts';
import type { BrowserAddress } from '../../address/browser-address.ts';

export interface AppHandlerOptions {
  readonly snapshots: () => Promise<Snapshots>;
  readonly onInteractive: () => void;
  readonly dismiss: (noticeId: string) => void;
}

type AppHandlers = Pick<
  IpcHandlers,
  | 'app:snapshots'
  | 'app:interactive'
  | 'app:openLogs'
  | 'app:copy'
  | 'app:openPage'
  | 'app:dismissNotice'
  | 'settings:update'
  | 'settings:arrange'
  | 'storage:selfTest'
>;

export function appHandlers(context: DesktopContext, options: AppHandlerOptions): AppHandlers {
  const { ports, shell, connections, settings, health, registry, folder, changed } = context;
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
    'settings:update': async (change) => {
      if (typeof change.registry === 'string') openRegistry(change.registry);
      await settings.change(change);
      if (change.searchesRegistry === false) registry.forget();
      changed('app');
      return null;
    },
    'settings:arrange': async (change) => {
      await settings.arrange(change);
      changed('app');
      return null;
    },
    'storage:selfTest': async () => {
      const { checks } = await runDoctor(ports, async () => await health.test());
      changed('app');
      changed('integrations');
      return { checks: [...checks] };
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
const load = async () => await import('../../../shared/known-servers/find-known-server.ts');

/** The page of a service of the catalogue; a window can name no other. Errors: NOT_FOUND. */
export async function pageOfService(service: string, page: 'home' | 'app' | 'key'): Promise<BrowserAddress> {
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
