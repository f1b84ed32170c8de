import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { signInBarWords } from '../../shared/words/en/sign-in-words.ts';
import { requestsTo, startPair } from '../support/demo-pair.ts';
import type { RunningPostern } from './kit/open-postern.ts';
import { connected, look, signIn, start } from './kit/user-actions.ts';
import { expect, test } from './kit/window-test.ts';
import type { OpenPostern } from './kit/window-test.ts';

const BROWSER = `${process.execPath} ${path.join(import.meta.dirname, '../demo/scripted-browser.ts')}`;

/** Serves the sign-in page itself, or leaves it to the service. */
type Responder = (response: ServerResponse, visit: number) => boolean;

/** A popup sign-in whose page `respond` serves. */
async function open(openPostern: OpenPostern, respond: Responder) {
  let visits = 0;
  const pair = await startPair({
    intercept(request: IncomingMessage, response: ServerResponse) {
      if (!request.url?.startsWith('/authorize')) return false;
      visits += 1;
      return respond(response, visits);
    },
  });
  const postern = await openPostern({ env: { BROWSER } });
  await look(postern.page, pair.mcp.url);
  await start(postern.page, 'signIn', 'Field notes');
  return { ...pair, postern, host: new URL(pair.as.origin).host };
}

/** Runs code in the bar above the sign-in page, which is our page. */
const inBar = (postern: RunningPostern, code: string): Promise<unknown> =>
  postern.window.evaluate(
    ({ webContents }, text) =>
      webContents
        .getAllWebContents()
        .find((contents) => contents.getURL().includes('sign-in-bar.html'))
        ?.executeJavaScript(text, true) as Promise<unknown> | undefined,
    code,
  );
/**
 * Clicks in the bar without waiting for a result: if the click closes the bar first, Electron never returns one.
 */
const pressInBar = (postern: RunningPostern, target: string): Promise<unknown> =>
  postern.window.evaluate(({ webContents }, code) => {
    const bar = webContents.getAllWebContents().find((contents) => contents.getURL().includes('sign-in-bar.html'));
    bar?.executeJavaScript(code, true).catch(() => {});
  }, `document.${target}.click(); 0`);
const said = (postern: RunningPostern): Promise<unknown> => inBar(postern, 'document.body.innerText').catch(() => '');

/** Presses a key in a view of the popup. */
const press = (postern: RunningPostern, keyCode: string, from = 'sign-in-bar.html'): Promise<void> =>
  postern.window.evaluate(
    ({ webContents }, { key, part }) => {
      const contents = webContents.getAllWebContents().find((one) => one.getURL().includes(part));
      for (const type of ['keyDown', 'char', 'keyUp'] as const) contents?.sendInputEvent({ type, keyCode: key });
    },
    { key: keyCode, part: from },
  );

/** The share of the window it takes. */
const heights = (postern: RunningPostern): Promise<number[]> =>
  postern.window.evaluate(({ BaseWindow, BrowserWindow }) => {
    const popup = BaseWindow.getAllWindows().find((window) => !(window instanceof BrowserWindow));
    return popup ? [popup.contentView.children[1]?.getBounds().height ?? 0, popup.getContentBounds().height] : [];
  });

/** A service that closes every connection until it is fixed; Chromium may try twice. */
function brokenService(): { readonly answer: Responder; repair(): void } {
  let isBroken = true;
  return {
    answer(response) {
      if (isBroken) response.socket?.destroy();
      return isBroken;
    },
    repair: () => void (isBroken = false),
  };
}

/** Serves these pages, then the service's own. */
const answerWith =
  (...pages: readonly string[]): Responder =>
  (response, visit) => {
    const html = pages[visit - 1];
    if (html === undefined) return false;
    response.writeHead(200, { 'content-type': 'text/html' }).end(html);
    return true;
  };

/** The bar loads next to the page; before that, an empty bar proves nothing. */
const barShown = (postern: RunningPostern): Promise<void> =>
  expect.poll(() => said(postern)).toEqual(expect.any(String));

/** Whether Postern listens in this document, which starts once it is loaded. Runs in the document. */
const isHeard = (): boolean =>
  !Function.prototype.toString.call(CredentialsContainer.prototype.get).includes('[native code]');

test.describe('the bar above a sign-in page', () => {
  test('covers a page that failed to load, says why, and opens the browser with one key', async ({
    openPostern,
    runtime,
  }) => {
    const service = brokenService();
    const { postern, host, as } = await open(openPostern, service.answer);
    await expect.poll(() => said(postern)).toContain(`${host} closed the connection before the page loaded.`);
    expect(await said(postern)).toContain('ERR_EMPTY_RESPONSE');
    // Electron’s warning has the whole URL, including the sign-in state, and Node would print it.
    expect(postern.window.output()).not.toContain(host);
    const [bar, window] = await heights(postern);
    expect(bar).toBe(window);
    expect(await inBar(postern, 'document.activeElement.textContent')).toBe('Use my browser instead');
    service.repair();
    if (runtime === 'electron') await press(postern, 'Enter');
    else await pressInBar(postern, 'activeElement');
    await connected(postern.page, 'Field notes');
    await expect.poll(() => postern.popups()).toEqual([]);
    expect(new Set(requestsTo(as, '/authorize').map(({ query }) => query.get('state'))).size).toBe(1);
  });

  test('is entered and left with F6', async ({ openPostern, runtime }) => {
    test.skip(runtime === 'stand-in', 'there the bar is not in a window');
    const { postern, as } = await open(openPostern, () => false);
    await expect((await postern.popup(as.origin)).getByLabel('User name')).toBeVisible();
    const focused = (): Promise<string | undefined> =>
      postern.window.evaluate(({ webContents }) => webContents.getFocusedWebContents()?.getURL().slice(0, 13));
    await press(postern, 'F6', as.origin);
    await expect.poll(focused).toBe('app://postern');
    await press(postern, 'F6');
    await expect.poll(focused).toBe(as.origin.slice(0, 13));
  });

  test('shrinks back once a retry loads the page', async ({ openPostern }) => {
    const service = brokenService();
    const { postern, as } = await open(openPostern, service.answer);
    await expect.poll(() => said(postern)).toContain('did not load');
    service.repair();
    await pressInBar(postern, "getElementById('again')");
    const popup = await postern.popup(as.origin);
    await expect(popup.getByLabel('User name')).toBeVisible();
    await expect.poll(() => said(postern)).not.toContain('did not load');
    expect((await heights(postern))[0]).toBe(40);
    await signIn(popup);
    await connected(postern.page, 'Field notes');
  });

  test('does not cover a loaded page whose response never ends', async ({ openPostern }) => {
    const { postern, as } = await open(openPostern, (response) => {
      response.writeHead(200, { 'content-type': 'text/html', 'content-length': '9999' });
      response.write('<p>All that is needed</p>', () => response.socket?.destroySoon());
      return true;
    });
    await expect((await postern.popup(as.origin)).getByText('All that is needed')).toBeVisible();
    const isLoading = (): Promise<boolean | undefined> =>
      postern.window.evaluate(
        ({ webContents }, origin) =>
          webContents
            .getAllWebContents()
            .find((contents) => contents.getURL().startsWith(origin))
            ?.isLoading(),
        as.origin,
      );
    await expect.poll(isLoading).toBe(false);
    expect(await said(postern)).not.toContain('did not load');
    expect((await heights(postern))[0]).toBe(40);
  });

  test('does not report a stopped or replaced load', async ({ openPostern, runtime }) => {
    test.skip(runtime === 'stand-in', 'a page that waits for its next address runs no script there');
    const arrived: number[] = [];
    const { postern, as } = await open(openPostern, (response, visit) => {
      arrived.push(visit);
      const answers: readonly (readonly [number, string] | undefined)[] = [[200, 'First'], [204, ''], undefined];
      const reply = visit > answers.length ? ([200, 'Last'] as const) : answers[visit - 1];
      // The third never responds.
      if (reply) response.writeHead(reply[0], { 'content-type': 'text/html' }).end(reply[1]);
      return true;
    });
    const popup = await postern.popup(as.origin);
    await expect(popup.getByText('First')).toBeVisible();
    // Asks Electron, because Playwright waits for a navigation without a page.
    const go = (): Promise<unknown> =>
      postern.window.evaluate(
        ({ webContents }, origin) =>
          webContents
            .getAllWebContents()
            .find((contents) => contents.getURL().startsWith(origin))
            ?.mainFrame.executeJavaScript("location.href = '/authorize?next'; 0"),
        as.origin,
      );
    await go();
    await expect.poll(() => arrived.length).toBe(2);
    await go();
    await expect.poll(() => arrived.length).toBe(3);
    await go();
    await expect(popup.getByText('Last')).toBeVisible();
    expect(await said(postern)).not.toContain('did not load');
    expect((await heights(postern))[0]).toBe(40);
  });

  test('explains why a button for a second window does nothing, and offers the browser', async ({ openPostern }) => {
    const { postern, as } = await open(
      openPostern,
      answerWith('<button onclick="window.open(\'/other\')">Continue</button>'),
    );
    const popup = await postern.popup(as.origin);
    await popup.getByRole('button', { name: 'Continue' }).click();
    await expect.poll(() => said(postern)).toContain('second window');
    expect((await heights(postern))[0]).toBe(88);
    expect(postern.popups()).toHaveLength(1);
    await pressInBar(postern, "getElementById('browser')");
    await connected(postern.page, 'Field notes');
  });

  test('warns that a passkey may not work once the page asks for one, and offers the browser', async ({
    openPostern,
  }) => {
    const { postern, as } = await open(openPostern, answerWith('<h1>Hello</h1>'));
    const popup = await postern.popup(as.origin);
    await popup.waitForFunction(isHeard);
    await barShown(postern);
    const ask = (mediation?: 'conditional'): Promise<void> =>
      popup.evaluate((how) => {
        const options = { publicKey: { challenge: new Uint8Array(16) }, ...(how && { mediation: how }) };
        void navigator.credentials.get(options as CredentialRequestOptions).catch(() => {});
      }, mediation);
    await ask('conditional');
    expect(await said(postern)).not.toContain('Passkeys');
    await ask();
    await expect.poll(() => said(postern)).toContain(signInBarWords.needs.passkey);
    await pressInBar(postern, "getElementById('browser')");
    await connected(postern.page, 'Field notes');
  });

  test('warns about a passkey that an embedded frame asks for', async ({ openPostern }) => {
    const { postern, as } = await open(
      openPostern,
      answerWith(
        '<h1>Hello</h1><iframe src="/authorize?frame" allow="publickey-credentials-get *"></iframe>',
        '<button>In the frame</button>',
      ),
    );
    const popup = await postern.popup(as.origin);
    const frame = popup.frameLocator('iframe');
    await expect(frame.getByRole('button')).toBeVisible();
    await popup.frames()[1]?.waitForFunction(isHeard);
    await barShown(postern);
    expect(await said(postern)).not.toContain('Passkeys');
    await frame.getByRole('button').evaluate(() => {
      const publicKey = { challenge: new Uint8Array(16) };
      void navigator.credentials.get({ publicKey }).catch(() => {});
    });
    await expect.poll(() => said(postern)).toContain(signInBarWords.needs.passkey);
    await pressInBar(postern, "getElementById('browser')");
    await connected(postern.page, 'Field notes');
  });
});
