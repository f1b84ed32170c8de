import type { PosternApi } from '../shared/ipc-contract.ts';

declare global {
  interface Window {
    /** Put there by the preload. */
    readonly postern: PosternApi;
  }
}

export const postern: PosternApi = window.postern;
