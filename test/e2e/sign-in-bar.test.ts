import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { signInBarWords } from '../../shared/words/en/sign-in-words.ts';
import { requestsTo, startPair } from '../support/demo-pair.ts';
import type { Program } from './kit/open-program.ts';
import { connected, look, signIn, start } from './kit/person.ts';
import { expect, test } from './kit/window-test.ts';
import type { OpenProgram } from './kit/window-test.ts';

const BROWSER = `${process.execPath} ${path.join(import.meta.dirname, '../demo/scripted-browser.ts')}`;

/** Answers the sign-in page by itself, or leaves it to the service. */
type Answer = (response: ServerResponse, visit: number) => boolean;

/** A sign-in in a popup whose page is answered by `answer`. */
async function open(openProgram: OpenProgram, answer: Answer) {
  let visits = 0;
  const pair = await startPair({
    intercept(request: IncomingMessage, response: ServerResponse) {
      if (!request.url?.startsWith('/authorize')) return false;
      visits += 1;
      return answer(response, visits);
    },
  });
  const program = await openProgram({ env: { BROWSER } });
  await look(program.page, pair.mcp.url);
  await start(program.page, 'Add and sign in', 'Field notes');
  return { ...pair, program, host: new URL(pair.as.origin).host };
}

/** Runs code in the bar above the sign-in page, which is a page of ours. */
const inBar = (program: Program, code: string): Promise<unknown> =>
  program.window.evaluate(
    ({ webContents }, text) =>
      webContents
        .getAllWebContents()
        .find((contents) => contents.getURL().includes('sign-in-bar.html'))
        ?.executeJavaScript(text, true) as Promise<unknown> | undefined,
    code,
  );
/**
 * Presses something in the bar without waiting for an answer: where the press closes the bar first, Electron never
 * gives one.
 */
const pressInBar = (program: Program, target: string): Promise<unknown> =>
  program.window.evaluate(({ webContents }, code) => {
    const bar = webContents.getAllWebContents().find((contents) => contents.getURL().includes('sign-in-bar.html'));
    bar?.executeJavaScript(code, true).catch(() => {});
  }, `document.${target}.click(); 0`);
const said = (program: Program): Promise<unknown> => inBar(program, 'document.body.innerText').catch(() => '');

/** A key in a part of the popup. */
const press = (program: Program, keyCode: string, from = 'sign-in-bar.html'): Promise<void> =>
  program.window.evaluate(
    ({ webContents }, { key, part }) => {
      const contents = webContents.getAllWebContents().find((one) => one.getURL().includes(part));
      for (const type of ['keyDown', 'char', 'keyUp'] as const) contents?.sendInputEvent({ type, keyCode: key });
    },
    { key: keyCode, part: from },
  );

/** How much of the window it takes. */
const heights = (program: Program): Promise<number[]> =>
  program.window.evaluate(({ BaseWindow, BrowserWindow }) => {
    const popup = BaseWindow.getAllWindows().find((window) => !(window instanceof BrowserWindow));
    return popup ? [popup.contentView.children[1]?.getBounds().height ?? 0, popup.getContentBounds().height] : [];
  });

/** A service that closes every connection until it is mended; Chromium may try twice. */
function brokenService(): { readonly answer: Answer; mend(): void } {
  let isBroken = true;
  return {
    answer(response) {
      if (isBroken) response.socket?.destroy();
      return isBroken;
    },
    mend: () => void (isBroken = false),
  };
}

/** These pages, and then the service's own. */
const answerWith =
  (...pages: readonly string[]): Answer =>
  (response, visit) => {
    const html = pages[visit - 1];
    if (html === undefined) return false;
    response.writeHead(200, { 'content-type': 'text/html' }).end(html);
    return true;
  };

/** The bar is loaded beside the page: until it is there, it says nothing that could be wrong. */
const barShown = (program: Program): Promise<void> => expect.poll(() => said(program)).toEqual(expect.any(String));

/** Whether the program listens in this document: it begins to once the document is there. Runs in it. */
const isHeard = (): boolean =>
  !Function.prototype.toString.call(CredentialsContainer.prototype.get).includes('[native code]');

test.describe('the bar above a sign-in page', () => {
  test('covers a page that could not be loaded, says why, and leads to the browser by one key', async ({
    openProgram,
    runtime,
  }) => {
    const service = brokenService();
    const { program, host, as } = await open(openProgram, service.answer);
    await expect.poll(() => said(program)).toContain(`${host} closed the connection before the page had come.`);
    expect(await said(program)).toContain('ERR_EMPTY_RESPONSE');
    // Electron warns of it with the whole address, the state of the sign-in included, and Node would print that.
    expect(program.window.output()).not.toContain(host);
    const [bar, window] = await heights(program);
    expect(bar).toBe(window);
    expect(await inBar(program, 'document.activeElement.textContent')).toBe('Use my browser instead');
    service.mend();
    if (runtime === 'electron') await press(program, 'Enter');
    else await pressInBar(program, 'activeElement');
    await connected(program.page, 'Field notes');
    await expect.poll(() => program.popups()).toEqual([]);
    expect(new Set(requestsTo(as, '/authorize').map(({ query }) => query.get('state'))).size).toBe(1);
  });

  test('is reached from the page, and left again, by F6', async ({ openProgram, runtime }) => {
    test.skip(runtime === 'stand-in', 'there the bar is in no window');
    const { program, as } = await open(openProgram, () => false);
    await expect((await program.popup(as.origin)).getByLabel('User name')).toBeVisible();
    const focused = (): Promise<string | undefined> =>
      program.window.evaluate(({ webContents }) => webContents.getFocusedWebContents()?.getURL().slice(0, 13));
    await press(program, 'F6', as.origin);
    await expect.poll(focused).toBe('app://postern');
    await press(program, 'F6');
    await expect.poll(focused).toBe(as.origin.slice(0, 13));
  });

  test('goes back to its place once the page is there, by trying again', async ({ openProgram }) => {
    const service = brokenService();
    const { program, as } = await open(openProgram, service.answer);
    await expect.poll(() => said(program)).toContain('could not be loaded');
    service.mend();
    await pressInBar(program, "getElementById('again')");
    const popup = await program.popup(as.origin);
    await expect(popup.getByLabel('User name')).toBeVisible();
    await expect.poll(() => said(program)).not.toContain('could not be loaded');
    expect((await heights(program))[0]).toBe(40);
    await signIn(popup);
    await connected(program.page, 'Field notes');
  });

  test('leaves alone a page that is there, though its end never came', async ({ openProgram }) => {
    const { program, as } = await open(openProgram, (response) => {
      response.writeHead(200, { 'content-type': 'text/html', 'content-length': '9999' });
      response.write('<p>All that is needed</p>', () => response.socket?.destroySoon());
      return true;
    });
    await expect((await program.popup(as.origin)).getByText('All that is needed')).toBeVisible();
    const isLoading = (): Promise<boolean | undefined> =>
      program.window.evaluate(
        ({ webContents }, origin) =>
          webContents
            .getAllWebContents()
            .find((contents) => contents.getURL().startsWith(origin))
            ?.isLoading(),
        as.origin,
      );
    await expect.poll(isLoading).toBe(false);
    expect(await said(program)).not.toContain('could not be loaded');
    expect((await heights(program))[0]).toBe(40);
  });

  test('says nothing of a load that was stopped, or that another one replaced', async ({ openProgram, runtime }) => {
    test.skip(runtime === 'stand-in', 'a page that waits for its next address runs no script there');
    const arrived: number[] = [];
    const { program, as } = await open(openProgram, (response, visit) => {
      arrived.push(visit);
      const answers: readonly (readonly [number, string] | undefined)[] = [[200, 'First'], [204, ''], undefined];
      const answer = visit > answers.length ? ([200, 'Last'] as const) : answers[visit - 1];
      // The third waits for ever.
      if (answer) response.writeHead(answer[0], { 'content-type': 'text/html' }).end(answer[1]);
      return true;
    });
    const popup = await program.popup(as.origin);
    await expect(popup.getByText('First')).toBeVisible();
    // Asked of the program: Playwright waits for a navigation that brings no page.
    const go = (): Promise<unknown> =>
      program.window.evaluate(
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
    expect(await said(program)).not.toContain('could not be loaded');
    expect((await heights(program))[0]).toBe(40);
  });

  test('says why a button that opens a second window does nothing, and leads to the browser', async ({
    openProgram,
  }) => {
    const { program, as } = await open(
      openProgram,
      answerWith('<button onclick="window.open(\'/other\')">Go on</button>'),
    );
    const popup = await program.popup(as.origin);
    await popup.getByRole('button', { name: 'Go on' }).click();
    await expect.poll(() => said(program)).toContain('opens a second window');
    expect((await heights(program))[0]).toBe(88);
    expect(program.popups()).toHaveLength(1);
    await pressInBar(program, "getElementById('browser')");
    await connected(program.page, 'Field notes');
  });

  test('says that a passkey may not work, once the page asks for one, and leads to the browser', async ({
    openProgram,
  }) => {
    const { program, as } = await open(openProgram, answerWith('<h1>Hello</h1>'));
    const popup = await program.popup(as.origin);
    await popup.waitForFunction(isHeard);
    await barShown(program);
    const ask = (mediation?: 'conditional'): Promise<void> =>
      popup.evaluate((how) => {
        const options = { publicKey: { challenge: new Uint8Array(16) }, ...(how && { mediation: how }) };
        void navigator.credentials.get(options as CredentialRequestOptions).catch(() => {});
      }, mediation);
    await ask('conditional');
    expect(await said(program)).not.toContain('Passkeys');
    await ask();
    await expect.poll(() => said(program)).toContain(signInBarWords.needs.passkey);
    await pressInBar(program, "getElementById('browser')");
    await connected(program.page, 'Field notes');
  });

  test('says so of a passkey that a frame inside the page asks for, too', async ({ openProgram }) => {
    const { program, as } = await open(
      openProgram,
      answerWith(
        '<h1>Hello</h1><iframe src="/authorize?frame" allow="publickey-credentials-get *"></iframe>',
        '<button>In the frame</button>',
      ),
    );
    const popup = await program.popup(as.origin);
    const frame = popup.frameLocator('iframe');
    await expect(frame.getByRole('button')).toBeVisible();
    await popup.frames()[1]?.waitForFunction(isHeard);
    await barShown(program);
    expect(await said(program)).not.toContain('Passkeys');
    await frame.getByRole('button').evaluate(() => {
      const publicKey = { challenge: new Uint8Array(16) };
      void navigator.credentials.get({ publicKey }).catch(() => {});
    });
    await expect.poll(() => said(program)).toContain(signInBarWords.needs.passkey);
    await pressInBar(program, "getElementById('browser')");
    await connected(program.page, 'Field notes');
  });
});
