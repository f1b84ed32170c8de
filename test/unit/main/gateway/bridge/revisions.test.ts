import { describe, expect, it } from 'vitest';
import {
  toInitializeResult,
  readDiscovery,
  readSessionApp,
  resultForSession,
  withMeta,
} from '../../../../../main/gateway/bridge/revisions.ts';

const app = readSessionApp({
  protocolVersion: '2025-06-18',
  clientInfo: { name: 'older', version: '1' },
  capabilities: { elicitation: {}, roots: { listChanged: true }, tasks: {} },
});

describe('an app that uses a session revision', () => {
  it.each([
    [{ supportedVersions: ['2026-07-28'] }, 'stateless-only'],
    [{ supportedVersions: ['2026-07-28', '2025-11-25'] }, 'takes-initialize'],
    [{ supportedVersions: ['2031-01-01'] }, 'unknown'],
    [{ supportedVersions: '2026-07-28' }, 'unknown'],
    ['2026-07-28', 'unknown'],
  ])('is bridged to a server that reports %j: %s', (result, expected) => {
    expect(readDiscovery(result)).toBe(expected);
  });

  it('gets its own revision and only capabilities that session revisions have', () => {
    const discovered = {
      capabilities: { tools: { listChanged: true }, tasks: {}, extensions: {} },
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'newer', version: '2' } },
    };
    expect(toInitializeResult(discovered, app, 'alias')).toEqual({
      protocolVersion: '2025-06-18',
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: 'newer', version: '2' },
    });
    const other = readSessionApp({ protocolVersion: '1999-01-01' });
    expect(toInitializeResult({}, other, 'alias')).toMatchObject({
      protocolVersion: '2025-11-25',
      serverInfo: { name: 'alias' },
    });
  });

  it('passes extensions in both directions, except tasks, which differ', () => {
    const extensions = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } };
    const capabilities = { extensions: { ...extensions, 'io.modelcontextprotocol/tasks': {} } };
    expect(readSessionApp({ capabilities }).capabilities).toEqual({ extensions });
    expect(toInitializeResult({ capabilities }, app, 'alias')['capabilities']).toEqual({ extensions });
  });

  it('identifies itself in each request and cannot impersonate another client (GW-69)', () => {
    const params = {
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
    expect(withMeta(params, app, 'error')).toEqual({
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

  it('gets results in the form of its revision, with everything that a tool returned', () => {
    const common = { resultType: 'complete', ttlMs: 5, cacheScope: 'public' };
    const _meta = { 'io.modelcontextprotocol/serverInfo': {}, 'x.example/y': 1 };
    expect(resultForSession('prompts/list', { ...common, prompts: [], _meta })).toEqual({
      prompts: [],
      _meta: { 'x.example/y': 1 },
    });
    const tools = [
      { name: 'list', outputSchema: { type: 'array' } },
      { name: 'one', outputSchema: { type: 'object' } },
    ];
    expect(resultForSession('tools/list', { ...common, tools })).toEqual({ tools: [{ name: 'list' }, tools[1]] });
    expect(resultForSession('tools/call', { ...common, content: [], structuredContent: [1] })).toEqual({
      content: [{ type: 'text', text: '[1]' }],
    });
    const object = { content: [], structuredContent: { n: 1 } };
    expect(resultForSession('tools/call', { ...common, ...object })).toEqual(object);
  });
});
