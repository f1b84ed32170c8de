import { describe, expect, it } from 'vitest';
import { describeDiscoveryStep, describeMethod, describeState } from '../../../../../main/cli/output/describe-step.ts';

describe('describeDiscoveryStep', () => {
  it.each([
    [
      { step: 'probe', url: 'https://mcp.example/mcp?key=1', outcome: 'started' },
      undefined,
      'Asking the server · mcp.example',
    ],
    [
      { step: 'probe', url: 'https://mcp.example/mcp', status: 401, outcome: 'found' },
      'done',
      'The server answers · mcp.example (401)',
    ],
    [
      { step: 'resource-metadata', url: 'https://mcp.example/.well-known/x', status: 404, outcome: 'not-found' },
      'note',
      'Nothing there about where to sign in · mcp.example (404)',
    ],
    [
      {
        step: 'authorization-server-metadata',
        url: 'https://xn--e1awd7f.example',
        code: 'JSON_INVALID',
        outcome: 'failed',
      },
      'failed',
      'How to sign in could not be read · xn--e1awd7f.example (JSON_INVALID)',
    ],
    [
      { step: 'probe', url: 'https://mcp.example/mcp', status: 200, outcome: 'not-found' },
      'note',
      'The server answers and names no sign-in · mcp.example (200)',
    ],
    [
      { step: 'probe', url: 'https://mcp.example/mcp', code: 'CONNECT_FAIL', outcome: 'failed' },
      'failed',
      'The server gave no usable answer · mcp.example (CONNECT_FAIL)',
    ],
  ] as const)('says %j', (step, mark, text) => {
    expect(describeDiscoveryStep(step)).toEqual(mark ? { mark, text } : { text });
  });
});

describe('describeMethod', () => {
  it.each([
    [{ method: 'NoAuth', reason: 'ASM_MISSING' }, 'No sign-in found (ASM_MISSING)'],
    [{ method: 'NoAuth', reason: 'PRM_MISSING' }, 'No sign-in found (PRM_MISSING)'],
    [
      { method: 'NoAuth', reason: 'PRM_MISSING', probeStatus: 200 },
      'No sign-in found (PRM_MISSING): it answers without one (200)',
    ],
    [
      { method: 'NoAuth', reason: 'PRM_MISSING', probeStatus: 401, refusedStatus: 401 },
      'It asks for a sign-in (it answered 401) and says nowhere how (PRM_MISSING)',
    ],
    [
      { method: 'NoAuth', reason: 'CONNECT_FAIL', probeStatus: 200, refusedStatus: 401 },
      'It asks for a sign-in (it answered 401), and how could not be read (CONNECT_FAIL)',
    ],
    [{ method: 'NoAuth', reason: 'CONNECT_FAIL' }, 'Whether and how to sign in could not be read (CONNECT_FAIL)'],
    [{ method: 'OAuth', issuerKey: 'https://l.example' }, 'Signs in at l.example, with an app that you create there'],
    [
      { method: 'OAuthWithDCR', issuerKey: 'https://l.example' },
      'Signs in at l.example; Postern registers itself there',
    ],
  ] as const)('says %j', (discovery, text) => {
    expect(describeMethod(discovery)).toBe(text);
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
