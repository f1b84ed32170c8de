// The README's moving picture of the real app, from an address to a tool that Cursor calls: `npm run screenshots`. Uses the
// demo servers, a throwaway profile and a home folder with Cursor in it, on Electron or the stand-in.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { words } from '../renderer/words.ts';
import { startDemo } from '../test/demo/start-demo.ts';
import { signIn, start } from '../test/e2e/kit/user-actions.ts';
import { registerCleanupWith } from '../test/support/after-test.ts';
import { launchWindow } from '../test/support/launch-window.ts';
import { openApp, shakeHands } from '../test/support/line-app.ts';

const images = path.join(import.meta.dirname, '../docs/images');
/** Small enough to be readable inside the README. */
const size = { width: 960, height: 620 };

/** The frames of the moving picture, each with its time in milliseconds. */
const frames: { readonly image: Buffer; readonly time: number }[] = [];

const folder = mkdtempSync(path.join(tmpdir(), 'postern-screenshots-'));
mkdirSync(images, { recursive: true });
const [home, profile] = [path.join(folder, 'home'), path.join(folder, 'profile')];
const cursorFile = path.join(home, '.cursor', 'mcp.json');
mkdirSync(path.dirname(cursorFile), { recursive: true });
writeFileSync(cursorFile, '{"mcpServers":{}}');
const cleanups: (() => unknown)[] = [];
registerCleanupWith((clean) => void cleanups.push(clean));
const demo = await startDemo({ folder: path.join(folder, 'demo'), mode: 'registration' });
try {
  const env = { BROWSER: 'false', HOME: home, XDG_CONFIG_HOME: undefined };
  await using window = await launchWindow({ profile, env });
  const page = await window.page('app://postern/index.html');
  // A busy machine is slow.
  page.setDefaultTimeout(180_000);
  await page.locator('.frame').waitFor();
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });

  const address = page.getByLabel('Server address');
  await address.click();
  await frame(page, 1_500);
  await typeSlowly(page, demo.url);
  await page.getByRole('checkbox', { name: 'my computer or internal network' }).click();
  await address.press('Enter');
  await page.getByText('Postern never sees your password.').waitFor();
  await frame(page, 2_000);

  await start(page, 'signIn', 'Field notes');
  const popup = await window.page(demo.issuer ?? '');
  await popup.getByLabel('User name').waitFor();
  await frame(page, 1_800, popup);
  await signIn(popup);
  await page.getByRole('heading', { name: words.apps.connected.title('Field notes') }).waitFor();
  await page.getByRole('switch', { name: 'Cursor' }).waitFor();
  await frame(page, 2_000);
  await page.getByRole('button', { name: words.apps.connected.use(['Cursor']) }).click();
  await page.getByRole('button', { name: 'Copy' }).waitFor();
  await frame(page, 2_500);

  await page.getByRole('button', { name: words.home.title, exact: true }).click();
  await callAsCursor();
  await page.getByText('Cursor used').waitFor();
  await frame(page, 4_000);
  await save('first-minute');
} finally {
  for (const clean of cleanups) await clean();
  await demo.close();
  rmSync(folder, { recursive: true, force: true });
}

/** Does what the entry in Cursor's file makes it do. */
async function callAsCursor(): Promise<void> {
  const { mcpServers } = JSON.parse(readFileSync(cursorFile, 'utf8')) as {
    readonly mcpServers: Readonly<Record<string, { readonly args: readonly string[] }>>;
  };
  const [[server, entry] = []] = Object.entries(mcpServers);
  const socket = path.join(profile, 'run', 'gateway.sock');
  while (!existsSync(socket)) await delay(100);
  const cursor = openApp(socket, { server: server ?? '', app: entry?.args.at(-1) ?? '' });
  await shakeHands(cursor);
  // As apps do. It also tells Postern which tools only read.
  await cursor.request('list', 'tools/list');
  for (const id of [1, 2, 3]) await cursor.request(id, 'tools/call', { name: 'whoami', arguments: {} });
}

/** Shows the page for `time` milliseconds; `above`: a window in front of it. */
async function frame(page: Page, time: number, above?: Page): Promise<void> {
  const image = await page.screenshot({ animations: 'disabled', type: 'png' });
  const layers = above === undefined ? [] : [{ input: await asWindow(above) }];
  frames.push({ image: await sharp(image).composite(layers).png().toBuffer(), time });
}

/** A sign-in window, small enough to fit into the main one, with a border. */
async function asWindow(page: Page): Promise<Buffer> {
  const shot = await page.screenshot({ animations: 'disabled', type: 'png' });
  const border = 2;
  return await sharp(shot)
    .resize({ width: size.width - 240, height: size.height - 80, fit: 'inside' })
    .extend({ top: border, bottom: border, left: border, right: border, background: '#8a9794' })
    .png()
    .toBuffer();
}

/** Types as a person does, with a frame every few characters. */
async function typeSlowly(page: Page, text: string): Promise<void> {
  const step = 6;
  for (let at = 0; at < text.length; at += step) {
    await page.keyboard.type(text.slice(at, at + step));
    await frame(page, 120);
  }
}

/** Joins the frames into one picture that starts again after its end. */
async function save(name: string): Promise<void> {
  const image = await sharp(
    frames.map((each) => each.image),
    { join: { animated: true } },
  )
    .webp({ delay: frames.map(({ time }) => time), loop: 0, lossless: true, effort: 6 })
    .toBuffer();
  writeFileSync(path.join(images, `${name}.webp`), image);
  console.log(`docs/images/${name}.webp  ${Math.round(image.length / 1_024)} kB, ${frames.length} frames`);
}
