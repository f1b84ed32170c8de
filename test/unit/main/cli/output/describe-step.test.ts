import { describe, expect, it } from 'vitest';
import { describeDiscoveryStep, describeMethod, describeState } from '../../../../../main/cli/output/describe-step.ts';
import type { DiscoveryStep } from '../../../../../main/oauth/discovery/discovery.ts';
import { discoveryStepWords } from '../../../../../shared/status-words.ts';

const url = 'https://mcp.example/mcp?key=canary';

describe('describeDiscoveryStep', () => {
  it.each([
    [{ step: 'probe', url, outcome: 'started' }, undefined, undefined],
    [{ step: 'probe', url, status: 401, outcome: 'found' }, 'done', '401'],
    [{ step: 'resource-metadata', url, status: 404, outcome: 'not-found' }, 'note', '404'],
    [{ step: 'probe', url, status: 200, outcome: 'not-found' }, 'note', '200'],
    [{ step: 'probe', url, code: 'CONNECT_FAIL', outcome: 'failed' }, 'failed', 'CONNECT_FAIL'],
  ] as const)('marks %j, and says where, and what the answer was', (step, mark, answer) => {
    const told = describeDiscoveryStep(step);
    expect(told.mark).toBe(mark);
    expect(told.text).toMatch(/ mcp\.example(?: \(|$)/u);
    expect(told.text.match(/\((.*)\)$/u)?.[1]).toBe(answer);
  });

  it('shows a host as it is asked for, without the path and the query, which may hold a key', () => {
    const told = describeDiscoveryStep({
      step: 'probe',
      url: 'https://пример.example/a?key=canary',
      outcome: 'started',
    });
    expect(told.text).toMatch(/ xn--e1afmkfd\.example$/u);
  });

  it('tells each step and each outcome apart', () => {
    const steps = Object.entries(discoveryStepWords).flatMap(([outcome, words]) =>
      Object.keys(words).map((step) => ({ step, outcome }) as DiscoveryStep),
    );
    expect(new Set(steps.map((step) => describeDiscoveryStep(step).text)).size).toBe(steps.length);
  });
});

describe('describeMethod', () => {
  it.each([
    { reason: 'ASM_MISSING' },
    { reason: 'PRM_MISSING', probeStatus: 200 },
    { reason: 'PRM_MISSING', probeStatus: 403, refusedStatus: 403 },
    { reason: 'CONNECT_FAIL', probeStatus: 200, refusedStatus: 401 },
    { reason: 'CONNECT_FAIL' },
  ] as const)('says why there is no sign-in, and what the server answered: %j', (found) => {
    const told = describeMethod({ method: 'NoAuth', ...found });
    expect(told).toContain(`(${found.reason})`);
    const answered = 'refusedStatus' in found ? found.refusedStatus : 'probeStatus' in found ? found.probeStatus : '';
    expect(told.match(/\d+/u)?.[0] ?? '').toBe(String(answered));
  });

  it('tells apart a server without a sign-in, one that wants one, and what could not be read', () => {
    const situations = ['PRM_MISSING', 'CONNECT_FAIL'] as const;
    const told = situations.flatMap((reason) => [
      describeMethod({ method: 'NoAuth', reason }),
      describeMethod({ method: 'NoAuth', reason, probeStatus: 401 }),
      describeMethod({ method: 'NoAuth', reason, refusedStatus: 401 }),
    ]);
    const sentences = told.map((sentence) => sentence.replace(/PRM_MISSING|CONNECT_FAIL/u, ''));
    expect(new Set(sentences).size).toBe(told.length);
  });

  it('says where one signs in, and which of the three ways Postern is known there (RFC 7591)', () => {
    const methods = ['OAuth', 'OAuthWithDCR', 'OAuthWithCIMD'] as const;
    const told = methods.map((method) => describeMethod({ method, issuerKey: 'https://l.example' }));
    for (const sentence of told) expect(sentence).toContain(' l.example');
    expect(new Set(told).size).toBe(methods.length);
  });
});

describe('describeState', () => {
  it('counts down while it waits for a person', () => {
    let now = 0;
    const text = describeState({ name: 'authorizationPending', expiresAt: 600_000 }, () => now);
    if (typeof text !== 'function') throw new Error('does not count');
    expect(text()).toContain('10:00');
    now = 535_500;
    expect(text()).toContain('1:05');
    now = 700_000;
    expect(text()).toContain('0:00');
  });

  it('says nothing where nothing is to be waited for', () => {
    expect(describeState({ name: 'integrated', integrationId: 'a' }, () => 0)).toBeUndefined();
  });
});
