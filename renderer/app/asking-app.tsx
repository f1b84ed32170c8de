import { useLanguage } from '../language.ts';
import { HeldCalls } from '../permissions/held-calls.tsx';
import { useSnapshots } from '../store.ts';
import { useTheme, useWantedLanguage } from './use-appearance.ts';

/** The small window that asks about calls of tools. */
export function AskingApp() {
  const isReady = useSnapshots((state) => Boolean(state.app && state.heldCalls));
  const language = useLanguage((state) => state.language);
  useTheme();
  useWantedLanguage();
  return isReady && language ? <HeldCalls /> : null;
}
