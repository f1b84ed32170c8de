import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createCallbackReceiver } from '../../main/net/callback-listener.ts';
import type { CallbackHandlers } from '../../main/ports.ts';
import { launchBrowser } from '../renderer/open-renderer.ts';
import { asChecked } from '../support/as-checked.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
});

const word = 'w'.repeat(43);

/** A pending sign-in, and a page of another site on this computer in a real browser. */
async function openForeignPage() {
  const requestedLinks: string[] = [];
  const referrers: (string | undefined)[] = [];
  const site = createServer((request, response) => {
    if (request.url === '/authorize') referrers.push(request.headers.referer);
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Somebody else</title>');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => site.once('listening', resolve));
  const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  const receiver = createCallbackReceiver();
  const answers: CallbackHandlers = {
    callback: (query) => (requestedLinks.push(query), 'done'),
    link: (link) => (requestedLinks.push(link), { url: asChecked(`${origin}/authorize`) }),
  };
  const listener = await receiver.listen({ host: '127.0.0.1', port: await receiver.freePort() }, answers);
  const page = await browser.newPage();
  onTestFinished(async () => {
    await page.close();
    await listener.close();
    site.closeAllConnections();
    site.close();
  });
  await page.goto(origin);
  const targets = { callback: `${listener.url}?code=stolen&state=right`, link: listener.linkTo(word) };
  return { page, targets, requestedLinks, referrers, origin };
}

/** The ways a page can request an address without a top-level navigation. */
const ways = ['img', 'script', 'iframe', 'object', 'link', 'fetch', 'prefetch'] as const;

/** Resolves when the browser has its response, or has blocked the page from reading it. */
async function askBy(page: Page, way: (typeof ways)[number], url: string): Promise<void> {
  const isIt = (request: Request): boolean => request.url() === url;
  const over = Promise.race([page.waitForEvent('requestfinished', isIt), page.waitForEvent('requestfailed', isIt)]);
  await page.evaluate(
    ([kind, address]) => {
      if (kind === 'fetch') return void fetch(address, { mode: 'no-cors' }).catch(() => {});
      const element = document.createElement(kind === 'prefetch' ? 'link' : kind);
      if (kind === 'link' || kind === 'prefetch') element.setAttribute('rel', kind === 'link' ? 'stylesheet' : kind);
      const attribute = kind === 'object' ? 'data' : element.tagName === 'LINK' ? 'href' : 'src';
      element.setAttribute(attribute, address);
      document.body.append(element);
    },
    [way, url] as const,
  );
  await over;
}

describe('a pending sign-in, with a page of another site in the same browser', () => {
  it.each(ways)(
    'accepts no callback and keeps its link despite %s, with the right state (RFC 9700 section 4.7)',
    async (way) => {
      const { page, targets, requestedLinks } = await openForeignPage();
      await askBy(page, way, targets.callback);
      await askBy(page, way, targets.link);
      expect(requestedLinks).toEqual([]);
    },
  );

  it('accepts the callback when the browser navigates there, directly or from a page', async () => {
    const { page, targets, requestedLinks } = await openForeignPage();
    expect((await page.goto(targets.callback))?.status()).toBe(200);
    await page.goBack();
    const arrived = page.waitForResponse((response) => response.url() === targets.callback);
    await page.evaluate((address) => void (location.href = address), targets.callback);
    expect((await arrived).status()).toBe(200);
    expect(requestedLinks).toEqual(['code=stolen&state=right', 'code=stolen&state=right']);
  });

  it('redirects a browser from its one-time link to the sign-in page, without a trace of the link', async () => {
    const { page, targets, requestedLinks, referrers, origin } = await openForeignPage();
    await page.goto(targets.link);
    expect(page.url()).toBe(`${origin}/authorize`);
    expect(requestedLinks).toEqual([word]);
    expect(referrers).toEqual([undefined]);
    expect(await page.evaluate(() => document.referrer)).toBe('');
  });
});
