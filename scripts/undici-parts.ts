import { join } from 'node:path';
import { normalizePath } from 'vite';
import type { Plugin } from 'vite';

const place = (file: string): string => normalizePath(join(import.meta.dirname, '../node_modules/undici', file));

/**
 * The entry of undici loads all of it, with its caches, mocks and web sockets. In the bundle it is these four alone;
 * any other name of it that our code imports ends the build.
 */
const entry = `
export { default as Agent } from './lib/dispatcher/agent.js';
export { default as errors } from './lib/core/errors.js';
export { Headers } from './lib/web/fetch/headers.js';
export { Response } from './lib/web/fetch/response.js';
`;
/** HTTP/2 and the second parser, which our `Agent` never turns on; HTTP/2 loads Node's own too. */
const unused = 'module.exports = undefined;';

const parts: ReadonlyMap<string, string> = new Map([
  [place('index.js'), entry],
  [place('lib/dispatcher/client-h2.js'), unused],
  [place('lib/milo/simd.js'), unused],
  [place('lib/milo/no-simd.js'), unused],
]);

/** Leaves out of the bundle what Postern uses nothing of in undici: half of it, which each start would load. */
export const undiciParts: Plugin = {
  name: 'undici-parts',
  load(id) {
    const code = parts.get(id);
    return code === undefined ? null : { code, moduleType: 'js' };
  },
};
