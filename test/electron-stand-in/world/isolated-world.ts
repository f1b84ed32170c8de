import type { createBridgeEnd } from './create-bridge-end.ts';
import type { createIpcRenderer } from './create-ipc-renderer.ts';
import type { createWire } from './create-wire.ts';
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
  readonly makeWire: typeof createWire;
  readonly makeBridgeEnd: typeof createBridgeEnd;
  readonly makeIpcRenderer: typeof createIpcRenderer;
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
  const ipc = parts.makeIpcRenderer(parts.makeWire(), post);
  const { takeKeys } = parts.watch(post, parts.isMenuKey);
  document.addEventListener(`${settings.secret}-window`, (event) => {
    event.stopImmediatePropagation();
    post(JSON.parse((event as CustomEvent<string>).detail) as Record<string, unknown>);
  });
  Object.defineProperty(globalThis, `${settings.binding}_deliver`, {
    value: (text: string) => {
      const message = JSON.parse(text) as Record<string, unknown>;
      if (message['op'] === 'keys') takeKeys(message['keys'] as string[]);
      else ipc.deliver(message);
    },
  });
  if (!preload) return;

  const missing = (name: string): never => {
    throw new Error(`not emulated: ${name} in a preload`);
  };
  const strict = (name: string, members: object): object =>
    new Proxy(members, {
      get: (target, key, receiver) =>
        typeof key === 'symbol' || key in target || key === 'then'
          ? (Reflect.get(target, key, receiver) as unknown)
          : missing(`${name}.${key}`),
    });
  const end = parts.makeBridgeEnd(parts.makeWire, `${settings.secret}-isolated`, `${settings.secret}-main`, () => {
    throw new Error('only functions and promises of the preload can be asked for');
  });
  const contextBridge = strict('contextBridge', {
    exposeInMainWorld: (name: string, api: unknown) => void end.ask({ expose: name, value: end.encode(api) }),
  });
  const electron = strict('electron', { contextBridge, ipcRenderer: strict('ipcRenderer', ipc.ipcRenderer) });
  const require = (name: string): unknown =>
    /^electron(?:\/(?:renderer|common))?$/.test(name) ? electron : missing(`require('${name}')`);
  Object.defineProperty(globalThis, 'Buffer', { get: () => missing('Buffer') });
  const soon = (run: (...values: unknown[]) => void, ...values: unknown[]): unknown => setTimeout(run, 0, ...values);
  try {
    const exports = {};
    preload(require, exports, { exports }, settings.process, globalThis, soon, clearTimeout);
  } catch (error) {
    const { name, message, stack } = error as Error;
    console.error('Unable to load preload script', error);
    post({ op: 'preloadError', name, message, stack });
  }
}
