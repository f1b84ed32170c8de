import { internalEvents } from './internal-events.ts';
import type { Page } from './page.ts';

let wanted: 'light' | 'dark' | undefined;
const pages = new Set<Page>();

internalEvents.on('colorScheme', (scheme) => {
  wanted = scheme;
  for (const page of pages) void send(page);
});

/** Keeps `prefers-color-scheme` of a page at what `nativeTheme.themeSource` says. */
export async function applyColorScheme(page: Page): Promise<void> {
  pages.add(page);
  page.once('closed', () => pages.delete(page));
  // Only where there is something to say: a test client may emulate media by itself.
  if (wanted !== undefined) await send(page);
}

async function send({ session }: Page): Promise<void> {
  const features = [{ name: 'prefers-color-scheme', value: wanted ?? '' }];
  await session.send('Emulation.setEmulatedMedia', { features }).catch(() => {});
}
