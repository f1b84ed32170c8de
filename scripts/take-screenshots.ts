// Screenshots of the real app for the README: `npx node scripts/take-screenshots.ts`. Uses the demo servers and a
// throwaway profile, on Electron or the stand-in; on Linux run it inside scripts/with-keychain.sh.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { startDemo } from '../test/demo/start-demo.ts';
import { connected, look, openDiagnosis, openTab, signIn, start } from '../test/e2e/kit/user-actions.ts';
import { launchWindow } from '../test/support/launch-window.ts';

const images = path.join(import.meta.dirname, '../docs/images');
/** Small enough to be readable inside the README. */
const size = { width: 960, height: 620 };

const folder = mkdtempSync(path.join(tmpdir(), 'postern-screenshots-'));
mkdirSync(images, { recursive: true });
const demo = await startDemo({ folder: path.join(folder, 'demo'), mode: 'registration' });
try {
  await using window = await launchWindow({ profile: path.join(folder, 'profile'), env: { BROWSER: 'false' } });
  const page = await window.page('app://postern/index.html');
  // A busy machine is slow.
  page.setDefaultTimeout(180_000);
  await page.locator('.frame').waitFor();
  await page.setViewportSize(size);

  await look(page, demo.url);
  await page.getByText('Postern never sees your password.').waitFor();
  await picture(page, 'connect');

  await start(page, 'signIn', 'Field notes');
  const popup = await window.page(demo.issuer ?? '');
  await signIn(popup);
  await connected(page, 'Field notes');

  await openTab(page, 'Tools');
  await page.getByRole('listbox', { name: 'Tools' }).getByRole('option', { name: 'Who am I?' }).click();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.locator('.result').waitFor();
  await picture(page, 'tools');

  await openDiagnosis(page);
  await page.locator('.sequence-arrows').first().waitFor();
  await page.getByText('Last sign-in', { exact: true }).evaluate((summary) => summary.scrollIntoView());
  await picture(page, 'diagnosis', 'dark');
} finally {
  await demo.close();
  rmSync(folder, { recursive: true, force: true });
}

async function picture(page: Page, name: string, colorScheme: 'light' | 'dark' = 'light'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  // Wait until animations are over, with the pointer out of the way.
  await page.mouse.move(0, 0);
  await page.evaluate(() => document.fonts.ready);
  const image = await page.screenshot({ animations: 'disabled', caret: 'hide', type: 'png' });
  writeFileSync(path.join(images, `${name}.png`), image);
  console.log(`docs/images/${name}.png  ${Math.round(image.length / 1_024)} kB`);
}
