import { describe, expect, it } from 'vitest';
import { commandAt } from '../../../../../main/cli/options/command-spec.ts';
import { parseArguments } from '../../../../../main/cli/options/parse-arguments.ts';
import { commandTable } from '../../../../../main/cli/table/command-table.ts';
import { PosternError } from '../../../../../main/errors/postern-error.ts';
import { LostRequest, UnsentRequest } from '../../../../../main/errors/request-error.ts';
import { refusalOf } from '../../../../../main/gateway/responses/responses.ts';
import { judgeFailure } from '../../../../../main/gateway/responses/judge-failure.ts';
import { notMcpError } from '../../../../../main/oauth/discovery/discovery.ts';
import { transientRefreshError } from '../../../../../main/oauth/token/refresh-failure.ts';
import { timeOfDay } from '../../../../../shared/error-catalog/catalog-entry.ts';
import { errorCodes } from '../../../../../shared/error-codes.ts';
import { anIntegration } from '../../../../support/an-integration.ts';
import { errorDetails } from '../../../../support/error-details.ts';

const integration = anIntegration({ name: 'Notes of the whole team', alias: 'notes' });
const callAgain = 'Then call the tool again.';

/** The text that the model reads after a call failed with this error. */
function messageFor(error: PosternError, command?: string): string {
  const { refusal } = judgeFailure(integration, error, command);
  const response = JSON.parse(refusalOf('1', 'tools/call', refusal)) as { result: { content: [{ text: string }] } };
  return response.result.content[0].text;
}

describe.each(errorCodes)('a call that failed with %s', (code) => {
  it('names the server and a next step whose commands exist', () => {
    for (const detail of errorDetails) {
      const text = messageFor(new PosternError(code, { stage: 'connection', detail }), 'postern');
      // The message about an outdated entry names no server.
      if (code !== 'PIPE_OUTDATED') expect(text).toContain('Notes of the whole team');
      expect(text).not.toMatch(/undefined|NaN|\[object|\n| {2}|\.\.|--(?!sign-in|default|review)/);
      expect(text.length).toBeLessThan(600);
      for (const [, line = ''] of text.matchAll(/`postern ([^`]+)`/gu)) {
        const words = line.split(' ');
        expect(commandAt(commandTable, words)).toBeDefined();
        expect(parseArguments(commandTable, words).command).toBe(commandAt(commandTable, words));
      }
    }
  });
});

it('names no command if none is installed', () => {
  const error = new PosternError('SIGN_IN_REQUIRED', { stage: 'connection' });
  expect(messageFor(error, 'postern')).toContain('(or to run `postern ');
  expect(messageFor(error)).toMatch(/Sign in\./u);
});

describe('a call that may have been done', () => {
  it.each([
    new PosternError('SESSION_LOST', { stage: 'gateway' }),
    new LostRequest('DEADLINE', { purpose: 'mcp', stage: 'connection' }),
    new LostRequest('CONNECT_FAIL', { purpose: 'mcp', stage: 'connection' }),
    new LostRequest('RESULT_TOO_LARGE', { purpose: 'mcp', stage: 'connection' }),
    new LostRequest('BODY_ENCODING', { purpose: 'mcp', stage: 'connection' }),
    new LostRequest('TLS_FAIL', { purpose: 'mcp', stage: 'connection', fault: 'tls-handshake' }),
    new LostRequest('PROXY_FAIL', { purpose: 'mcp', stage: 'connection' }),
  ])('is not to be repeated unchecked: $code', (error) => {
    expect(messageFor(error)).toMatch(/may have been carried out/u);
    expect(messageFor(error)).not.toContain(callAgain);
  });

  it('differs from a call that was never sent', () => {
    expect(messageFor(new UnsentRequest('CONNECT_FAIL', { stage: 'connection' }))).toContain(callAgain);
    expect(messageFor(new LostRequest('PROXY_FAIL', { purpose: 'refresh', stage: 'refresh' }))).toContain(callAgain);
    expect(messageFor(new PosternError('SIGN_IN_REQUIRED', { stage: 'connection' }))).toContain(callAgain);
  });
});

it('asks for a sign-in after a refused refresh, not for patience', () => {
  const detail = { host: 'sign.example', status: 400, retryAt: Date.UTC(2026, 10, 22, 12, 34, 56) };
  const text = messageFor(new PosternError('REFRESH_REFUSED', { stage: 'refresh', detail }), 'postern');
  expect(text).toContain('`postern refresh notes --sign-in browser`');
  expect(text).toContain('sign.example');
  expect(text).not.toMatch(/wait/iu);
});

it('names the end of an outage, if known', () => {
  const retryAt = Date.UTC(2026, 10, 22, 12, 34, 56);
  for (const error of [
    transientRefreshError('https://sign.example/token', { retryAt }),
    notMcpError('connection', { status: 503, retryAt }),
  ])
    expect(messageFor(error)).toContain(timeOfDay(retryAt));
});

it('writes commands as they are typed in this installation', () => {
  const text = messageFor(new PosternError('SIGN_IN_REQUIRED', { stage: 'connection' }), 'node /src/bin/postern.js');
  expect(text).toContain('`node /src/bin/postern.js refresh notes --sign-in browser`');
  const paused = messageFor(new PosternError('GATEWAY_PAUSED', { stage: 'gateway' }), 'npx postern');
  expect(paused).toContain('`npx postern settings appsPaused false`');
  const one = new PosternError('APP_PAUSED', {
    stage: 'gateway',
    remedy: { kind: 'resume-app', name: 'Zed', app: 'zed' },
  });
  expect(messageFor(one, 'npx postern')).toContain('`npx postern apps zed --resume`');
});
