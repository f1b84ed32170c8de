import { createRoot as create } from 'react-dom/client';
import type { Root } from 'react-dom/client';

/** The React roots of a test page, so that they can be unmounted. */
export interface PageWithRoots {
  roots?: Root[];
}

/** Replaces `createRoot` of `react-dom/client` in the renderer built for tests. */
export function createRoot(container: Element): Root {
  const root = create(container);
  ((globalThis as PageWithRoots).roots ??= []).push(root);
  return root;
}
