import { expect, it } from 'vitest';
import { startResource } from '../../support/demo-pair.ts';
import { openProgram, shakeHands } from '../../support/line-program.ts';
import { serveGateway } from '../../support/served-gateway.ts';
import { createTestEngine } from '../../support/test-engine.ts';

async function start() {
  const mcp = await startResource(undefined);
  const engine = createTestEngine();
  const { integration } = await engine.connect(mcp.url, { local: true });
  return { mcp, engine, integration, served: await serveGateway(engine) };
}

const code = (answer: unknown) => (answer as { error?: { data?: { code?: string } } }).error?.data?.code;

it('refuses a program that nobody has added, and one that was added for another server (GW-21)', async () => {
  const { integration, served, mcp } = await start();
  const before = mcp.requests.length;
  const unknown = openProgram(served.socket, { server: integration.id });
  expect(code(await shakeHands(unknown))).toBe('PROGRAM_UNKNOWN');
  const other = await served.allow(integration, { integrations: ['another'] });
  expect(code(await shakeHands(openProgram(served.socket, { server: integration.id, program: other })))).toBe(
    'PROGRAM_UNKNOWN',
  );
  expect(mcp.requests).toHaveLength(before);
});

it('ends the sessions of a program that may not use Postern any more, and refuses it from then on (GW-21)', async () => {
  const { integration, served } = await start();
  const id = await served.allow(integration);
  const program = openProgram(served.socket, { server: integration.id, program: id });
  expect(await shakeHands(program)).toHaveProperty('result');
  await served.changeRecords((records) => records.map((record) => ({ ...record, revokedAt: 5 })));
  await program.closed;
  const again = openProgram(served.socket, { server: integration.id, program: id });
  expect(code(await shakeHands(again))).toBe('PROGRAM_REVOKED');
  expect(served.events.map(({ state }) => state)).toEqual(['open', 'closed', 'refused']);
});

it.for([
  ['what is not JSON', '{"jsonrpc":"2.0","id":1,', { code: -32_700 }],
  ['an array', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', { code: -32_600 }],
  [
    'what is nested too deeply',
    `{"jsonrpc":"2.0","id":1,"method":"ping","params":${'['.repeat(600)}${']'.repeat(600)}}`,
    { code: -32_600, data: { code: 'JSON_DEPTH' } },
  ],
  [
    'a line that is too long',
    `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"text":"${'x'.repeat(17 * 1_024 * 1_024)}"}}`,
    { code: -32_600, data: { code: 'BODY_TOO_LARGE' } },
  ],
] as const)('refuses %s with an answer, and goes on', async ([, line, said]) => {
  const { integration, served } = await start();
  const program = openProgram(served.socket, { server: integration.id, program: await served.allow(integration) });
  await shakeHands(program);
  program.write(line);
  const refused = await program.line(({ error }) => error !== undefined);
  expect(JSON.parse(refused)).toMatchObject({ error: said, ...('data' in said && { id: 1 }) });
  expect(await program.ask(2, 'tools/list')).toHaveProperty('result.tools');
});

it('hangs up on a program that does not first say which server it wants', async () => {
  const { served } = await start();
  const program = openProgram(served.socket, { server: '' });
  program.write('{"jsonrpc":"2.0","id":1,"method":"ping"}');
  await program.closed;
  expect(program.lines).toEqual([]);
});

it('keeps to the server of an entry when another one is called like it later', async () => {
  const { engine, integration, served } = await start();
  const { alias = '' } = await engine.read(integration);
  const other = await startResource(undefined);
  const { integration: later } = await engine.connect(other.url, { local: true });
  await engine.ports.store.update(later.id, (kept) => ({ ...kept, name: alias }));
  const before = other.requests.length;
  const id = await served.allow(integration);
  const program = openProgram(served.socket, { server: alias, program: id });
  expect(await shakeHands(program)).toHaveProperty('result');
  expect(other.requests).toHaveLength(before);
});
