import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { importEntries } from './answer-fixtures.ts';
import { aConnection, aVerdict, anApp, anError, options } from './fixtures.ts';
import { useRenderer } from './renderer-test.ts';
import { windowStates } from './window-states.ts';

const withRenderer = useRenderer();

const address = (page: Page) => page.getByLabel('Server address');
const inProgress = async (page: Page): Promise<void> => page.locator('.connection-list button').first().click();

async function paste(page: Page, text: string): Promise<void> {
  await address(page).evaluate((field, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', pasted);
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

async function drop(page: Page, type: string, text: string, onto = '.pane'): Promise<void> {
  await page.locator(onto).evaluate(
    (target, { kind, data }) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.setData(kind, data);
      target.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    },
    { kind: type, data: text },
  );
}

describe('the address field', () => {
  const answers = { 'connection:discover': { id: 'c1' } };

  it('asks at once about a pasted address, with the box as it is ticked', async () => {
    await withRenderer({ answers }, async ({ page, calls }) => {
      await page.getByLabel('my computer or internal network').click();
      await paste(page, ' https://mcp.linear.example/mcp\n');
      await expect.poll(calls).toContainEqual({
        call: 'connection:discover',
        input: { url: 'https://mcp.linear.example/mcp', options: { local: true } },
      });
    });
  });

  it('asks about a typed address only with Enter', async () => {
    await withRenderer({ answers }, async ({ page, calls }) => {
      await address(page).fill('mcp.linear.example/mcp');
      expect((await calls()).map(({ call }) => call)).not.toContain('connection:discover');
      await address(page).press('Enter');
      await expect.poll(calls).toContainEqual({
        call: 'connection:discover',
        input: { url: 'mcp.linear.example/mcp', options: { local: false } },
      });
    });
  });

  it('takes a link that is dropped', async () => {
    await withRenderer({ answers }, async ({ page, calls }) => {
      await drop(page, 'text/uri-list', '# from a page\nhttps://dropped.example/mcp');
      await expect
        .poll(calls)
        .toContainEqual({ call: 'connection:discover', input: { url: 'https://dropped.example/mcp', options: {} } });
    });
  });

  it.each([
    ['the page of a server', '.pane'],
    ['the list', '.sidebar'],
    ['a field', '#search'],
  ])('takes a link that is dropped on %s, and shows it on the connect page', async (_, onto) => {
    await withRenderer({ answers, snapshots: { connections: [aConnection()] } }, async ({ page, calls }) => {
      await page.getByRole('option', { name: 'Sentry' }).click();
      await drop(page, 'text/uri-list', 'https://dropped.example/mcp', onto);
      await expect
        .poll(calls)
        .toContainEqual({ call: 'connection:discover', input: { url: 'https://dropped.example/mcp', options: {} } });
      await page.getByLabel('Server address').waitFor();
      expect((await calls()).filter(({ call }) => call === 'connection:discover')).toHaveLength(1);
    });
  });

  it('lists the servers of an mcp.json that is dropped on the settings', async () => {
    await withRenderer({ answers: { ...answers, 'import:read': importEntries } }, async ({ page }) => {
      await page.getByRole('button', { name: 'Settings', exact: true }).click();
      await drop(page, 'text/plain', '{"mcpServers":{}}');
      await page.getByRole('button', { name: 'Connect: search' }).waitFor();
    });
  });

  it('takes nothing that is dropped over a dialog', async () => {
    const asking = windowStates.find(({ name }) => name === 'credentials')?.snapshots ?? {};
    await withRenderer({ answers, snapshots: asking }, async ({ page, calls }) => {
      await inProgress(page);
      await page.getByRole('dialog').waitFor();
      await drop(page, 'text/uri-list', 'https://dropped.example/mcp', '[role=dialog]');
      await page.getByRole('dialog').getByLabel('Client ID').fill('my-app');
      expect((await calls()).map(({ call }) => call)).not.toContain('connection:discover');
    });
  });

  it('lists the servers of a pasted mcp.json, and offers no button for a local command', async () => {
    await withRenderer({ answers: { ...answers, 'import:read': importEntries } }, async ({ page, calls }) => {
      await paste(page, '{"mcpServers":{}}');
      await page.getByText('not supported yet. It was not run.').waitFor();
      expect(await page.getByRole('button', { name: /^Connect: / }).count()).toBe(2);
      await page.getByRole('button', { name: 'Connect: search' }).click();
      await expect.poll(calls).toContainEqual({
        call: 'connection:discover',
        input: { url: 'https://search.example/mcp', options: {}, importEntry: 'e2' },
      });
    });
  });

  it('offers the demo server first', async () => {
    const app = anApp({ demo: { url: 'http://127.0.0.1:8931/mcp' } });
    await withRenderer({ answers, snapshots: { app, integrations: [] } }, async ({ page, calls }) => {
      await page.getByRole('button', { name: 'Try the demo server' }).click();
      await expect.poll(calls).toContainEqual({
        call: 'connection:discover',
        input: { url: 'http://127.0.0.1:8931/mcp', options: { local: true } },
      });
    });
  });
});

describe('the verdict', () => {
  it('goes on with Enter, with the name and the choices', async () => {
    await withRenderer({ snapshots: { connections: [aConnection()] } }, async ({ page, calls }) => {
      await inProgress(page);
      await page.getByText('Options').click();
      await page.getByRole('button', { name: 'admin' }).click();
      await page.getByLabel('Name', { exact: true }).fill('Mine');
      await page.getByLabel('Name', { exact: true }).press('Enter');
      await expect.poll(calls).toContainEqual({
        call: 'connection:start',
        input: { id: 'c1', name: 'Mine', options: { scope: 'read write issues:create admin' } },
      });
    });
  });

  it.each([
    [{ signInSurface: 'browser' as const }, false, 'Opens auth.linear.example in your browser.'],
    [{}, false, 'Opens a sign-in window at auth.linear.example.'],
    [{}, true, 'Opens auth.linear.example in your browser.'],
  ])('says where the page will open: with %j, browser only: %s', async (chosen, browserOnly, said) => {
    const connections = [aConnection({ options: { ...options, ...chosen }, verdict: aVerdict({ browserOnly }) })];
    await withRenderer({ snapshots: { connections } }, async ({ page }) => {
      await inProgress(page);
      await page.getByText(said).waitFor();
    });
  });

  it('shows what a server says as text only', async () => {
    const scopes = ['<img src=x onerror=alert(1)>', '&lt;b&gt;'];
    const connection = aConnection();
    const verdict = connection.verdict && { ...connection.verdict, scopes };
    await withRenderer({ snapshots: { connections: [{ ...connection, verdict }] } }, async ({ page }) => {
      await inProgress(page);
      expect(await page.locator('.trust .chip').allTextContents()).toEqual(scopes);
      expect(await page.locator('.trust img').count()).toBe(0);
    });
  });
});

describe('a server that does not say how to sign in', () => {
  it('can be told by its endpoints, and their host allowed by a button', async () => {
    const verdict = aVerdict({ kind: 'couldNotTell', method: 'NoAuth' });
    const refused = anError({
      code: 'HOST_BLOCKED',
      stage: 'address',
      remedy: { kind: 'allow-host', host: 'sso.internal' },
    });
    const setup = {
      snapshots: { connections: [aConnection({ verdict })] },
      answers: { 'connection:discover': { error: refused } },
    };
    await withRenderer(setup, async ({ page, calls }) => {
      await inProgress(page);
      await page.getByLabel('Authorization endpoint').fill('https://sso.internal/a');
      await page.getByRole('button', { name: 'Use these addresses' }).click();
      await page.getByText('This one is needed as well.').waitFor();
      expect((await calls()).map(({ call }) => call)).not.toContain('connection:discover');
      await page.getByLabel('Token endpoint').fill('https://sso.internal/t');
      await page.getByLabel('Token endpoint').press('Enter');
      const endpoints = { authorization: 'https://sso.internal/a', token: 'https://sso.internal/t' };
      const asked = { id: 'c1', url: 'https://mcp.linear.example/mcp' };
      await page.getByRole('button', { name: 'Allow sso.internal' }).click();
      await expect.poll(calls).toContainEqual({
        call: 'connection:discover',
        input: { ...asked, options: { ...options, endpoints, allowedHosts: ['sso.internal'] } },
      });
      expect(await calls()).toContainEqual({
        call: 'connection:discover',
        input: { ...asked, options: { ...options, endpoints } },
      });
    });
  });
});

describe('a failure', () => {
  it('leads out: a blocked host is allowed for this server by its button', async () => {
    const error = anError({ code: 'HOST_BLOCKED', remedy: { kind: 'allow-host', host: 'sso.internal' } });
    const failed = aConnection({ state: { name: 'failed', error, retryFrom: 'urlEntered' }, verdict: undefined });
    await withRenderer({ snapshots: { connections: [failed] } }, async ({ page, calls }) => {
      await inProgress(page);
      await page.getByRole('button', { name: 'Allow sso.internal' }).click();
      await expect.poll(calls).toContainEqual({
        call: 'connection:discover',
        input: { id: 'c1', url: failed.url, options: { ...options, allowedHosts: ['sso.internal'] } },
      });
    });
  });

  it('of a server in the list changes its options and signs in anew', async () => {
    const error = anError({ code: 'PKCE_UNSUPPORTED', stage: 'discovery' });
    const failed = aConnection({
      kind: 'signInAgain',
      integrationId: 'sentry',
      state: { name: 'failed', error, retryFrom: 'urlEntered' },
    });
    await withRenderer({ snapshots: { connections: [failed] } }, async ({ page, calls }) => {
      await page.getByRole('option', { name: 'Sentry' }).click();
      await page.getByRole('button', { name: 'Connect without requiring it' }).click();
      await expect.poll(calls).toContainEqual({ call: 'connection:tryAgain', input: { id: 'c1' } });
      expect(await calls()).toContainEqual({
        call: 'integration:update',
        input: { id: 'sentry', options: { pkce: 'when-listed' } },
      });
    });
  });
});

describe('a server of the list that signs in again', () => {
  it('stands there once, and says so in its own row', async () => {
    const connections = [aConnection({ kind: 'signInAgain', integrationId: 'sentry', name: 'Sentry' })];
    await withRenderer({ snapshots: { connections } }, async ({ page }) => {
      await page.getByRole('option', { name: 'Sentry' }).waitFor();
      expect(await page.locator('.sidebar').getByText('Sentry').count()).toBe(1);
    });
  });
});

describe('an auth ticket', () => {
  it('is handed in once, and its integration is shown (spec 2.10)', async () => {
    const answers = { 'connection:install': { integrationId: 'linear' }, 'integration:tools': { tools: [] } };
    const waiting = aConnection({ state: { name: 'exchanging' } });
    await withRenderer({ answers, snapshots: { connections: [waiting] } }, async ({ page, calls, publish }) => {
      await inProgress(page);
      const issued = aConnection({ state: { name: 'ticketIssued', ticketId: 't1' }, ticketId: 't1' });
      await publish({ connections: [issued] });
      await publish({ connections: [{ ...issued }] });
      await page.getByRole('tab', { name: 'Tools', selected: true }).waitFor();
      expect((await calls()).filter(({ call }) => call === 'connection:install')).toEqual([
        { call: 'connection:install', input: { ticketId: 't1' } },
      ]);
    });
  });
});
