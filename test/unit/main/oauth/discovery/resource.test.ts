import { describe, expect, it } from 'vitest';
import { matchesResource } from '../../../../../main/oauth/discovery/discovery.ts';

describe('matchesResource', () => {
  it.each([
    ['https://h.example/mcp', 'https://h.example/mcp', true],
    ['https://h.example', 'https://h.example/mcp', true],
    ['https://h.example/', 'https://h.example/mcp', true],
    ['https://h.example/a', 'https://h.example/a/mcp', true],
    ['https://h.example/mcp/', 'https://h.example/mcp', true],
    ['https://h.example/mcp', 'https://h.example/mcp/', true],
    ['HTTPS://H.example:443/mcp', 'https://h.example/mcp', true],
    ['https://h.example/x/../mcp', 'https://h.example/mcp', true],
    ['https://h.example/mcp', 'https://h.example/mcp?tenant=1', true],
    ['https://h.example/mcp?tenant=1', 'https://h.example/mcp?tenant=1', true],
    ['https://h.example/mcp?tenant=2', 'https://h.example/mcp?tenant=1', false],
    ['https://h.example/mcp?tenant=1', 'https://h.example/mcp', false],
    ['https://h.example/mc', 'https://h.example/mcp', false],
    ['https://h.example/mcp/deeper', 'https://h.example/mcp', false],
    ['https://h.example/MCP', 'https://h.example/mcp', false],
    ['https://h.example/%6dcp', 'https://h.example/mcp', false],
    ['https://h.example//mcp', 'https://h.example/mcp', false],
    ['https://h.example/other', 'https://h.example/mcp', false],
    ['https://h.example:8443/mcp', 'https://h.example/mcp', false],
    ['http://h.example/mcp', 'https://h.example/mcp', false],
    ['https://evil.example/mcp', 'https://h.example/mcp', false],
    ['https://h.example.evil.example/mcp', 'https://h.example/mcp', false],
    ['https://u:p@h.example/mcp', 'https://h.example/mcp', false],
    ['https://h.example/mcp#part', 'https://h.example/mcp', false],
  ])('%s for %s: %s (RFC 9728 section 3.3)', (resource, server, expected) => {
    expect(matchesResource(new URL(resource), new URL(server))).toBe(expected);
  });
});
