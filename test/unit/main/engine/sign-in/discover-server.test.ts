import { expect, it } from 'vitest';
import { discoverServer } from '../../../../../main/engine/sign-in/discover-server.ts';
import { codeOf } from '../../../../support/discovery-script.ts';
import { createFakeClock } from '../../../../support/fake-clock.ts';
import { localOptions } from '../../../../support/local-options.ts';
import { scriptedHttp } from '../../../../support/scripted-http.ts';

it.each([
  ['https://127.0.0.1/mcp', 'HOST_BLOCKED'],
  ['http://mcp.example/mcp', 'URL_SCHEME'],
  ['ftp://mcp.example', 'URL_SCHEME'],
])('checks the typed address before any request: %s', async (url, code) => {
  const http = scriptedHttp([]);
  const options = { ...localOptions, local: false };
  const ports = { http, clock: createFakeClock() };
  expect(await codeOf(discoverServer(ports, { url, options }, () => {}, new AbortController().signal))).toBe(code);
  http.assertDone();
});
