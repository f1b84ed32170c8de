import { describe, expect, it } from 'vitest';
import { commandAt } from '../../../../../main/cli/options/command-spec.ts';
import { parseArguments } from '../../../../../main/cli/options/parse-arguments.ts';
import { commandTable } from '../../../../../main/cli/table/command-table.ts';
import { PosternError } from '../../../../../main/errors/postern-error.ts';
import { LostRequest, UnsentRequest } from '../../../../../main/errors/request-error.ts';
import { refusalOf } from '../../../../../main/gateway/answers/answers.ts';
import { judgeFailure } from '../../../../../main/gateway/answers/judge-failure.ts';
import { noMcp } from '../../../../../main/oauth/discovery/discovery.ts';
import { renewLater } from '../../../../../main/oauth/token/refresh-failure.ts';
import { timeOfDay } from '../../../../../shared/error-catalogue/catalogue-entry.ts';
import { errorCodes } from '../../../../../shared/error-codes.ts';
import { anIntegration } from '../../../../support/an-integration.ts';
import { errorDetails } from '../../../../support/error-details.ts';

const integration = anIntegration({ name: 'Notes of the whole team', alias: 'notes' });
const callAgain = 'Then call the tool again.';

/** What a model reads where a call failed so. */
function tellModel(error: PosternError, command?: string): string {
  const { refusal } = judgeFailure(integration, error, command);
  const answer = JSON.parse(refusalOf('1', 'tools/call', refusal)) as { result: { content: [{ text: string }] } };
  return answer.result.content[0].text;
}

describe.each(errorCodes)('a call that failed with %s', (code) => {
  it('is told with the name of the server and a next step, whose commands there are', () => {
    for (const detail of errorDetails) {
      const text = tellModel(new PosternError(code, { stage: 'connection', detail }), 'postern');
      // An entry of another version says nothing of its server.
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

it('names no command where a person has none', () => {
  const error = new PosternError('SIGN_IN_REQUIRED', { stage: 'connection' });
  expect(tellModel(error, 'postern')).toContain('(or to run `postern ');
  expect(tellModel(error)).toMatch(/Sign in\./u);
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
  ])('is not to be made again unseen: $code', (error) => {
    expect(tellModel(error)).toMatch(/may have been done/u);
    expect(tellModel(error)).not.toContain(callAgain);
  });

  it('is another than one that has not left', () => {
    expect(tellModel(new UnsentRequest('CONNECT_FAIL', { stage: 'connection' }))).toContain(callAgain);
    expect(tellModel(new LostRequest('PROXY_FAIL', { purpose: 'refresh', stage: 'refresh' }))).toContain(callAgain);
    expect(tellModel(new PosternError('SIGN_IN_REQUIRED', { stage: 'connection' }))).toContain(callAgain);
  });
});

it('asks for a sign-in where a renewal was refused, and for no patience', () => {
  const detail = { host: 'sign.example', status: 400, retryAt: Date.UTC(2026, 10, 22, 12, 34, 56) };
  const text = tellModel(new PosternError('REFRESH_REFUSED', { stage: 'refresh', detail }), 'postern');
  expect(text).toContain('`postern refresh notes --sign-in browser`');
  expect(text).toContain('sign.example');
  expect(text).not.toMatch(/wait/iu);
});

it('says when a fault of a service is over, where that is known', () => {
  const retryAt = Date.UTC(2026, 10, 22, 12, 34, 56);
  for (const error of [
    renewLater('https://sign.example/token', { retryAt }),
    noMcp('connection', { status: 503, retryAt }),
  ])
    expect(tellModel(error)).toContain(timeOfDay(retryAt));
});

it('names its commands as they are typed where Postern runs', () => {
  const text = tellModel(new PosternError('SIGN_IN_REQUIRED', { stage: 'connection' }), 'node /src/bin/postern.js');
  expect(text).toContain('`node /src/bin/postern.js refresh notes --sign-in browser`');
  const paused = tellModel(new PosternError('GATEWAY_PAUSED', { stage: 'gateway' }), 'npx postern');
  expect(paused).toContain('`npx postern settings programsPaused false`');
  const one = new PosternError('PROGRAM_PAUSED', {
    stage: 'gateway',
    remedy: { kind: 'resume-program', name: 'Zed', program: 'zed' },
  });
  expect(tellModel(one, 'npx postern')).toContain('`npx postern programs zed --resume`');
});
