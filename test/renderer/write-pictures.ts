import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildRenderer } from './build-renderer.ts';
import { launchRendererBrowser, openRenderer, serveRenderer } from './open-renderer.ts';
import { snapshotsOf, windowStates } from './window-states.ts';

/**
 * Writes a picture of every state of the window: `npx node test/renderer/write-pictures.ts FOLDER [--only TEXT]…
 * [--scheme light|dark] [--size small|large|WIDTHxHEIGHT]… [--language de] [--forced-colors]`. They are for viewing, not compared.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', multiple: true },
    scheme: { type: 'string', multiple: true, default: ['light', 'dark'] },
    size: { type: 'string', multiple: true, default: ['small', 'large'] },
    language: { type: 'string', default: 'en' },
    'forced-colors': { type: 'boolean', default: false },
  },
});
const [folder] = positionals;
if (folder === undefined) throw new Error('say into which folder');

const named = { small: '720x480', large: '1400x900' } as const;
const sizes = values.size.map((size) => {
  const [width = 0, height = 0] = (size in named ? named[size as keyof typeof named] : size).split('x').map(Number);
  return { size, width, height };
});
mkdirSync(folder, { recursive: true });
const built = mkdtempSync(join(tmpdir(), 'postern-renderer-'));
await buildRenderer(built);

/** Resolves when finite animations have ended. Serialized into pages. */
const endOfMotion = async (): Promise<void> => {
  const moving = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
  await Promise.allSettled([document.fonts.ready, ...moving.map(({ finished }) => finished)]);
};

await using server = await serveRenderer(built);
const browser = await launchRendererBrowser();
try {
  for (const state of windowStates) {
    if (values.only && !values.only.some((text) => state.name.includes(text))) continue;
    for (const colorScheme of ['light', 'dark'] as const) {
      if (!values.scheme.includes(colorScheme)) continue;
      for (const { size, width, height } of sizes) {
        const snapshots = snapshotsOf(state);
        const opened = await openRenderer(browser, server.origin, {
          snapshots,
          answers: state.answers,
          isAsking: state.isAsking,
          colorScheme,
          width,
          height,
        });
        if (values['forced-colors']) await opened.page.emulateMedia({ forcedColors: 'active' });
        try {
          await state.lead?.(opened.page);
        } catch (error) {
          console.error(`${state.name}: ${String(error).split('\n')[0]}`);
        }
        // Steps use English labels.
        if (values.language === 'de') {
          await opened.publish({ desktop: { ...snapshots.desktop, language: 'de' } });
          await opened.page.locator('html[lang="de"]').waitFor();
        }
        await opened.page.evaluate(endOfMotion);
        await opened.page.screenshot({ path: join(folder, `${state.name}-${size}-${colorScheme}.png`) });
        for (const complaint of opened.complaints) console.error(`${state.name}: ${complaint}`);
        await opened.close();
      }
    }
  }
} finally {
  await browser.close();
  rmSync(built, { recursive: true, force: true });
}
