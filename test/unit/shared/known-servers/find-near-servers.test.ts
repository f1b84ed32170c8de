import { expect, it } from 'vitest';
import { findNearServers } from '../../../../shared/known-servers/find-near-servers.ts';

it.each([
  ['notoin', 'Notion'],
  ['git hub', 'GitHub'],
  ['Figam', 'Figma'],
  ['cloudfare', 'Cloudflare'],
  ['huging-face', 'Hugging Face'],
  ['https://mcp.notoin.com/mcp', 'Notion'],
  ['mcp.notoin.com/mcp', 'Notion'],
  ['https://mcp.lineer.app/mcp', 'Linear'],
])('finds what is meant by %s', (text, name) => {
  expect(findNearServers(text).map((server) => server.name)).toContain(name);
});

it.each(['', 'y', 'abc', 'https://mcp.notion.com/nothing', 'https://mcp.example.com/mcp', 'n'.repeat(100_000)])(
  'finds nothing for what is near to nothing',
  (text) => {
    expect(findNearServers(text)).toEqual([]);
  },
);
