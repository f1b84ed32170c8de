import { expect, it } from 'vitest';
import type { IpcEvent } from '../../shared/ipc-event.ts';
import { askedForm, askedPage, startAskingServer, startStatelessAskingServer } from '../support/asking-server.ts';
import { createTestDesktop } from '../support/test-desktop.ts';
import type { TestDesktop } from '../support/test-desktop.ts';

/** Servers that ask whoever waits for a tool (MCP, elicitation), and the person at the window. */

const wires = [
  ['legacy', startAskingServer],
  ['modern', startStatelessAskingServer],
] as const;

async function open(
  start: () => Promise<{ readonly url: string }> = startAskingServer,
  onPage?: (url: string) => void,
) {
  const { url } = await start();
  const desktop = await createTestDesktop({ ...(onPage && { onPage }) });
  const { integration } = await desktop.engine.connect(url);
  const call = (name: string, id = name) =>
    desktop.call('integration:callTool', { id: integration.id, call: id, name, arguments: {} });
  return { desktop, call, integration, host: new URL(url).host };
}

const asked = (desktop: TestDesktop, count = 1) =>
  desktop.seen(({ questions = [] }) => questions.length === count && questions);
const gone = (desktop: TestDesktop) => desktop.seen(({ questions }) => questions?.length === 0);
const textOf = ({ content }: { readonly content: readonly object[] }) => JSON.stringify(content);

it.each(wires)('a form is shown with what it takes, and sent as it was filled in (%s wire)', async (_, start) => {
  const { desktop, call, integration, host } = await open(start);
  const calling = call('form');
  const [question] = await asked(desktop);
  expect(question).toMatchObject({
    ...{ kind: 'form', integrationId: integration.id, host, tool: 'form', message: askedForm.message },
    fields: [
      { name: 'street', label: 'Street', kind: 'text', least: 3, required: true },
      { name: 'mail', kind: 'text', format: 'email' },
      { name: 'floor', kind: 'number', whole: true, least: 0, most: 9, initial: 2 },
      { name: 'gift', kind: 'boolean' },
      { name: 'size', kind: 'choice', choices: [{ label: 'Small' }, { label: 'Medium' }], required: true },
    ],
  });
  expect(desktop.notices.at(-1)).toMatchObject({ integrationId: integration.id });
  const content = { street: 'Main Street 1', size: 'm', gift: false };
  await desktop.call('question:answer', { id: question?.id ?? '', answer: 'accept', content });
  const result = textOf(await calling);
  for (const part of ['accept', 'Main Street 1']) expect(result).toContain(part);
  expect(result).not.toContain('mail');
  await gone(desktop);
});

it.each(wires)('a form is declined, or left alone (%s wire)', async (_, start) => {
  const { desktop, call } = await open(start);
  for (const answer of ['decline', 'cancel'] as const) {
    const calling = call('form', answer);
    const [question] = await asked(desktop);
    await desktop.call('question:answer', { id: question?.id ?? '', answer });
    expect(textOf(await calling)).toContain(answer);
    await gone(desktop);
  }
});

it('EL-08 an answer that lacks something, or says more, is none', async () => {
  const { desktop, call } = await open();
  for (const content of [{ street: 'ab', size: 'm' }, { size: 'm' }, {}]) {
    const calling = call('form', JSON.stringify(content));
    const [question] = await asked(desktop);
    await desktop.call('question:answer', { id: question?.id ?? '', answer: 'accept', content });
    expect(textOf(await calling)).toContain('cancel');
    await gone(desktop);
  }
});

it('a page is opened in the browser on a yes alone', async () => {
  const pages: string[] = [];
  const { desktop, call } = await open(startAskingServer, (page) => void pages.push(page));
  for (const [answer, opened] of [
    ['decline', []],
    ['accept', [askedPage.url]],
  ] as const) {
    const calling = call('page', answer);
    const [question] = await asked(desktop);
    expect(question).toMatchObject({ kind: 'page', address: askedPage.url, place: 'pay.example', isConfusable: false });
    expect(pages).toEqual([]);
    await desktop.call('question:answer', { id: question?.id ?? '', answer });
    expect(textOf(await calling)).toContain(answer);
    expect(pages).toEqual(opened);
    await gone(desktop);
  }
});

it('a page that has to be gone through first is waited for, and the tool is called once more (-32042)', async () => {
  const pages: string[] = [];
  const { desktop, call } = await open(startAskingServer, (page) => void pages.push(page));
  const calling = call('paid');
  const [question] = await asked(desktop);
  await desktop.call('question:answer', { id: question?.id ?? '', answer: 'accept' });
  const isOpen = ({ questions }: TestDesktop['mirror']) =>
    questions?.some((shown) => shown.kind === 'page' && shown.state === 'opened');
  await desktop.seen(isOpen);
  expect(pages).toEqual([askedPage.url]);
  await desktop.call('question:answer', { id: question?.id ?? '', answer: 'accept' });
  expect(textOf(await calling)).toContain('paid');
  expect(pages).toEqual([askedPage.url]);
});

it('a page for which there is no browser is opened by hand', async () => {
  const { desktop, call } = await open(startAskingServer, () => {
    throw new Error('no browser');
  });
  const calling = call('page');
  const [question] = await asked(desktop);
  const answer = { id: question?.id ?? '', answer: 'accept' } as const;
  await desktop.refuse('question:answer', answer);
  await desktop.seen(({ questions }) => questions?.some((shown) => shown.kind === 'page' && shown.state === 'failed'));
  await desktop.call('question:answer', answer);
  expect(textOf(await calling)).toContain('accept');
});

it('each of two calls over one connection has its own question, and what belongs to none of them outlasts both', async () => {
  const { desktop, call } = await open();
  const first = call('related');
  await asked(desktop);
  const second = call('page');
  const third = call('ping');
  const both = await asked(desktop, 2);
  // The server of the page sends it by itself, as many do: it may be of either call.
  expect(both).toMatchObject([{ kind: 'form', tool: 'related' }, { kind: 'page' }]);
  expect(both[1]).not.toHaveProperty('tool');
  await third;
  const stopped = first.catch((error: Error) => error.message);
  await desktop.call('integration:stopCall', { call: 'related' });
  expect(await stopped).toBe('CALL_INTERRUPTED');
  const [left] = await asked(desktop);
  expect(left).toMatchObject({ kind: 'page' });
  await desktop.call('question:answer', { id: left?.id ?? '', answer: 'decline' });
  expect(textOf(await second)).toContain('decline');
});

it('EL-04 a page that may not be opened is shown to nobody, and the person is told', async () => {
  const { desktop, call } = await open(() => startAskingServer({ page: { url: 'http://192.168.0.1/admin' } }));
  expect(textOf(await call('page'))).toContain('decline');
  expect(desktop.mirror.questions ?? []).toEqual([]);
  const events = desktop.messages.map((text) => JSON.parse(text) as IpcEvent);
  expect(events).toContainEqual({ event: 'refused-question', call: 'page', why: 'address' });
});

it('an answer that is too late, or to nothing, changes nothing', async () => {
  const { desktop, call } = await open();
  const calling = call('form');
  const [question] = await asked(desktop);
  const id = question?.id ?? '';
  await desktop.call('question:answer', { id: 'another', answer: 'accept' });
  await desktop.call('question:answer', { id, answer: 'decline' });
  await desktop.call('question:answer', { id, answer: 'accept', content: { street: 'Main', size: 's' } });
  expect(textOf(await calling)).toContain('decline');
});

it('goes with the window that it was shown in', async () => {
  const { desktop, call } = await open();
  const calling = call('form').catch((error: Error) => error.message);
  await asked(desktop);
  desktop.composed.desktop.windowsClosed();
  await calling;
  await gone(desktop);
});
