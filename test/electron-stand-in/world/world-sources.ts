import { createBridgeEndpoint } from './create-bridge-endpoint.ts';
import { createIpcRenderer } from './create-ipc-renderer.ts';
import { createValueCodec } from './create-value-codec.ts';
import { isAccelerator } from './is-accelerator.ts';
import { isolatedWorld } from './isolated-world.ts';
import type { WorldSettings } from './isolated-world.ts';
import { mainWorld } from './main-world.ts';
import { replaceFetch } from './page-fetch.ts';
import { replaceWindowCalls } from './page-window.ts';
import { watchPage } from './watch-page.ts';

/**
 * The script for the main world. Node runs TypeScript by blanking its types, so a function's text is JavaScript.
 */
export function mainWorldSource(secret: string): string {
  return `(${String(mainWorld)})(${String(createValueCodec)}, ${String(createBridgeEndpoint)}, ${JSON.stringify(secret)})`;
}

/** Replaces calls of `window`, with or without a preload. */
export function pageWindowSource(secret: string): string {
  return `(${String(replaceWindowCalls)})(${JSON.stringify(`${secret}-window`)}); (${String(replaceFetch)})()`;
}

/** The script for the preload's world; the preload is CommonJS text. */
export function isolatedWorldSource(settings: WorldSettings, preload: string | undefined): string {
  const parts = Object.entries({
    createCodec: createValueCodec,
    createEndpoint: createBridgeEndpoint,
    createIpc: createIpcRenderer,
    watch: watchPage,
    isMenuKey: isAccelerator,
  }).map(([name, part]) => `${name}: ${String(part)}`);
  const body =
    preload === undefined
      ? 'undefined'
      : `function (require, exports, module, process, global, setImmediate, clearImmediate) {\n${preload}\n}`;
  return `(${String(isolatedWorld)})({ ${parts.join(', ')} }, ${JSON.stringify(settings)}, ${body})`;
}
