import type { createBridgeEndpoint } from './create-bridge-endpoint.ts';
import type { createIpcRenderer } from './create-ipc-renderer.ts';
import type { createValueCodec } from './create-value-codec.ts';
import type { isAccelerator } from './is-accelerator.ts';
import type { watchPage } from './watch-page.ts';

export interface WorldSettings {
  /** Name of the events between the worlds. */
  readonly secret: string;
  /** Name of the binding to Node, and of the function for Node's responses. */
  readonly binding: string;
  readonly process: Readonly<Record<string, unknown>>;
}

export interface WorldParts {
  readonly createCodec: typeof createValueCodec;
  readonly createEndpoint: typeof createBridgeEndpoint;
  readonly createIpc: typeof createIpcRenderer;
  readonly watch: typeof watchPage;
  readonly isMenuKey: typeof isAccelerator;
}

type Preload = (
  require: (name: string) => unknown,
  exports: object,
  module: object,
  process: object,
  global: object,
  setImmediate: (run: (...values: unknown[]) => void, ...values: unknown[]) => unknown,
  clearImmediate: (id: number | undefined) => void,
) => void;

/** Runs in an isolated world in each new document: `require('electron')` for the preload, and the preload itself. */
export function isolatedWorld(parts: WorldParts, settings: WorldSettings, preload: Preload | undefined): void {
  if (window !== window.top) return;
  const scope = globalThis as unknown as Record<string, (text: string) => void>;
  const post = (message: Record<string, unknown>): void => scope[settings.binding]?.(JSON.stringify(message));
  post({ op: 'document', url: location.href });
  const ipc = parts.createIpc(parts.createCodec(), post);
  const { setMenuKeys } = parts.watch(post, parts.isMenuKey);
  document.addEventListener(`${settings.secret}-window`, (event) => {
    event.stopImmediatePropagation();
    post(JSON.parse((event as CustomEvent<string>).detail) as Record<string, unknown>);
  });
  Object.defineProperty(globalThis, `${settings.binding}_deliver`, {
    value: (text: string) => {
      const message = JSON.parse(text) as Record<string, unknown>;
      if (message['op'] === 'keys') setMenuKeys(message['keys'] as string[]);
      else ipc.deliver(message);
    },
  });
  if (!preload) return;

  const throwNotEmulated = (name: string): never => {
    throw new Error(`not emulated: ${name} in a preload`);
  };
  const strict = (name: string, members: object): object =>
    new Proxy(members, {
      get: (target, key, receiver) =>
        typeof key === 'symbol' || key in target || key === 'then'
          ? (Reflect.get(target, key, receiver) as unknown)
          : throwNotEmulated(`${name}.${key}`),
    });
  const bridge = parts.createEndpoint(
    parts.createCodec,
    `${settings.secret}-isolated`,
    `${settings.secret}-main`,
    () => {
      throw new Error('the preload serves only functions and promises to other worlds');
    },
  );
  const contextBridge = strict('contextBridge', {
    exposeInMainWorld: (name: string, api: unknown) => void bridge.request({ expose: name, value: bridge.encode(api) }),
  });
  const electron = strict('electron', { contextBridge, ipcRenderer: strict('ipcRenderer', ipc.ipcRenderer) });
  const require = (name: string): unknown =>
    /^electron(?:\/(?:renderer|common))?$/.test(name) ? electron : throwNotEmulated(`require('${name}')`);
  Object.defineProperty(globalThis, 'Buffer', { get: () => throwNotEmulated('Buffer') });
  const setImmediate = (run: (...values: unknown[]) => void, ...values: unknown[]): unknown =>
    setTimeout(run, 0, ...values);
  try {
    const exports = {};
    preload(require, exports, { exports }, settings.process, globalThis, setImmediate, clearTimeout);
  } catch (error) {
    const { name, message, stack } = error as Error;
    console.error('Unable to load preload script', error);
    post({ op: 'preloadError', name, message, stack });
  }
}
