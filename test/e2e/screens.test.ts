import { words } from '../../renderer/words.ts';
import { describeError } from '../../shared/error-codes.ts';
import { startPair, startResource } from '../support/demo-pair.ts';
import { answerQuestions } from './kit/answer-questions.ts';
import { inspectScreen } from './kit/inspect-screen.ts';
import { profileWith } from './kit/open-postern.ts';
import {
  choose,
  chooseAction,
  connected,
  look,
  openDiagnosis,
  openDetails,
  openTab,
  runTool,
  signIn,
  start,
} from './kit/user-actions.ts';
import { expect, test } from './kit/window-test.ts';

const size = { width: 1_080, height: 760 };

test.describe('every screen, in both themes', () => {
  test('from the first start to a tool', async ({ openPostern }) => {
    // About thirty pictures and axe runs.
    test.setTimeout(900_000);
    const { as, mcp } = await startPair();
    const postern = await openPostern({ env: { POSTERN_DEMO_URL: mcp.url } });
    const { page } = postern;
    await page.setViewportSize(size);
    await inspectScreen(page, '01-first-start');
    await page.getByRole('button', { name: words.connect.quickStart.tryDemo }).click();
    await expect(page.getByText(words.connect.verdict.registersItself)).toBeVisible();
    await inspectScreen(page, '02-verdict');
    await openDetails(page);
    await page.getByText(words.common.why).click();
    await page.getByText(words.connect.options, { exact: true }).click();
    await inspectScreen(page, '03-verdict-why');
    await start(page, 'signIn', 'Field notes');
    const popup = await postern.popup(as.origin);
    await expect(page.getByRole('heading', { name: words.signIn.inPopup.title })).toBeVisible();
    await page.getByText(words.signIn.trouble).click();
    await inspectScreen(page, '04-sign-in');
    await signIn(popup);
    await connected(page, 'Field notes');
    await expect(page.getByRole('listbox', { name: 'Tools' })).toBeVisible();
    await inspectScreen(page, '05-tools');
    await page.getByRole('option', { name: 'Add a note' }).click();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(page.getByText(words.tools.required)).toBeVisible();
    await inspectScreen(page, '06-tool-form');
    await runTool(page, 'Who am I?');
    await inspectScreen(page, '07-tool-result');
    await page.getByRole('radio', { name: 'Prompts' }).click();
    await expect(page.getByText(words.tools.none.prompts)).toBeVisible();
    await inspectScreen(page, '08-no-prompts');
    await openTab(page, 'Overview');
    await inspectScreen(page, '09-account');
    await openDiagnosis(page);
    await expect(page.getByText(words.diagnosis.purposes.token).first()).toBeVisible();
    await inspectScreen(page, '11-diagnosis');
    await page.getByRole('option', { name: 'Get an access token' }).click();
    await expect(page.getByRole('heading', { name: /Get an access token/u })).toBeVisible();
    await inspectScreen(page, '11-diagnosis-request');
    await openTab(page, 'Settings');
    await inspectScreen(page, '12-integration-settings');
    await answerQuestions(postern, 'no');
    await chooseAction(page, words.integration.menu.remove);
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    await page.getByRole('button', { name: 'Test now' }).click();
    await expect(page.getByText(`${words.settings.checks.keychain}: ${words.settings.checkOk}`)).toBeVisible();
    await inspectScreen(page, '15-settings');
    await page.getByRole('heading', { name: 'About' }).scrollIntoViewIfNeeded();
    await inspectScreen(page, '16-settings-end');
    await choose(page, 'Field notes');
    await openTab(page, 'Overview');
    await chooseAction(page, words.account.signOut);
    await expect(page.getByText(words.deletion.begun.signOut('Field notes', 1)).first()).toBeVisible();
    await inspectScreen(page, '17-signed-out');
  });

  test('of errors', async ({ openPostern }) => {
    const { as, mcp } = await startPair({ registration: 'refuse' });
    const postern = await openPostern();
    const { page } = postern;
    await page.setViewportSize(size);
    await look(page, 'http://127.0.0.1:9/mcp');
    await expect(page.getByRole('alert')).toBeVisible();
    await inspectScreen(page, '20-nobody-answers');
    await look(page, mcp.url);
    await start(page, 'signIn', 'Refused');
    await expect(
      page
        .locator('.connect-card')
        .getByText(describeError('DCR_UNSUPPORTED', { host: new URL(as.origin).host, status: 403 }).message),
    ).toBeVisible();
    await inspectScreen(page, '21-registration-failed');
    await page.getByLabel('Client ID').fill('GOCSPX-8fJ2kLmN0pQrStUvWxYz');
    await expect(page.getByRole('button', { name: 'Use it as the secret' })).toBeVisible();
    await page.getByText(words.credentials.advanced, { exact: true }).click();
    await inspectScreen(page, '22-secret-caught');
    await page.getByRole('button', { name: words.common.cancel, exact: true }).click();
    await page.getByRole('button', { name: words.errors.actions.dismiss }).waitFor();
    await inspectScreen(page, '23-cancelled');
    await page.getByRole('button', { name: words.errors.actions.dismiss }).click();
    const silent = await startResource(undefined, {
      intercept: (_request, response) => (response.writeHead(401).end(), true),
    });
    await look(page, silent.url);
    await expect(page.getByText(words.connect.verdict.couldNotTell)).toBeVisible();
    await inspectScreen(page, '24-could-not-tell');
    const open = await startPair();
    await page.getByRole('button', { name: 'Connect a server', exact: true }).click();
    await look(page, open.mcp.url);
    await start(page, 'signIn', 'Denied');
    await signIn(await postern.popup(open.as.origin), 'Deny');
    await expect(
      page.getByText(describeError('USER_DENIED', { host: new URL(open.as.origin).host }).message),
    ).toBeVisible();
    await page.getByText(words.errors.actions.diagnosis).click();
    await inspectScreen(page, '25-denied');
    expect(as.requests.length).toBeGreaterThan(0);
  });

  test('of a list of 1,000, and of the smallest window', async ({ openPostern }) => {
    const { page } = await openPostern({ profile: profileWith(1_000) });
    await page.setViewportSize(size);
    await choose(page, 'Server 10');
    await inspectScreen(page, '30-many');
    await page.getByRole('searchbox', { name: 'Search servers' }).fill('nothing like it');
    await expect(page.getByText(words.sidebar.nothingFound('nothing like it'))).toBeVisible();
    await inspectScreen(page, '31-nothing-found');
    await page.setViewportSize({ width: 720, height: 480 });
    await page.getByRole('searchbox', { name: 'Search servers' }).fill('');
    await inspectScreen(page, '32-small');
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    await inspectScreen(page, '33-small-settings');
  });
});
