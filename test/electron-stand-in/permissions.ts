import type * as Electron from 'electron';
import type { Browser } from './browser.ts';
import type { CdpParams } from './cdp-connection.ts';
import { internalEvents } from './internal-events.ts';
import type { Page } from './page.ts';
import type { StandInWebContents } from './web-contents.ts';

export type PermissionRequestHandler = Parameters<Electron.Session['setPermissionRequestHandler']>[0];
export type PermissionCheckHandler = Parameters<Electron.Session['setPermissionCheckHandler']>[0];
type Permission = Parameters<NonNullable<PermissionCheckHandler>>[1];

/** Chromium's descriptors for Electron's permission names; permissions that Chromium cannot set are missing. */
const descriptors: Readonly<Partial<Record<Permission, readonly string[]>>> = {
  'background-sync': ['background-sync'],
  'clipboard-read': ['clipboard-read'],
  'clipboard-sanitized-write': ['clipboard-write'],
  geolocation: ['geolocation'],
  'idle-detection': ['idle-detection'],
  keyboardLock: ['keyboard-lock'],
  'local-fonts': ['local-fonts'],
  media: ['camera', 'microphone'],
  midi: ['midi'],
  nfc: ['nfc'],
  notifications: ['notifications'],
  'persistent-storage': ['persistent-storage'],
  pointerLock: ['pointer-lock'],
  'screen-wake-lock': ['screen-wake-lock'],
  sensors: ['accelerometer', 'gyroscope', 'magnetometer'],
  'speaker-selection': ['speaker-selection'],
  'storage-access': ['storage-access'],
  'top-level-storage-access': ['top-level-storage-access'],
  'window-management': ['window-management'],
};

export interface PermissionHandlers {
  readonly check: PermissionCheckHandler;
  readonly request: PermissionRequestHandler;
}

/**
 * Chromium's protocol needs permission decisions in advance. So the app's handlers are called for every permission when
 * a page of an origin loads, and again when other handlers are set, and Chromium gets their decisions. Without handlers
 * everything is granted, as in Electron.
 */
export function followPermissions(
  running: Browser,
  page: Page,
  contents: StandInWebContents,
  browserContextId: string | undefined,
): void {
  const { session } = contents.standIn.options;
  let url = '';
  const applyAll = (): void => {
    if (contents.isDestroyed()) return;
    const electronContents = contents as unknown as Electron.WebContents;
    void applyPermissions(running, electronContents, url, session.permissionHandlers, browserContextId);
  };
  const applyAfterChange = (changed: object): void => {
    if (changed === session) applyAll();
  };
  page.session.on('Page.frameNavigated', ({ frame }: CdpParams) => {
    if (frame.id !== page.id) return;
    url = String(frame.url);
    applyAll();
  });
  internalEvents.on('permissionHandlersSet', applyAfterChange);
  page.once('closed', () => internalEvents.off('permissionHandlersSet', applyAfterChange));
}

async function applyPermissions(
  { connection }: Browser,
  contents: Electron.WebContents,
  url: string,
  handlers: PermissionHandlers,
  browserContextId: string | undefined,
): Promise<void> {
  if (!URL.canParse(url) || !/^https?:/.test(url)) return;
  const { origin } = new URL(url);
  await Promise.all(
    Object.entries(descriptors).flatMap(([permission, names]) => {
      const granted = isGranted(permission as Permission, contents, origin, handlers);
      return names.map((name) =>
        connection
          .send('Browser.setPermission', {
            permission: { name },
            setting: granted ? 'granted' : 'denied',
            origin,
            ...(browserContextId === undefined ? {} : { browserContextId }),
          })
          .catch(() => {}),
      );
    }),
  );
}

function isGranted(
  permission: Permission,
  contents: Electron.WebContents,
  origin: string,
  { check, request }: PermissionHandlers,
): boolean {
  const details = { isMainFrame: true, requestingUrl: contents.getURL() };
  const isAllowed = check?.(contents, permission, origin, details) ?? true;
  if (!request) return isAllowed;
  // A handler that does not answer at once counts as a denial.
  let granted = false;
  request(contents, permission, (yes) => void (granted = yes), details);
  return isAllowed && granted;
}
