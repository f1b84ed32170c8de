import { expect, it } from 'vitest';
import { runInProcess } from '../support/command-in-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { inputSchema, sendJson, startRawServer, textResult } from '../support/raw-mcp-server.ts';

const tool = (name: string, more: object = {}) => ({ name, description: `It can ${name}.`, inputSchema, ...more });

async function connect() {
  const tools = [tool('look'), tool('write')];
  const server = await startRawServer('session', tools, (request) => {
    if (request.message.method === 'tools/call') sendJson(request, textResult('called'));
    return request.message.method === 'tools/call';
  });
  const home = temporaryFolder();
  await runInProcess(['connect', server.url, '--local', '--name', 'Notes', '--json'], { home });
  return {
    turn: (...now: object[]) => void tools.splice(0, tools.length, ...(now as typeof tools)),
    run: (...words: string[]) => runInProcess(words, { home }),
  };
}

it('shows tool changes word by word, until they are accepted', async () => {
  const { run, turn } = await connect();
  expect((await run('permit', 'Notes', '--review', '--json')).last).toMatchObject({
    changed: [],
    gone: [],
    accepted: false,
  });
  turn(tool('look', { description: 'It can erase.\u202e' }), tool('erase'));
  const { stdout } = await run('permit', 'Notes', '--review');
  expect(stdout).toMatch(/^look \(changed\)\n {2}description: It can \[-look-\]\{\+erase\+\}\.\{\+\\u\{202e\}\+\}/mu);
  expect(stdout).toMatch(/^erase \(new\)/mu);
  expect(stdout).toMatch(/^write \(removed\)/mu);
  const { last } = await run('permit', 'Notes', '--review', '--accept', '--json');
  expect(last).toMatchObject({ gone: ['write'], accepted: true });
  expect(last['changed']).toMatchObject([
    { tool: 'look', kind: 'changed' },
    { tool: 'erase', kind: 'new' },
  ]);
  expect((await run('permit', 'Notes', '--review', '--json')).last).toMatchObject({ changed: [], gone: [] });
  turn(tool('look', { description: 'It can erase.\u202e' }), tool('erase'), tool('write'));
  expect((await run('permit', 'Notes', '--review', '--json')).last).toMatchObject({
    changed: [{ tool: 'write', kind: 'new' }],
  });
});

it('PM-11 blocks a changed tool if that is set, and names the command that shows the change', async () => {
  const { run, turn } = await connect();
  const set = await run('permit', 'Notes', '--changed-tools', 'hold', '--json');
  expect(set.last['permissions']).toEqual({ changedTools: 'hold' });
  expect((await run('call', 'Notes', 'look')).stdout).toContain('called');
  turn(tool('look', { title: 'Erase' }), tool('write'));
  const refused = await run('call', 'Notes', 'look', '--json');
  expect(refused.last).toMatchObject({ result: 'error', error: { code: 'TOOL_CHANGED' } });
  expect((await run('call', 'Notes', 'look')).stderr).toContain('postern permit Notes --review');
  await run('permit', 'Notes', '--review', '--accept');
  expect((await run('call', 'Notes', 'look')).stdout).toContain('called');
  for (const words of [
    ['--changed-tools', 'never'],
    ['--changed-tools', 'hold', '--preset', 'read-only'],
  ])
    expect(await run('permit', 'Notes', ...words)).toMatchObject({ code: 2 });
  // For all servers without a setting of their own.
  await run('settings', 'changedTools', 'hold');
  turn(tool('look', { title: 'Erase all' }), tool('write'));
  const show = await run('permit', 'Notes', '--changed-tools', 'show', '--json');
  expect(show.last['permissions']).toEqual({ changedTools: 'show' });
  expect((await run('call', 'Notes', 'look')).stdout).toContain('called');
  const none = await run('permit', 'Notes', '--changed-tools', 'default', '--json');
  expect(none.last['permissions']).toEqual({});
  expect((await run('call', 'Notes', 'look', '--json')).last).toMatchObject({ error: { code: 'TOOL_CHANGED' } });
});

it('does not treat a tool with an unreadable entry as gone', async () => {
  const { run, turn } = await connect();
  turn(tool('look'), { ...tool('write'), inputSchema: 'none' });
  expect((await run('permit', 'Notes', '--review', '--accept', '--json')).last).toMatchObject({ gone: [] });
  turn(tool('look'), tool('write'));
  expect((await run('permit', 'Notes', '--review', '--json')).last).toMatchObject({ changed: [], gone: [] });
});
