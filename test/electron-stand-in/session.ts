import type * as Electron from 'electron';
import { browser } from './browser.ts';
import type { CdpParams } from './cdp-connection.ts';
import { internalEvents } from './internal-events.ts';
import { notEmulated, strictEmitter, strictObject } from './not-emulated.ts';
import type { PermissionCheckHandler, PermissionHandlers, PermissionRequestHandler } from './permissions.ts';
import { createProtocol } from './protocol.ts';
import type { ProtocolServer } from './protocol.ts';
import { describeProxy, readProxyConfig } from './session-proxy.ts';
import type { SessionProxy } from './session-proxy.ts';

const sessions = new Map<string, StandInSession>();
const events = ['will-download', 'preconnect', 'select-hid-device', 'select-serial-port', 'select-usb-device'];

/** A Chromium browser context with its own cookies, storage and schemes. Nothing persists. */
export class StandInSession
  extends strictEmitter('session', events)
  implements
    Pick<
      Electron.Session,
      | 'setPermissionRequestHandler'
      | 'setPermissionCheckHandler'
      | 'setDevicePermissionHandler'
      | 'setDisplayMediaRequestHandler'
      | 'setUSBProtectedClassesHandler'
      | 'setBluetoothPairingHandler'
      | 'clearStorageData'
      | 'clearData'
      | 'clearCache'
      | 'clearAuthCache'
      | 'clearHostResolverCache'
      | 'closeAllConnections'
      | 'isPersistent'
      | 'setSpellCheckerEnabled'
      | 'setSpellCheckerLanguages'
      | 'resolveProxy'
      | 'setProxy'
    >
{
  readonly #isDefault: boolean;
  readonly #server: ProtocolServer = createProtocol();
  #context: Promise<string> | undefined;
  #handlers: PermissionHandlers = { check: null, request: null };
  #proxy: SessionProxy | undefined;
  readonly cookies: Pick<Electron.Cookies, 'get'>;

  constructor(isDefault: boolean) {
    super();
    this.#isDefault = isDefault;
    this.cookies = strictObject('cookies', { get: (filter: Electron.CookiesGetFilter) => this.#getCookies(filter) });
    internalEvents.emit('sessionCreated', this);
  }

  static get defaultSession(): StandInSession {
    return StandInSession.fromPartition('');
  }

  static fromPartition(partition: string, options?: Electron.FromPartitionOptions): StandInSession {
    if (partition.startsWith('persist:')) notEmulated(`the persistent partition ${partition}`);
    void options;
    const known = sessions.get(partition);
    if (known) return known;
    const created = new StandInSession(partition === '');
    sessions.set(partition, created);
    return created;
  }

  get protocol(): ProtocolServer['protocol'] {
    return this.#server.protocol;
  }

  /** For the stand-in itself. */
  get serve(): ProtocolServer['serve'] {
    return this.#server.serve;
  }

  async fetch(url: string): Promise<Response> {
    return await this.#server.fetch(url);
  }

  get permissionHandlers(): PermissionHandlers {
    return this.#handlers;
  }

  get isDefault(): boolean {
    return this.#isDefault;
  }

  /** Chromium's ID; undefined for its first context. */
  async contextId(): Promise<string | undefined> {
    if (this.#isDefault) return undefined;
    this.#context ??= this.#createContext();
    return await this.#context;
  }

  setPermissionRequestHandler(request: PermissionRequestHandler): void {
    this.#handlers = { ...this.#handlers, request };
    internalEvents.emit('permissionHandlersSet', this);
  }

  setPermissionCheckHandler(check: PermissionCheckHandler): void {
    this.#handlers = { ...this.#handlers, check };
    internalEvents.emit('permissionHandlersSet', this);
  }

  // Chromium shows its own device chooser, but none without user activation.
  setDevicePermissionHandler(): void {}
  setDisplayMediaRequestHandler(): void {}
  setUSBProtectedClassesHandler(): void {}
  setBluetoothPairingHandler(): void {}
  setSpellCheckerEnabled(): void {}
  setSpellCheckerLanguages(): void {}

  async clearStorageData(options?: Electron.ClearStorageDataOptions): Promise<void> {
    if (options !== undefined) notEmulated('clearStorageData with options');
    await this.clearData();
  }

  async clearData(options?: Electron.ClearDataOptions): Promise<void> {
    if (options !== undefined) notEmulated('clearData with options');
    const { connection } = await browser();
    const [{ targetInfos }, { browserContextIds }] = await Promise.all([
      connection.send('Target.getTargets'),
      connection.send('Target.getBrowserContexts'),
    ]);
    const contextId = await this.contextId();
    const open = (targetInfos as CdpParams[]).find(
      ({ type, browserContextId: id }) =>
        type === 'page' && (contextId === undefined ? !browserContextIds.includes(id) : id === contextId),
    );
    if (contextId !== undefined && !open) {
      this.#context = undefined;
      await connection.send('Target.disposeBrowserContext', { browserContextId: contextId });
      return;
    }
    await connection.send('Storage.clearCookies', contextId === undefined ? {} : { browserContextId: contextId });
    if (!open) return;
    // Only a page's session can access its context's storage, but then for every origin.
    const { sessionId } = await connection.send('Target.attachToTarget', { targetId: open['targetId'], flatten: true });
    const page = connection.session(String(sessionId));
    await page.send('Storage.clearDataForOrigin', { origin: '*', storageTypes: 'all' });
    connection.post('Target.detachFromTarget', { sessionId });
  }

  async clearCache(): Promise<void> {}
  async clearAuthCache(): Promise<void> {}
  async clearHostResolverCache(): Promise<void> {}
  async closeAllConnections(): Promise<void> {}

  isPersistent(): boolean {
    return false;
  }

  async setProxy(config: Electron.ProxyConfig): Promise<void> {
    const proxy = readProxyConfig(config);
    if (this.#isDefault) {
      const { scheme, host, port, bypass } = proxy;
      const rules = { singleProxy: { scheme, host, port }, bypassList: bypass };
      const { settings } = await browser();
      await settings.set('proxy.settings', 'regular_only', { mode: 'fixed_servers', rules });
    } else if (this.#context) {
      // Other Chromium contexts get theirs at creation.
      notEmulated('setProxy of a session that has had a page');
    }
    this.#proxy = proxy;
  }

  async resolveProxy(url: string): Promise<string> {
    if (this.#proxy) return describeProxy(this.#proxy);
    const { protocol } = new URL(url);
    const name = protocol === 'https:' ? 'https_proxy' : 'http_proxy';
    if ((process.env[name] ?? process.env[name.toUpperCase()] ?? '') !== '') notEmulated('resolveProxy with a proxy');
    return 'DIRECT';
  }

  async #createContext(): Promise<string> {
    const { connection } = await browser();
    const { scheme, host, port, bypass = [] } = this.#proxy ?? {};
    const { browserContextId } = await connection.send('Target.createBrowserContext', {
      disposeOnDetach: true,
      ...(this.#proxy && { proxyServer: `${scheme}://${host}:${port}`, proxyBypassList: bypass.join(',') }),
    });
    return String(browserContextId);
  }

  async #getCookies({ name, domain, url }: Electron.CookiesGetFilter): Promise<Electron.Cookie[]> {
    if (url !== undefined) notEmulated('cookies.get by url');
    const { connection } = await browser();
    const contextId = await this.contextId();
    const { cookies } = await connection.send(
      'Storage.getCookies',
      contextId === undefined ? {} : { browserContextId: contextId },
    );
    return (cookies as Electron.Cookie[]).filter(
      (cookie) => (name === undefined || cookie.name === name) && (domain === undefined || cookie.domain === domain),
    );
  }
}
