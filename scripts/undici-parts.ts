import { join } from 'node:path';
import { normalizePath } from 'vite';
import type { Plugin } from 'vite';

const place = (file: string): string => normalizePath(join(import.meta.dirname, '../node_modules/undici', file));

/**
 * undici's entry loads everything, including caches, mocks and web sockets. The bundle contains only these four; any
 * other import from undici fails the build.
 */
const entry = `
export { default as Agent } from './lib/dispatcher/agent.js';
export { default as errors } from './lib/core/errors.js';
export { Headers } from './lib/web/fetch/headers.js';
export { Response } from './lib/web/fetch/response.js';
`;
/** HTTP/2 and the second parser, which our `Agent` never enables. HTTP/2 would also load Node's own. */
const unused = 'module.exports = undefined;';

const parts: ReadonlyMap<string, string> = new Map([
  [place('index.js'), entry],
  [place('lib/dispatcher/client-h2.js'), unused],
  [place('lib/milo/simd.js'), unused],
  [place('lib/milo/no-simd.js'), unused],
]);

/** Excludes the unused half of undici from the bundle; otherwise each start would load it. */
export const trimUndici: Plugin = {
  name: 'undici-parts',
  load(id) {
    const code = parts.get(id);
    return code === undefined ? null : { code, moduleType: 'js' };
  },
};
