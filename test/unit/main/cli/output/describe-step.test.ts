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
  ] as const)('marks %j, and shows the host and the status', (step, mark, outcome) => {
    const described = describeDiscoveryStep(step);
    expect(described.mark).toBe(mark);
    expect(described.text).toMatch(/ mcp\.example(?: \(|$)/u);
    expect(described.text.match(/\((.*)\)$/u)?.[1]).toBe(outcome);
  });

  it('shows the host in Punycode, without path and query, which may contain a key', () => {
    const described = describeDiscoveryStep({
      step: 'probe',
      url: 'https://пример.example/a?key=canary',
      outcome: 'started',
    });
    expect(described.text).toMatch(/ xn--e1afmkfd\.example$/u);
  });

  it('describes each step and each outcome differently', () => {
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
  ] as const)('explains why there is no sign-in, and which status the server returned: %j', (found) => {
    const described = describeMethod({ method: 'NoAuth', ...found });
    expect(described).toContain(`(${found.reason})`);
    const answered = 'refusedStatus' in found ? found.refusedStatus : 'probeStatus' in found ? found.probeStatus : '';
    expect(described.match(/\d+/u)?.[0] ?? '').toBe(String(answered));
  });

  it('distinguishes a server without sign-in, one that requires it and unreadable metadata', () => {
    const situations = ['PRM_MISSING', 'CONNECT_FAIL'] as const;
    const described = situations.flatMap((reason) => [
      describeMethod({ method: 'NoAuth', reason }),
      describeMethod({ method: 'NoAuth', reason, probeStatus: 401 }),
      describeMethod({ method: 'NoAuth', reason, refusedStatus: 401 }),
    ]);
    const sentences = described.map((sentence) => sentence.replace(/PRM_MISSING|CONNECT_FAIL/u, ''));
    expect(new Set(sentences).size).toBe(described.length);
  });

  it('names the sign-in host and the kind of client registration (RFC 7591)', () => {
    const methods = ['OAuth', 'OAuthWithDCR', 'OAuthWithCIMD'] as const;
    const described = methods.map((method) => describeMethod({ method, issuerKey: 'https://l.example' }));
    for (const sentence of described) expect(sentence).toContain(' l.example');
    expect(new Set(described).size).toBe(methods.length);
  });
});

describe('describeState', () => {
  it('counts down while it waits for the user', () => {
    let now = 0;
    const text = describeState({ name: 'authorizationPending', expiresAt: 600_000 }, () => now);
    if (typeof text !== 'function') throw new Error('does not count');
    expect(text()).toContain('10:00');
    now = 535_500;
    expect(text()).toContain('1:05');
    now = 700_000;
    expect(text()).toContain('0:00');
  });

  it('is undefined if there is nothing to wait for', () => {
    expect(describeState({ name: 'integrated', integrationId: 'a' }, () => 0)).toBeUndefined();
  });
});
