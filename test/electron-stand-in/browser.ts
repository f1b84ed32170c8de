import type { CdpConnection, CdpParams, CdpSession } from './cdp-connection.ts';
import { openChromiumSettings } from './chromium-settings.ts';
import type { ChromiumSettings } from './chromium-settings.ts';
import { internalEvents } from './internal-events.ts';
import { launchChromium } from './launch-chromium.ts';
import type { Chromium, ChromiumOptions } from './launch-chromium.ts';

export interface Target {
  readonly id: string;
  readonly session: CdpSession;
}

export interface NewTarget {
  /** Chromium's browser context. Default: the first. */
  readonly contextId?: string | undefined;
  readonly bounds: { readonly width: number; readonly height: number; readonly x?: number; readonly y?: number };
  /** Loaded and scriptable, but not in a window. */
  readonly hidden?: boolean;
}

/** This process's only Chromium. */
export interface Browser {
  readonly connection: CdpConnection;
  /** A page that is paused before its first document, until `Runtime.runIfWaitingForDebugger`. */
  createTarget(options: NewTarget): Promise<Target>;
  debuggingAddress(): Promise<string>;
  /** Settings that only an extension may change. */
  readonly settings: ChromiumSettings;
}

/** Pages that Chromium does not attach automatically. */
const hiddenTargets = new Set<string>();

let launched: Chromium | undefined;
let starting: Promise<Browser> | undefined;

export function startBrowser(options: ChromiumOptions): Promise<Browser> {
  starting ??= open((launched = launchChromium(options)));
  return starting;
}

export function browser(): Promise<Browser> {
  if (!starting) throw new Error('the stand-in has not been started by run.ts');
  return starting;
}

/** At the very end of the process, whatever the browser's state. */
export function killBrowser(): void {
  launched?.kill();
}

async function open({ connection, debuggingAddress }: Chromium): Promise<Browser> {
  const attached = new Map<string, Target>();
  let creating = 0;
  let takeFirst: ((target: Target) => void) | undefined;
  // The window that Chromium opens at startup; the app's first window uses it.
  const first = new Promise<Target>((resolve) => void (takeFirst = resolve));
  let isFirstTaken = false;

  function letStrangersRun(): void {
    if (creating > 0) return;
    for (const { session } of attached.values()) session.post('Runtime.runIfWaitingForDebugger');
    attached.clear();
  }

  connection.on('Target.attachedToTarget', ({ sessionId, targetInfo, waitingForDebugger }: CdpParams) => {
    const target = { id: String(targetInfo.targetId), session: connection.session(String(sessionId)) };
    if (hiddenTargets.has(target.id)) return;
    if (targetInfo.openerId !== undefined || targetInfo.url === '') {
      // A child window, or a tab from a modified click that was not intercepted. The opener of a child window has
      // reported it (Page.windowOpen). Pages that a client requests start at about:blank.
      void closeUnrequested(connection, target);
    } else if (takeFirst && waitingForDebugger !== true) {
      takeFirst(target);
      takeFirst = undefined;
    } else {
      // A requested page, or one of another client of this browser.
      attached.set(target.id, target);
      letStrangersRun();
    }
  });

  const gone = new Promise<never>((_, reject) => {
    connection.once('gone', (output: string) => reject(new Error(`Chromium has ended:\n${output}`)));
  });
  gone.catch(() => {});
  connection.once('disconnected', () => internalEvents.emit('browserGone'));
  const attaching = connection.send('Target.setAutoAttach', {
    autoAttach: true,
    waitForDebuggerOnStart: true,
    flatten: true,
    filter: [{ type: 'page' }, { exclude: true }],
  });
  await Promise.race([gone, attaching]);

  return {
    connection,
    debuggingAddress,
    settings: openChromiumSettings(connection, (url) => createHiddenTarget(connection, undefined, url)),
    async createTarget({ contextId, bounds, hidden = false }) {
      if (contextId === undefined && !hidden && !isFirstTaken) {
        isFirstTaken = true;
        return await Promise.race([first, gone]);
      }
      if (hidden) return await createHiddenTarget(connection, contextId);
      creating += 1;
      try {
        const { targetId } = await connection.send('Target.createTarget', {
          url: 'about:blank',
          ...(contextId === undefined ? {} : { browserContextId: contextId }),
          newWindow: true,
          width: bounds.width,
          height: bounds.height,
          ...(bounds.x === undefined ? {} : { left: bounds.x, top: bounds.y }),
        });
        // Chromium reports a new target before it responds.
        const target = attached.get(String(targetId));
        if (!target) throw new Error('the new page has not been attached');
        attached.delete(target.id);
        return target;
      } finally {
        creating -= 1;
        letStrangersRun();
      }
    },
  };
}

async function createHiddenTarget(
  connection: CdpConnection,
  contextId: string | undefined,
  url = 'about:blank',
): Promise<Target> {
  const { targetId } = await connection.send('Target.createTarget', {
    url,
    hidden: true,
    ...(contextId === undefined ? {} : { browserContextId: contextId }),
  });
  const id = String(targetId);
  hiddenTargets.add(id);
  const { sessionId } = await connection.send('Target.attachToTarget', { targetId, flatten: true });
  return { id, session: connection.session(String(sessionId)) };
}

/** The opener blocks until the new page runs, so it must run, but without network access. */
async function closeUnrequested(connection: CdpConnection, { id, session }: Target): Promise<void> {
  try {
    await Promise.all([
      session.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] }),
      session.send('Runtime.runIfWaitingForDebugger'),
    ]);
  } catch {
    // Already gone.
  }
  connection.post('Target.closeTarget', { targetId: id });
}
