import { expect, it } from 'vitest';
import type { IpcEvent } from '../../shared/ipc-event.ts';
import {
  elicitedForm,
  elicitedPage,
  startElicitationServer,
  startStatelessElicitationServer,
} from '../support/elicitation-server.ts';
import { createTestDesktop } from '../support/test-desktop.ts';
import type { TestDesktop } from '../support/test-desktop.ts';

/** Server requests for input (MCP, elicitation), and the user at the window. */

const revisions = [
  ['session', startElicitationServer],
  ['stateless', startStatelessElicitationServer],
] as const;

async function open(
  start: () => Promise<{ readonly url: string }> = startElicitationServer,
  onPage?: (url: string) => void,
) {
  const { url } = await start();
  const desktop = await createTestDesktop({ ...(onPage && { onPage }) });
  const { integration } = await desktop.engine.connect(url);
  const call = (name: string, id = name) =>
    desktop.call('integration:callTool', { id: integration.id, call: id, name, arguments: {} });
  return { desktop, call, integration, host: new URL(url).host };
}

const questionsOf = (desktop: TestDesktop, count = 1) =>
  desktop.waitFor(({ questions = [] }) => questions.length === count && questions);
const noQuestions = (desktop: TestDesktop) => desktop.waitFor(({ questions }) => questions?.length === 0);
const textOf = ({ content }: { readonly content: readonly object[] }) => JSON.stringify(content);

it.each(revisions)('a form is shown with its fields, and sent as filled in (%s)', async (_, start) => {
  const { desktop, call, integration, host } = await open(start);
  const calling = call('form');
  const [question] = await questionsOf(desktop);
  expect(question).toMatchObject({
    ...{ kind: 'form', integrationId: integration.id, host, tool: 'form', message: elicitedForm.message },
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
  await noQuestions(desktop);
});

it.each(revisions)('a form is declined or canceled (%s)', async (_, start) => {
  const { desktop, call } = await open(start);
  for (const answer of ['decline', 'cancel'] as const) {
    const calling = call('form', answer);
    const [question] = await questionsOf(desktop);
    await desktop.call('question:answer', { id: question?.id ?? '', answer });
    expect(textOf(await calling)).toContain(answer);
    await noQuestions(desktop);
  }
});

it('EL-08 rejects content that lacks a field, or has an extra one', async () => {
  const { desktop, call } = await open();
  for (const content of [{ street: 'ab', size: 'm' }, { size: 'm' }, {}]) {
    const calling = call('form', JSON.stringify(content));
    const [question] = await questionsOf(desktop);
    await desktop.call('question:answer', { id: question?.id ?? '', answer: 'accept', content });
    expect(textOf(await calling)).toContain('cancel');
    await noQuestions(desktop);
  }
});

it('a page is opened in the browser only with consent', async () => {
  const pages: string[] = [];
  const { desktop, call } = await open(startElicitationServer, (page) => void pages.push(page));
  for (const [answer, opened] of [
    ['decline', []],
    ['accept', [elicitedPage.url]],
  ] as const) {
    const calling = call('page', answer);
    const [question] = await questionsOf(desktop);
    expect(question).toMatchObject({
      kind: 'page',
      address: elicitedPage.url,
      place: 'pay.example',
      isConfusable: false,
    });
    expect(pages).toEqual([]);
    await desktop.call('question:answer', { id: question?.id ?? '', answer });
    expect(textOf(await calling)).toContain(answer);
    expect(pages).toEqual(opened);
    await noQuestions(desktop);
  }
});

it('a page that must be completed first is waited for, and the tool is called once more (-32042)', async () => {
  const pages: string[] = [];
  const { desktop, call } = await open(startElicitationServer, (page) => void pages.push(page));
  const calling = call('paid');
  const [question] = await questionsOf(desktop);
  await desktop.call('question:answer', { id: question?.id ?? '', answer: 'accept' });
  const isOpen = ({ questions }: TestDesktop['mirror']) =>
    questions?.some((shown) => shown.kind === 'page' && shown.state === 'opened');
  await desktop.waitFor(isOpen);
  expect(pages).toEqual([elicitedPage.url]);
  await desktop.call('question:answer', { id: question?.id ?? '', answer: 'accept' });
  expect(textOf(await calling)).toContain('paid');
  expect(pages).toEqual([elicitedPage.url]);
});

it('a page without a browser to open it is opened by hand', async () => {
  const { desktop, call } = await open(startElicitationServer, () => {
    throw new Error('no browser');
  });
  const calling = call('page');
  const [question] = await questionsOf(desktop);
  const answer = { id: question?.id ?? '', answer: 'accept' } as const;
  await desktop.callFailing('question:answer', answer);
  await desktop.waitFor(({ questions }) =>
    questions?.some((shown) => shown.kind === 'page' && shown.state === 'failed'),
  );
  await desktop.call('question:answer', answer);
  expect(textOf(await calling)).toContain('accept');
});

it('each of two calls on one connection has its own request, and one that belongs to neither outlasts both', async () => {
  const { desktop, call } = await open();
  const first = call('related');
  await questionsOf(desktop);
  const second = call('page');
  const third = call('ping');
  const both = await questionsOf(desktop, 2);
  // The server of the page sends it separately, as many do: it may belong to either call.
  expect(both).toMatchObject([{ kind: 'form', tool: 'related' }, { kind: 'page' }]);
  expect(both[1]).not.toHaveProperty('tool');
  await third;
  const stopped = first.catch((error: Error) => error.message);
  await desktop.call('integration:stopCall', { call: 'related' });
  expect(await stopped).toBe('CALL_INTERRUPTED');
  const [remaining] = await questionsOf(desktop);
  expect(remaining).toMatchObject({ kind: 'page' });
  await desktop.call('question:answer', { id: remaining?.id ?? '', answer: 'decline' });
  expect(textOf(await second)).toContain('decline');
});

it('EL-04 a page that may not be opened is not shown, and the user is notified', async () => {
  const { desktop, call } = await open(() => startElicitationServer({ page: { url: 'http://192.168.0.1/admin' } }));
  expect(textOf(await call('page'))).toContain('decline');
  expect(desktop.mirror.questions ?? []).toEqual([]);
  const events = desktop.messages.map((text) => JSON.parse(text) as IpcEvent);
  expect(events).toContainEqual({ event: 'refused-question', call: 'page', why: 'address' });
});

it('a response that is too late, or for nothing, changes nothing', async () => {
  const { desktop, call } = await open();
  const calling = call('form');
  const [question] = await questionsOf(desktop);
  const id = question?.id ?? '';
  await desktop.call('question:answer', { id: 'another', answer: 'accept' });
  await desktop.call('question:answer', { id, answer: 'decline' });
  await desktop.call('question:answer', { id, answer: 'accept', content: { street: 'Main', size: 's' } });
  expect(textOf(await calling)).toContain('decline');
});

it('a request disappears with the window that it was shown in', async () => {
  const { desktop, call } = await open();
  const calling = call('form').catch((error: Error) => error.message);
  await questionsOf(desktop);
  desktop.composed.desktop.windowsClosed();
  await calling;
  await noQuestions(desktop);
});
