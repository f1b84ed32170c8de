import { internalEvents } from './internal-events.ts';
import type { Page } from './page.ts';

let scheme: 'light' | 'dark' | undefined;
const pages = new Set<Page>();

internalEvents.on('colorScheme', (newScheme) => {
  scheme = newScheme;
  for (const page of pages) void send(page);
});

/** Syncs a page's `prefers-color-scheme` with `nativeTheme.themeSource`. */
export async function applyColorScheme(page: Page): Promise<void> {
  pages.add(page);
  page.once('closed', () => pages.delete(page));
  // Only if it is set: a test client may emulate media itself.
  if (scheme !== undefined) await send(page);
}

async function send({ session }: Page): Promise<void> {
  const features = [{ name: 'prefers-color-scheme', value: scheme ?? '' }];
  await session.send('Emulation.setEmulatedMedia', { features }).catch(() => {});
}
