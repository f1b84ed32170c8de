import { create } from 'zustand';
import type { laterScreens } from './later-screens.tsx';

type LaterScreens = typeof laterScreens;

const useLoaded = create<{ readonly screens: LaterScreens | undefined }>()(() => ({ screens: undefined }));

/** Milliseconds in which they are loaded even where the page has no idle moment. */
const longestWait = 200;

/** Loads what comes after the first screen, once that one is drawn, so that no click has to wait for it. */
export function preloadLaterScreens(): void {
  const load = async (): Promise<void> => {
    const loaded = await import('./later-screens.tsx');
    useLoaded.setState({ screens: loaded.laterScreens });
  };
  requestIdleCallback(() => void load(), { timeout: longestWait });
}

/**
 * `undefined` while they are loading. Unlike `React.lazy` it draws them in one go with whatever asks for them: that
 * shows an empty place first even where the code is there.
 */
export function useLaterScreens(): LaterScreens | undefined {
  return useLoaded(({ screens }) => screens);
}
