import type { createBridgeEndpoint } from './create-bridge-endpoint.ts';
import type { createValueCodec } from './create-value-codec.ts';

/** Runs in the main world before the page's first script: adds what the preload exposes to `window`. */
export function mainWorld(
  createCodec: typeof createValueCodec,
  createEndpoint: typeof createBridgeEndpoint,
  secret: string,
): void {
  if (window !== window.top) return;
  const freeze = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || value instanceof Promise) return value;
    Object.values(value).forEach(freeze);
    return Object.freeze(value);
  };
  const bridge = createEndpoint(createCodec, `${secret}-main`, `${secret}-isolated`, ({ expose, value }) => {
    const name = String(expose);
    if (Object.hasOwn(window, name))
      throw new Error(`Cannot bind an API on top of an existing property on the window object`);
    Object.defineProperty(window, name, { value: freeze(bridge.decode(value)), enumerable: true });
    return undefined;
  });
}
