import { join } from 'node:path';
import { normalizePath } from 'vite';
import type { Plugin } from 'vite';

const ownReact = '\0react-jsx';
/** What draws an icon, for the props that Postern gives it; the drawings are the library's. */
const drawIcon = `
import { createElement } from 'react';
export default ({ node }) => ({ size = 24, strokeWidth = 2, ...props }) =>
  createElement(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg', width: size, height: size, viewBox: '0 0 24 24', fill: 'none',
      stroke: 'currentColor', strokeWidth, strokeLinecap: 'round', strokeLinejoin: 'round', 'aria-hidden': true, ...props,
    },
    ...node.map(([tag, attributes]) => createElement(tag, attributes)),
  );
`;

/** What stands in the place of a module. */
const replaced: ReadonlyMap<string, string> = new Map([
  [
    ownReact,
    `import * as runtime from 'react/jsx-runtime';
const { jsx, Fragment } = runtime;
export { jsx, jsx as jsxs, Fragment };`,
  ],
  ['\0vite/preload-helper.js', 'export const __vitePreload = (load) => load();'],
  [normalizePath(join(import.meta.dirname, '../node_modules/lucide-react/dist/esm/createLucideIcon.mjs')), drawIcon],
]);

/**
 * Leaves out of the pages what they use nothing of in the libraries:
 *
 * - of lucide-react what builds an icon for every framework at each drawing, its names and its lines' random keys;
 * - the two names that React has for one function in production, each looked up in an object at each of 1,900 calls;
 * - Vite's helper that loads styles before a script that a page asks for later: none of ours has any.
 */
export const leanPages: Plugin = {
  name: 'lean-pages',
  enforce: 'pre',
  resolveId: {
    filter: { id: /^react\/jsx-runtime$/u },
    handler: (_id, importer) => (importer === ownReact ? null : ownReact),
  },
  load: {
    filter: { id: /react-jsx$|\/preload-helper\.js$|\/createLucideIcon\.mjs$/u },
    handler: (id) => replaced.get(id) ?? null,
  },
  transform: {
    filter: { id: /\/lucide-react\/dist\/esm\/icons\// },
    handler: (code) => ({
      code: code
        .replaceAll(/, key: "[a-z0-9]+"/gu, '')
        .replace(/^ {2}name: .*\n {2}size: 24,\n/mu, '')
        .replace(/,\n {2}aliases: \[[^\]]*\]/u, '')
        .replace('__iconData.node;\n', ''),
      map: null,
    }),
  },
};
