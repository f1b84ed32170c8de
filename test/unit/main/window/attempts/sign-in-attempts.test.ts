import { describe, expect, it } from 'vitest';
import { Flow } from '../../../../../main/engine/sign-in/flow.ts';
import { PosternError } from '../../../../../main/errors/postern-error.ts';
import { createAttempt, SignInAttempts } from '../../../../../main/window/attempts/sign-in-attempts.ts';
import type { SignInChoices } from '../../../../../main/window/attempts/sign-in-attempts.ts';
import { describeConnection } from '../../../../../main/window/views/describe-connection.ts';
import { describeError } from '../../../../../shared/error-codes.ts';
import { anIntegration } from '../../../../support/an-integration.ts';
import { asChecked } from '../../../../support/as-checked.ts';

const url = asChecked('https://mcp.example/mcp');
const discovery = { url, method: 'NoAuth', alternatives: [], legacyEndpoints: false, notes: [] } as const;
const typed = { client: { clientId: 'mine' }, callbackUrl: 'http://127.0.0.1:1/callback' };

function anAttempt(changed: Partial<SignInChoices> = {}) {
  const flow = new Flow({ write() {} });
  flow.begin({ onEvent() {} });
  flow.advance({ type: 'discover' });
  const choices = { url, name: '', options: anIntegration().options, ...changed };
  return createAttempt({ purpose: { kind: 'connect' }, surface: 'main', flow, choices });
}

describe('checks that have ended', () => {
  it('are dropped once another address is checked, also those with an unused verdict', () => {
    const attempts = new SignInAttempts(() => {});
    const unused = attempts.add(anAttempt());
    unused.flow.setStartingPoint({ discovery });
    const failed = attempts.add(anAttempt());
    failed.flow.advance({ type: 'failed', error: new PosternError('MCP_FAILED', { stage: 'probe' }) });
    const kept = [{ importEntry: 'e1' }, { typed }].map((choices) => attempts.add(anAttempt(choices)));
    for (const { flow } of kept) flow.setStartingPoint({ discovery });
    attempts.dropEndedChecks();
    expect(attempts.all()).toEqual(kept);
  });
});

describe('a canceled sign-in', () => {
  it('does not report that nothing was saved while Postern still has the OAuth app that the user entered', () => {
    const [without, withApp] = [undefined, typed].map((entered) => {
      const attempt = anAttempt({ typed: entered });
      attempt.flow.end(new PosternError('USER_CANCELLED', { stage: 'authorization' }), AbortSignal.abort());
      return describeConnection(attempt).state;
    });
    const nothingSaved = { name: 'urlEntered', cancelled: { message: describeError('USER_CANCELLED', {}).message } };
    expect(without).toMatchObject(nothingSaved);
    expect(withApp).not.toMatchObject(nothingSaved);
  });
});
