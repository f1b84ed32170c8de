// Renders every size of Postern's icon from assets/icon.svg: `npx node scripts/write-icons.ts`. Needs a Chromium.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { format, resolveConfig } from 'prettier';
import { findChromium } from '../test/electron-stand-in/find-chromium.ts';
import { packIcns, packIco } from './icon-containers.ts';
import { trayDrawings } from './tray-drawings.ts';

const assets = join(import.meta.dirname, '../assets');
/** Sizes that Linux desktops look for, and that macOS and Windows store in one file. */
const sizes = [16, 24, 32, 48, 64, 128, 256, 512, 1024];

const source = readFileSync(join(assets, 'icon.svg'), 'utf8');
const executablePath = findChromium();
if (executablePath === undefined) throw new Error('Chromium was not found');
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
const images = new Map<number, Buffer>();
/** Base64 of each state in the tray, at both scales. */
const tray: Record<string, Record<string, string[]>> = {};
try {
  const page = await browser.newPage();
  for (const size of sizes) {
    await page.setViewportSize({ width: size, height: size });
    // Small sizes have no margin: the drawing fills them.
    const box = size <= 48 ? '88 88 848 848' : '0 0 1024 1024';
    const drawing = source.replace('viewBox="0 0 1024 1024"', `viewBox="${box}" width="${size}" height="${size}"`);
    await page.setContent(`<style>*{margin:0}svg{display:block}</style>${drawing}`);
    images.set(size, await page.screenshot({ omitBackground: true, type: 'png' }));
  }
  for (const [kind, states] of Object.entries(trayDrawings(source))) {
    const drawn: Record<string, string[]> = (tray[kind] = {});
    for (const [state, drawing] of Object.entries(states)) {
      const scales: string[] = (drawn[state] = []);
      for (const size of kind === 'template' ? [18, 36] : [24, 48]) {
        await page.setViewportSize({ width: size, height: size });
        const sized = drawing.replace(/viewBox="[^"]*"/u, `viewBox="88 88 848 848" width="${size}" height="${size}"`);
        await page.setContent(`<style>*{margin:0}svg{display:block}</style>${sized}`);
        scales.push((await page.screenshot({ omitBackground: true, type: 'png' })).toString('base64'));
      }
    }
  }
} finally {
  await browser.close();
}

mkdirSync(join(assets, 'icons'), { recursive: true });
for (const [size, image] of images) {
  if (size <= 512) writeFileSync(join(assets, 'icons', `${size}x${size}.png`), image);
}
writeFileSync(join(assets, 'icon.icns'), packIcns(images));
writeFileSync(join(assets, 'icon.ico'), packIco(images));
const generated = `/** Made by scripts/write-icons.ts: PNG in base64, at 1 and 2 pixels a point. */
export const trayImages = ${JSON.stringify(tray)} as const;
`;
const module = join(import.meta.dirname, '../main/window/electron/tray-template.ts');
writeFileSync(module, await format(generated, { ...(await resolveConfig(module)), filepath: module }));
// A test compares the hash, so that nobody forgets to render a changed drawing.
writeFileSync(join(assets, 'icon.drawn-from.txt'), `${createHash('sha256').update(source).digest('hex')}\n`);
