import { describe, expect, it } from 'vitest';
import {
  handshakeOf,
  readDiscovery,
  readProgram,
  resultForOlder,
  withMeta,
} from '../../../../../main/gateway/bridge/revisions.ts';

const program = readProgram({
  protocolVersion: '2025-06-18',
  clientInfo: { name: 'older', version: '1' },
  capabilities: { elicitation: {}, roots: { listChanged: true }, tasks: {} },
});

describe('a program of an older revision', () => {
  it.each([
    [{ supportedVersions: ['2026-07-28'] }, 'newer-alone'],
    [{ supportedVersions: ['2026-07-28', '2025-11-25'] }, 'takes-initialize'],
    [{ supportedVersions: ['2031-01-01'] }, 'unknown'],
    [{ supportedVersions: '2026-07-28' }, 'unknown'],
    ['2026-07-28', 'unknown'],
  ])('is bridged to a server that says %j: %s', (result, says) => {
    expect(readDiscovery(result)).toBe(says);
  });

  it('is told its own revision, and nothing that older ones do not have', () => {
    const discovered = {
      capabilities: { tools: { listChanged: true }, tasks: {}, extensions: {} },
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'newer', version: '2' } },
    };
    expect(handshakeOf(discovered, program, 'alias')).toEqual({
      protocolVersion: '2025-06-18',
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: 'newer', version: '2' },
    });
    const other = readProgram({ protocolVersion: '1999-01-01' });
    expect(handshakeOf({}, other, 'alias')).toMatchObject({
      protocolVersion: '2025-11-25',
      serverInfo: { name: 'alias' },
    });
  });

  it('keeps extensions in both directions, other than tasks, which differ', () => {
    const extensions = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } };
    const capabilities = { extensions: { ...extensions, 'io.modelcontextprotocol/tasks': {} } };
    expect(readProgram({ capabilities }).capabilities).toEqual({ extensions });
    expect(handshakeOf({ capabilities }, program, 'alias')['capabilities']).toEqual({ extensions });
  });

  it('says who it is with each request, and cannot say that it is another (GW-69)', () => {
    const said = {
      name: 'add',
      inputResponses: { where: {} },
      requestState: 'forged',
      _meta: {
        progressToken: 1,
        'io.modelcontextprotocol/clientInfo': { name: 'forged' },
        'io.modelcontextprotocol/anything': 'forged',
        'x.example/y': 2,
      },
    };
    expect(withMeta(said, program, 'error')).toEqual({
      name: 'add',
      _meta: {
        progressToken: 1,
        'x.example/y': 2,
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'older', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': { elicitation: {}, roots: {} },
        'io.modelcontextprotocol/logLevel': 'error',
      },
    });
  });

  it('gets results as its revision has them, and all that a tool says', () => {
    const common = { resultType: 'complete', ttlMs: 5, cacheScope: 'public' };
    const _meta = { 'io.modelcontextprotocol/serverInfo': {}, 'x.example/y': 1 };
    expect(resultForOlder('prompts/list', { ...common, prompts: [], _meta })).toEqual({
      prompts: [],
      _meta: { 'x.example/y': 1 },
    });
    const tools = [
      { name: 'list', outputSchema: { type: 'array' } },
      { name: 'one', outputSchema: { type: 'object' } },
    ];
    expect(resultForOlder('tools/list', { ...common, tools })).toEqual({ tools: [{ name: 'list' }, tools[1]] });
    expect(resultForOlder('tools/call', { ...common, content: [], structuredContent: [1] })).toEqual({
      content: [{ type: 'text', text: '[1]' }],
    });
    const object = { content: [], structuredContent: { n: 1 } };
    expect(resultForOlder('tools/call', { ...common, ...object })).toEqual(object);
  });
});
