import { useEffect } from 'react';
import { speak } from '../language.ts';
import { useSnapshots } from '../store.ts';

/** The tokens follow the system by themselves; a choice of the person stands above it. */
export function useTheme(): void {
  const theme = useSnapshots((state) => state.app?.theme);
  useEffect(() => {
    if (theme === undefined || theme === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
  }, [theme]);
}

/** As main says: chosen in the settings, or that of the system. */
export function useWantedLanguage(): void {
  const language = useSnapshots((state) => state.app?.language);
  useEffect(() => {
    if (language) void speak(language);
  }, [language]);
}
