import { describe, expect, it } from 'vitest';
import { bodyLimit, stdinLength } from '../../main/limits.ts';
import { describeError } from '../../shared/error-codes.ts';
import type { ServerWords } from '../../shared/error-codes.ts';
import type { ServerProtocol } from '../../shared/integration.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { runPostern, startPostern } from '../support/postern-process.ts';
import type { PosternResult } from '../support/postern-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import {
  answerForms,
  common,
  event,
  inputSchema,
  sendInForm,
  sendJson,
  startRawServer,
  textResult,
} from '../support/raw-mcp-server.ts';
import type { RawRequest, RawServer } from '../support/raw-mcp-server.ts';

/** The real command against servers that violate the MCP transport. */

const revisions: readonly ServerProtocol[] = ['session', 'stateless'];
const tool = { name: 'wait', inputSchema };

async function connect(server: RawServer) {
  const home = temporaryFolder();
  const run = (...args: string[]): Promise<PosternResult> => runInProcess([...args, '--json'], { home });
  expect(await run('connect', server.url, '--local', '--name', 'x')).toMatchObject({ code: 0 });
  return { home, run };
}

const errorOf = ({ last }: PosternResult): unknown => last['error'];

describe('a server that rejects the newest revision of initialize', () => {
  const words = 'Unsupported protocol version';
  const versionsOf = (server: RawServer) =>
    server.received.flatMap(({ message }) =>
      message.method === 'initialize' ? (message.params as { protocolVersion?: string }).protocolVersion : [],
    );

  it.each<[string, string, number, (id: unknown) => object | string]>([
    ['400 without versions', '2025-03-26', 400, () => ({ error: { code: -32_000, message: `Bad Request: ${words}` } })],
    ['400 in text', '2024-11-05', 400, () => `${words}: this server speaks 2024-11-05.`],
    [
      'a JSON-RPC error',
      '2025-03-26',
      200,
      (id) => ({
        id,
        error: { code: -32_602, message: words, data: { supported: ['2025-03-26'], requested: '2025-11-25' } },
      }),
    ],
    ['422 from form validation', '2025-03-26', 422, () => ({ detail: [{ loc: ['params', 'protocolVersion'] }] })],
    ['500', '2024-11-05', 500, (id) => ({ id, error: { code: -32_603, message: `ValueError: ${words}` } })],
  ])('is used with another revision: %s', async (_what, spoken, status, refuse) => {
    const server = await startRawServer('session', [tool], (request) => {
      const { message, response } = request;
      if (message.method !== 'initialize') return false;
      const { protocolVersion } = message.params as { protocolVersion?: string };
      const capabilities = { tools: {} };
      const serverInfo = { name: 'x', version: '1' };
      if (protocolVersion === spoken) {
        sendJson(request, { result: { protocolVersion, capabilities, serverInfo } });
        return true;
      }
      const refusal = refuse(message.id);
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(typeof refusal === 'string' ? refusal : JSON.stringify({ jsonrpc: '2.0', id: null, ...refusal }));
      return true;
    });
    const { run } = await connect(server);
    expect((await run('tools', 'x')).last).toMatchObject({ tools: [{ name: 'wait' }] });
    const versions = versionsOf(server);
    expect(new Set(versions).size).toBeLessThanOrEqual(4);
    expect(versions).toContain(spoken);
  });

  it('is reported as faulty if it accepts none, after each was tried once', async () => {
    const server = await startRawServer('session', [tool], ({ message, response }) => {
      if (message.method !== 'initialize') return false;
      response.writeHead(400, { 'content-type': 'application/json' }).end(`{"error":"${words}"}`);
      return true;
    });
    const home = temporaryFolder();
    const { code } = await runInProcess(['connect', server.url, '--local', '--name', 'x', '--json'], { home });
    expect(code).not.toBe(0);
    expect(versionsOf(server).length).toBeLessThanOrEqual(12);
  });
});

it.each([400, 404, 405, 500, undefined])(
  'a server that responds to its first notification with %s is still used (undefined: it hangs up)',
  async (status) => {
    const server = await startRawServer('session', [tool], ({ message, response }) => {
      if (message.method !== 'notifications/initialized') return false;
      if (status === undefined) response.destroy();
      else response.writeHead(status, { 'content-type': 'application/json' }).end('{"error":"no such method"}');
      return true;
    });
    const { run } = await connect(server);
    expect((await run('tools', 'x')).last).toMatchObject({ tools: [{ name: 'wait' }] });
  },
);

describe.each(revisions)('a response with the %s revision', (protocol) => {
  it.each(answerForms)('is read as %s', async (...form) => {
    const server = await startRawServer(protocol, [tool], (request) => {
      const { message } = request;
      if (message.method !== 'tools/call' && message.method !== 'tools/list') return false;
      const result =
        message.method === 'tools/call' ? textResult('done').result : { ...textResult('').result, tools: [tool] };
      sendInForm(request, form, { result });
      return true;
    });
    const { run } = await connect(server);
    expect((await run('call', 'x', 'wait')).last).toMatchObject({ content: [{ text: 'done' }] });
  });
});

describe('a JSON-RPC error of a server (JSON-RPC 2.0 section 5.1)', () => {
  const text = 'Plan limit reached: 5 of 5 calls today';
  const rows: [string[], string, number, string][] = [
    [['call', 'wait'], 'tools/call', -32_000, 'SERVER_ERROR'],
    [['call', 'wait'], 'tools/call', -32_603, 'SERVER_ERROR'],
    [['call', 'wait'], 'tools/call', 4_711, 'SERVER_ERROR'],
    [['call', 'wait'], 'tools/call', -32_602, 'INPUT_REFUSED'],
    [['call', 'wait'], 'tools/call', -32_601, 'METHOD_UNSUPPORTED'],
    [['call', 'gone'], 'tools/call', -32_602, 'TOOL_NOT_FOUND'],
    [['call', 'gone'], 'tools/call', 0, 'TOOL_NOT_FOUND'],
    [['read', 'notes://gone'], 'resources/read', -32_002, 'RESOURCE_NOT_FOUND'],
    [['read', 'notes://gone'], 'resources/read', -32_602, 'RESOURCE_NOT_FOUND'],
    [['read', 'notes://one'], 'resources/read', -32_000, 'SERVER_ERROR'],
    [['prompt', 'gone'], 'prompts/get', -32_602, 'PROMPT_NOT_FOUND'],
    [['prompt', 'greet'], 'prompts/get', -32_602, 'INPUT_REFUSED'],
    [['prompt', 'greet'], 'prompts/get', 0, 'SERVER_ERROR'],
    [['tools'], 'tools/list', -32_000, 'SERVER_ERROR'],
  ];

  it.each(revisions)('is the same with an error status: %s', async (protocol) => {
    const answers: readonly [status: number, code: number, ours: string, hasId: boolean][] = [
      [400, -32_602, 'INPUT_REFUSED', true],
      [400, -32_000, 'SERVER_ERROR', false],
      [404, -32_601, 'METHOD_UNSUPPORTED', true],
      [422, 4_711, 'SERVER_ERROR', true],
      [500, -32_603, 'SERVER_ERROR', true],
      [503, -32_603, 'SERVER_ERROR', false],
    ];
    let [status, code, , hasId] = answers[0]!;
    const server = await startRawServer(protocol, [tool], ({ message, response }) => {
      if (message.method !== 'tools/call') return false;
      response.writeHead(status, { 'content-type': 'application/json' });
      const id = hasId ? message.id : null;
      response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message: text } }));
      return true;
    });
    const { run } = await connect(server);
    for (const row of answers) {
      [status, code, , hasId] = row;
      const error = errorOf(await run('call', 'x', 'wait'));
      expect(error).toMatchObject({ code: row[2], serverWords: { code, message: text } });
    }
  });

  const oddErrors: readonly (readonly [what: string, error: unknown, words: Partial<ServerWords>])[] = [
    ['a code that is a text', { code: 'RATE_LIMITED', message: text }, { message: text }],
    ['a code that is a number in a text', { code: '-32000', message: text }, { code: -32_000, message: text }],
    ['a code with a fraction', { code: -32_000.5, message: text }, { message: text }],
    ['a code beyond every number', { code: 1e300, message: text }, { message: text }],
    ['a code that is null', { code: null, message: text }, { message: text }],
    ['no code', { message: text }, { message: text }],
    ['no message', { code: -32_000 }, { code: -32_000 }],
    ['a message that is null', { code: -32_000, message: null }, { code: -32_000 }],
    ['a message that is an object', { code: -32_000, message: { text } }, { message: JSON.stringify({ text }) }],
    ['no message beside its data', { code: -32_000, data: text }, { message: text }],
    ['an empty message', { code: -32_000, message: '', data: { detail: text } }, { message: text }],
    [
      'a message that its data explains',
      { code: -32_603, message: 'No', data: { message: text } },
      { message: `No: ${text}` },
    ],
    ['data that repeats its message', { code: -32_603, message: text, data: text }, { message: text }],
    ['nothing in it', {}, {}],
    ['a string instead', text, { message: text }],
    ['an array instead', [{ message: text }], {}],
    ['a number instead', 7, {}],
  ];

  it.each(revisions.flatMap((protocol) => [403, 404, 410].map((status) => [protocol, status] as const)))(
    'is not assumed for a web page, which is reported with its status: %s, %i',
    async (protocol, status) => {
      const server = await startRawServer(protocol, [tool], ({ message, response }) => {
        if (message.method !== 'tools/call') return false;
        response.writeHead(status, { 'content-type': 'text/html' }).end('\n<!DOCTYPE html><h1>Nothing here</h1>');
        return true;
      });
      const { run } = await connect(server);
      const { code, message } = errorOf(await run('call', 'x', 'wait')) as Record<string, string>;
      expect(code).toBe('MCP_FAILED');
      expect(message).toMatch(new RegExp(`^(?=.*web page).*${status}`, 'u'));
    },
  );

  it.each(revisions.flatMap((protocol) => [200, 400, 500].map((status) => [protocol, status] as const)))(
    'is recognized in every form: %s, %i',
    async (protocol, status) => {
      let error: unknown;
      const server = await startRawServer(protocol, [tool], ({ message, response }) => {
        if (message.method !== 'tools/call') return false;
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, error }));
        return true;
      });
      const { run } = await connect(server);
      for (const [what, odd, words] of oddErrors) {
        error = odd;
        const failed = errorOf(await run('call', 'x', 'wait'));
        expect(failed, what).toMatchObject({ code: 'SERVER_ERROR', retryable: false, serverWords: words });
      }
    },
  );

  it.each(revisions.flatMap((protocol) => rows.map((row) => [protocol, ...row] as const)))(
    "is shown as the server's words, with its own code and no advice about the address: %s %j, %s %i: %s",
    async (protocol, [command = '', ...words], method, code, ours) => {
      let isBroken = false;
      const server = await startRawServer(
        protocol,
        [tool],
        (request) => {
          const requested = request.message.method;
          if (requested === 'prompts/list') {
            sendJson(request, { result: { ...common, prompts: [{ name: 'greet' }] } });
            return true;
          }
          if (!isBroken || requested !== method) return false;
          sendJson(request, { error: { code, message: `${text}\u001b[2J\n${'x'.repeat(5_000)}` } });
          return true;
        },
        { resources: {}, prompts: {} },
      );
      const { home, run } = await connect(server);
      isBroken = true;
      const error = errorOf(await run(command, 'x', ...words));
      expect(error).toMatchObject({ code: ours, retryable: false, serverWords: code === 0 ? {} : { code } });
      const { message, nextStep, serverWords } = error as Record<string, string> & { serverWords: ServerWords };
      expect(serverWords.message).toMatch(new RegExp(`^${text}\\[2J x+…$`, 'u'));
      expect(serverWords.message.length).toBeLessThanOrEqual(500);
      expect(message).not.toContain(text);
      expect(nextStep).not.toMatch(/address|\/mcp/u);
      const { stderr } = await runInProcess([command, 'x', ...words], { home });
      expect(stderr).toContain(`“${text}`);
    },
  );
});

describe("a response that only the server's owner can fix", () => {
  const handshake = { capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } };
  const rows: readonly (readonly [
    what: string,
    kind: string,
    status: number,
    answer: (request: RawRequest) => boolean,
    revision?: string,
  ])[] = [
    [
      'initialize without a protocol version',
      'no-revision',
      200,
      (request) => {
        if (request.message.method !== 'initialize') return false;
        sendJson(request, { result: handshake });
        return true;
      },
    ],
    ...['2027-01-01', '1.0'].map(
      (protocolVersion) =>
        [
          `initialize with protocol version ${protocolVersion}`,
          'other-revision',
          200,
          (request: RawRequest) => {
            if (request.message.method !== 'initialize') return false;
            sendJson(request, { result: { ...handshake, protocolVersion } });
            return true;
          },
          protocolVersion,
        ] as const,
    ),
    [
      'several JSON texts as application/json',
      'several-texts',
      200,
      ({ message, response }) => {
        if (message.method !== 'tools/list') return false;
        const said = [
          { method: 'notifications/message', params: { level: 'info', data: 'x' } },
          { id: message.id, result: { tools: [tool] } },
        ];
        const lines = said.map((each) => `${JSON.stringify({ jsonrpc: '2.0', ...each })}\n`);
        response.writeHead(200, { 'content-type': 'application/json' }).end(lines.join(''));
        return true;
      },
    ],
    [
      'a refusal of the field MCP-Protocol-Version',
      'revision-refused',
      400,
      ({ headers, response }) => {
        if (headers['mcp-protocol-version'] === undefined) return false;
        response.writeHead(400, { 'content-type': 'text/plain' }).end('Unsupported MCP-Protocol-Version');
        return true;
      },
    ],
    [
      'a page of a firewall',
      'web-page',
      403,
      ({ message, response }) => {
        if (message.method !== 'tools/list') return false;
        response.writeHead(403, { 'content-type': 'text/html' }).end('<!DOCTYPE html><title>Just a moment</title>');
        return true;
      },
    ],
  ];

  it.each(rows.map((row) => ({ what: row[0], row })))('is reported as what it is: $what', async ({ row }) => {
    const [, kind, status, respond, revision] = row;
    const server = await startRawServer('session', [tool], (request) => isWrong && respond(request));
    let isWrong = false;
    const { run } = await connect(server);
    isWrong = true;
    const error = errorOf(await run('tools', 'x')) as { message: string; nextStep: string; retryable: boolean };
    const { host } = new URL(server.url);
    const { message } = describeError('MCP_FAILED', {
      host,
      status,
      kind,
      ...(revision !== undefined && { revision }),
    });
    expect(message).toContain(revision ?? '');
    expect(message).not.toBe(describeError('MCP_FAILED', { host, status }).message);
    expect(error).toMatchObject({ code: 'MCP_FAILED', message });
    expect(error.nextStep).not.toBe('');
    expect(error.retryable).toBe(false);
  });

  it.each(
    revisions.flatMap((protocol) =>
      [200, 511].map((status) => [protocol, status, status === 511 ? 'network' : 'answer'] as const),
    ),
  )('suggests signing in to the network if a page replaces a response: %s, %i', async (protocol, status, blame) => {
    let isAway = false;
    const server = await startRawServer(protocol, [tool], ({ method, response }) => {
      if (!isAway || method !== 'POST') return false;
      response.writeHead(status, { 'content-type': 'text/html' }).end('<!doctype html><title>Guest Wi-Fi</title>');
      return true;
    });
    const { run } = await connect(server);
    isAway = true;
    const connecting = status === 511 ? [['connect', server.url, '--local', '--name', 'y']] : [];
    for (const words of [['tools', 'x'], ['call', 'x', 'wait'], ...connecting]) {
      const error = errorOf(await run(...words));
      expect(error, words[0]).toMatchObject({
        code: 'MCP_FAILED',
        blame,
        retryable: true,
        nextStep: expect.stringMatching(/network has a sign-in page/u),
      });
    }
  });

  const suspended = { code: -32_000, message: 'Workspace suspended' };

  it.each(revisions.flatMap((protocol) => [400, 404, 406, 409].map((status) => [protocol, status] as const)))(
    "shows the reason from JSON-RPC for refusing every request as the server's words: %s, %i",
    async (protocol, status) => {
      let isRefusing = false;
      const server = await startRawServer(protocol, [tool], ({ method, message, response }) => {
        if (!isRefusing || method !== 'POST') return false;
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id ?? null, error: suspended }));
        return true;
      });
      const { run } = await connect(server);
      isRefusing = true;
      const expected = { code: 'SERVER_ERROR', serverWords: suspended, retryable: false };
      expect(errorOf(await run('tools', 'x'))).toMatchObject(expected);
      expect(errorOf(await run('call', 'x', 'wait'))).toMatchObject(expected);
    },
  );

  it.each(revisions.flatMap((protocol) => [429, 500, 503].map((status) => [protocol, status] as const)))(
    'shows them also during an outage, which may pass: %s, %i',
    async (protocol, status) => {
      let isRefusing = false;
      const server = await startRawServer(protocol, [tool], ({ method, message, response }) => {
        if (!isRefusing || method !== 'POST') return false;
        response.writeHead(status, {
          'content-type': 'application/json',
          ...(status !== 500 && { 'retry-after': '60' }),
        });
        response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id ?? null, error: suspended }));
        return true;
      });
      const { run } = await connect(server);
      isRefusing = true;
      const expected = { code: 'MCP_FAILED', serverWords: suspended, retryable: true };
      expect(errorOf(await run('tools', 'x'))).toMatchObject(expected);
    },
  );

  it("shows the JSON-RPC error in a 401 as the server's words", async () => {
    const words = { code: -32_001, message: 'Your trial has ended' };
    const server = await startRawServer('session', [tool], ({ message, response }) => {
      if (!isWrong) return false;
      response.writeHead(401, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, error: words }));
      return true;
    });
    let isWrong = false;
    const { run } = await connect(server);
    isWrong = true;
    expect(errorOf(await run('tools', 'x'))).toMatchObject({ code: 'SIGN_IN_REQUIRED', serverWords: words });
  });
});

describe('a tool with an expensive schema', () => {
  const pattern = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
  const chain = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => {
      const $ref = `#/$defs/s${index + 1}`;
      return [`s${index}`, { allOf: [{ $ref }, { $ref }] }];
    }),
  );
  const references = { type: 'object', $ref: '#/$defs/s0', $defs: { ...chain, s40: { type: 'object' } } };
  const structuredContent = { a: `${'a'.repeat(60)}!` };

  it.each(
    revisions.flatMap((protocol) => [
      [protocol, 'a pattern', pattern],
      [protocol, 'references', references],
    ]) as [ServerProtocol, string, object][],
  )('is listed and called (%s), and its %s schema is not run', async (protocol, _, outputSchema) => {
    const hostile = { name: 'hostile', inputSchema, outputSchema };
    let calls = 0;
    const server = await startRawServer(protocol, [hostile], (request) => {
      if (request.message.method !== 'tools/call') return false;
      calls += 1;
      // A stateless response includes this, and the library then lists the tools and uses their header annotations.
      if (protocol === 'stateless' && calls === 1) sendJson(request, { error: { code: -32_020, message: 'headers' } });
      else sendJson(request, { result: { ...textResult('done').result, structuredContent } });
      return true;
    });
    const { run } = await connect(server);
    expect((await run('tools', 'x')).last).toMatchObject({ tools: [{ name: 'hostile', outputSchema }] });
    expect(await run('call', 'x', 'hostile')).toMatchObject({ code: 0, last: { structuredContent } });
    expect(calls).toBe(protocol === 'stateless' ? 2 : 1);
  });

  it.each(revisions)('can be interrupted (%s)', async (protocol) => {
    let calls = 0;
    const server = await startRawServer(
      protocol,
      [{ name: 'hostile', inputSchema, outputSchema: references }],
      (request) => {
        if (request.message.method !== 'tools/call') return false;
        calls += 1;
        if (protocol === 'stateless' && calls === 1)
          sendJson(request, { error: { code: -32_020, message: 'headers' } });
        return true;
      },
    );
    const { home } = await connect(server);
    const process = startPostern(['call', 'x', 'hostile', '--json'], { home });
    await expect.poll(() => calls).toBe(protocol === 'stateless' ? 2 : 1);
    process.kill('SIGINT');
    expect(await process.ended).toMatchObject({ code: 130 });
  });

  it('receives arguments in header fields if the server wants them (MCP 2026-07-28)', async () => {
    const properties = { region: { type: 'string', 'x-mcp-header': 'Region' } };
    const server = await startRawServer(
      'stateless',
      [{ name: 'wait', inputSchema: { type: 'object', properties } }],
      (request) => {
        if (request.message.method !== 'tools/call') return false;
        const isThere = request.headers['mcp-param-region'] === 'eu';
        sendJson(request, isThere ? textResult('done') : { error: { code: -32_020, message: 'headers' } });
        return true;
      },
    );
    const { run } = await connect(server);
    expect(await run('call', 'x', 'wait', '{"region":"eu"}')).toMatchObject({ code: 0 });
  });
});

it('prints nothing from the library on the terminal, whatever a tool is called', async () => {
  const properties = { a: { type: 'array', 'x-mcp-header': 'A' } };
  const bad = { name: 'bad\u001b[2J', inputSchema: { type: 'object', properties } };
  const server = await startRawServer('stateless', [bad, tool]);
  const { home } = await connect(server);
  const { stdout, stderr } = await runPostern(['tools', 'x'], { home });
  expect(stdout).toContain('wait');
  expect(`${stdout}${stderr}`).not.toContain('mcp-sdk');
});

describe('a response above the limit', () => {
  const large = (values: number): string => `{"content":[],"structuredContent":{"a":[${'[],'.repeat(values)}[]]}}`;
  const answers: [string, (request: Parameters<typeof sendJson>[0]) => void][] = [
    ['of too many bytes', (request) => sendJson(request, textResult('x'.repeat(bodyLimit.mcpMessage)))],
    [
      'of too many values',
      ({ message, response }) =>
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(`{"jsonrpc":"2.0","id":${message.id},"result":${large(1_000_000)}}`),
    ],
    [
      'of too many values, on a stream',
      ({ message, response }) =>
        response
          .writeHead(200, { 'content-type': 'text/event-stream' })
          .end(`data: {"jsonrpc":"2.0","result":${large(1_000_000)},"id":${message.id}}\n\n`),
    ],
  ];

  it.each(answers)('%s is reported as such, with the tool and its server', async (_, send) => {
    const server = await startRawServer('session', [tool], (request) => {
      if (request.message.method !== 'tools/call') return false;
      send(request);
      return true;
    });
    const { run } = await connect(server);
    const failed = await run('call', 'x', 'wait');
    expect(failed.code).toBe(1);
    expect(errorOf(failed)).toMatchObject({ code: 'RESULT_TOO_LARGE', stage: 'connection' });
    const { message, nextStep } = errorOf(failed) as { message: string; nextStep: string };
    expect(message).toContain('“wait”');
    expect(message).toContain(new URL(server.url).host);
    expect(nextStep).not.toMatch(/address/u);
  });
});

describe('an interrupted call', () => {
  it.each(revisions)('reports that the tool may have run, and notifies the server (%s)', async (protocol) => {
    let hasEnded = false;
    const server = await startRawServer(protocol, [tool], (request) => {
      if (request.message.method !== 'tools/call') return false;
      request.response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n');
      request.response.on('close', () => (hasEnded = true));
      return true;
    });
    const { home } = await connect(server);
    const process = startPostern(['call', 'x', 'wait', '--json'], { home });
    await expect.poll(server.methods).toContain('tools/call');
    process.kill('SIGINT');
    const ended = await process.ended;
    expect(ended.code).toBe(130);
    expect(errorOf(ended)).toMatchObject({ code: 'CALL_INTERRUPTED' });
    await expect.poll(() => hasEnded).toBe(true);
    const call = server.received.find(({ message }) => message.method === 'tools/call');
    const cancelled = server.received.filter(({ message }) => message.method === 'notifications/cancelled');
    expect(JSON.stringify(cancelled)).not.toMatch(/PosternError|SdkError/u);
    // In the stateless revision the end of the stream says it (MCP 2026-07-28, cancellation).
    expect(cancelled.map(({ message }) => message.params?.requestId)).toEqual(
      protocol === 'session' ? [call?.message.id] : [],
    );
  });

  it('waits only a moment for a server that does not accept the cancellation', async () => {
    const server = await startRawServer('session', [tool], ({ message }) =>
      ['tools/call', 'notifications/cancelled'].includes(message.method ?? ''),
    );
    const { home } = await connect(server);
    const process = startPostern(['call', 'x', 'wait', '--json'], { home });
    await expect.poll(server.methods).toContain('tools/call');
    process.kill('SIGINT');
    expect(errorOf(await process.ended)).toMatchObject({ code: 'CALL_INTERRUPTED' });
    expect(server.methods()).toContain('notifications/cancelled');
  });
});

describe('a broken stream', () => {
  const stream = { 'content-type': 'text/event-stream' };

  it('is resumed where it was, after the delay that the server asks for (MCP 2025-11-25, resumability)', async () => {
    const server = await startRawServer('session', [tool], ({ method, message, headers, response }) => {
      if (message.method === 'tools/call') {
        response.writeHead(200, stream).end('id: first\nretry: 120\ndata: \n\n');
        return true;
      }
      const after = headers['last-event-id'];
      if (method !== 'GET' || after === undefined) return false;
      // Twice: the first time it is not ready yet.
      const call = server.received.find((request) => request.message.method === 'tools/call');
      const reply = event({ id: call?.message.id, ...textResult('done') });
      response.writeHead(200, stream).end(after === 'first' ? 'id: second\ndata: \n\n' : reply);
      return true;
    });
    const { run } = await connect(server);
    expect(await run('call', 'x', 'wait')).toMatchObject({ code: 0, last: { content: [{ text: 'done' }] } });
    const positions = server.received.map(({ headers }) => headers['last-event-id']).filter(Boolean);
    expect(positions).toEqual(['first', 'second']);
    expect(server.methods().filter((method) => method === 'tools/call')).toHaveLength(1);
  });

  it('ends the call if the server has not stored it, and the call is not resent', async () => {
    const server = await startRawServer('session', [tool], ({ message, response }) => {
      if (message.method !== 'tools/call') return false;
      response.writeHead(200, stream).end('id: first\nretry: 0\ndata: \n\n');
      return true;
    });
    const { run } = await connect(server);
    expect(errorOf(await run('call', 'x', 'wait'))).toMatchObject({ code: 'MCP_FAILED' });
    expect(server.methods().filter((method) => method === 'tools/call')).toHaveLength(1);
  });

  it('is dropped in the stateless revision, which cannot resume it', async () => {
    const server = await startRawServer('stateless', [tool], ({ message, response }) => {
      if (message.method !== 'tools/call') return false;
      response.writeHead(200, stream).end('id: first\nretry: 0\ndata: \n\n');
      return true;
    });
    const { run } = await connect(server);
    expect(errorOf(await run('call', 'x', 'wait'))).toMatchObject({ code: 'MCP_FAILED' });
    expect(server.received.filter(({ method }) => method === 'GET')).toEqual([]);
  });
});

describe('a server that redirects its requests', () => {
  it('is connected and used through 307 and 308 within its origin, as one behind a mount or a proxy', async () => {
    const moved = new Map<string | undefined, number>();
    const server = await startRawServer('session', [tool], ({ message, response, path }) => {
      if (path === '/mcp') {
        moved.set(message.method, (moved.get(message.method) ?? 0) + 1);
        response.writeHead(moved.size % 2 === 0 ? 307 : 308, { location: '/mcp/' }).end();
        return true;
      }
      if (message.method !== 'tools/call') return false;
      sendJson({ message, response }, textResult('done'));
      return true;
    });
    const { run } = await connect(server);
    expect(await run('call', 'x', 'wait')).toMatchObject({ code: 0, last: { content: [{ text: 'done' }] } });
    expect(moved.get('tools/call')).toBe(1);
    expect((await run('list')).last).toMatchObject({ integrations: [{ url: server.url }] });
  });
});

describe('standard input', () => {
  it('longer than arguments can be is rejected, and so is one that never ends', async () => {
    const server = await startRawServer('session', [tool]);
    const { home } = await connect(server);
    for (const text of ['\0', '\n', '{"a":1}\n']) {
      const process = startPostern(['call', 'x', 'wait', '-', '--json'], { home });
      // Never ended: what arrives is limited anyway.
      process.type(text.repeat(stdinLength + 1));
      const ended = await process.ended;
      expect(ended).toMatchObject({
        code: 2,
        last: {
          error: {
            code: 'USAGE',
            message: expect.stringContaining(' 2 MB'),
            nextStep: expect.stringContaining('`postern call --help`'),
          },
        },
      });
    }
    expect(server.methods()).not.toContain('tools/call');
  });
});
