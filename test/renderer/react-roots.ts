import { createRoot as create } from 'react-dom/client';
import type { Root } from 'react-dom/client';

/** In a page of the tests: what is drawn there, so that it can be taken away again. */
export interface PageWithRoots {
  roots?: Root[];
}

/** Stands in for `createRoot` of `react-dom/client` in the renderer that the tests build. */
export function createRoot(container: Element): Root {
  const root = create(container);
  ((globalThis as PageWithRoots).roots ??= []).push(root);
  return root;
}
