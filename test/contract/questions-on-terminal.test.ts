import { describe, expect, it } from 'vitest';
import { startElicitationServer, startStatelessElicitationServer } from '../support/elicitation-server.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { onTerminal } from '../support/on-terminal.ts';
import { posternCommand, startCommand } from '../support/postern-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Server requests for input (MCP, elicitation), and the real command on a real terminal. */

async function connect(url: string) {
  const home = temporaryFolder();
  expect(await runInProcess(['connect', url, '--local', '--name', 'x', '--json'], { home })).toMatchObject({ code: 0 });
  const run = (tool: string) => runInProcess(['call', 'x', tool, '--json'], { home });
  const sit = (tool: string) =>
    startCommand(onTerminal(...posternCommand('call', 'x', tool)), {
      home,
      env: { BROWSER: '' },
    });
  return { home, run, sit };
}

const revisions = [
  ['session', startElicitationServer],
  ['stateless', startStatelessElicitationServer],
] as const;

describe('a form', () => {
  it.each(revisions)('is filled in field by field, and sent on consent (%s)', async (_, start) => {
    const { url } = await start();
    const { sit } = await connect(url);
    const call = sit('form');
    await call.waitFor(/“x” \(127\.0\.0\.1:\d+\) asks while “form” runs:\s+Where shall the parcel go\?/u);
    await call.waitFor(/Street \(text, at least 3 characters\): /u);
    call.type('ab\n');
    await call.waitFor(/is not valid/u);
    call.type('Main Street 1\n');
    await call.waitFor(/mail \(an email address, optional\): /u);
    call.type('\n');
    await call.waitFor(/floor \(a whole number, 0 to 9, optional\) \[2\]: /u);
    call.type('\n');
    await call.waitFor(/gift \(yes or no, optional\): /u);
    call.type('y\n');
    await call.waitFor(/size \(a number from the list\): /u);
    call.type('2\n');
    await call.waitFor(/Send this to .*\? \[Y\/n\] /u);
    call.type('\n');
    const { stdout, code } = await call.ended;
    expect(code).toBe(0);
    const response = JSON.parse(/\{\s*"action"[^]*\}/u.exec(stdout)?.[0] ?? '') as unknown;
    expect(response).toEqual({
      action: 'accept',
      content: { street: 'Main Street 1', floor: 2, gift: true, size: 'm' },
    });
  });

  it.each(revisions)('is declined with one word (%s)', async (_, start) => {
    const { url } = await start();
    const { sit } = await connect(url);
    const call = sit('form');
    await call.waitFor(/Street .*: /u);
    call.type('decline\n');
    const { stdout, code } = await call.ended;
    expect(code).toBe(0);
    expect(stdout).toMatch(/"action":\s*"decline"/u);
  });

  it('is shown if its stream opens late', async () => {
    const { url } = await startElicitationServer({ opensLate: true });
    const { sit } = await connect(url);
    const call = sit('form');
    await call.waitFor(/Street .*: /u);
    call.type('decline\n');
    expect(await call.ended).toMatchObject({ code: 0 });
  });

  it('ends with the call at Ctrl-C, and reports that the tool may have run', async () => {
    const { url } = await startElicitationServer();
    const { sit } = await connect(url);
    const call = sit('form');
    await call.waitFor(/Street .*: /u);
    call.type('\u0003');
    const { stdout, code } = await call.ended;
    expect(code).toBe(130);
    expect(stdout).toContain('CALL_INTERRUPTED');
  });
});

describe('a page', () => {
  it('is shown in full with its host, and opened only with consent', async () => {
    const { url } = await startElicitationServer();
    const { sit } = await connect(url);
    const call = sit('page');
    await call.waitFor(/page at pay\.example:\s+https:\/\/pay\.example\/order\?id=1/u);
    call.type('\n');
    expect((await call.ended).stdout).toMatch(/"action":\s*"decline"/u);
    const again = sit('page');
    await again.waitFor(/Open it\? \[y\/N\] /u);
    again.type('y\n');
    expect((await again.ended).stdout).toMatch(/"action":\s*"accept"/u);
  });

  it('that must be completed first is confirmed, and the tool is called once more (-32042)', async () => {
    const { url } = await startElicitationServer();
    const { sit } = await connect(url);
    const call = sit('paid');
    await call.waitFor(/Open it\? \[y\/N\] /u);
    call.type('y\n');
    await call.waitFor(/Press Enter when you are done/u);
    call.type('\n');
    const { stdout, code } = await call.ended;
    expect(code).toBe(0);
    expect(stdout).toContain('paid');
  });
});

describe('where nobody can be prompted', () => {
  it('declares it to the server, and rejects a request at once', async () => {
    const { url, capabilities } = await startElicitationServer();
    const { run } = await connect(url);
    expect((await run('undeclared')).last).toMatchObject({ content: [{ text: '{"code":-32601}' }] });
    expect((await run('form')).last).toMatchObject({ isError: true });
    expect(capabilities.every((capability) => Object.keys(capability as object).length === 0)).toBe(true);
  });

  it.each([
    ['sample', '{"code":-32601}'],
    ['roots', '{"code":-32601}'],
    ['ping', '{}'],
  ])('a server that wants %s gets %s', async (tool, text) => {
    const { url } = await startElicitationServer();
    const { run } = await connect(url);
    expect((await run(tool)).last).toMatchObject({ content: [{ text }] });
  });

  it('a call ends with the problem in the stateless revision, instead of waiting', async () => {
    const { url } = await startStatelessElicitationServer();
    const { run } = await connect(url);
    expect(await run('form')).toMatchObject({ code: 1 });
  });
});
