import { describe, expect, it } from 'vitest';
import { Flow } from '../../../../../main/engine/sign-in/flow.ts';
import type { SignInEvent } from '../../../../../main/engine/sign-in/sign-in-interaction.ts';
import { PosternError } from '../../../../../main/errors/postern-error.ts';
import type { Discovery } from '../../../../../main/oauth/discovery/discovery.ts';

function begin() {
  const events: SignInEvent[] = [];
  const ignored: unknown[] = [];
  const interaction = { onEvent: (event: SignInEvent) => void events.push(event) };
  const flow = new Flow({ write: (_name, facts) => void ignored.push(facts) });
  flow.begin(interaction);
  return { flow, events, ignored, interaction };
}

const discoveryAt = (issuer: string) => ({ method: 'OAuth', issuerKey: issuer }) as Discovery;
const refused = new PosternError('TOKEN_ERROR', { stage: 'token' });

describe('Flow', () => {
  it('ends an attempt once with its error, however often that is reported', () => {
    const { flow, events, ignored } = begin();
    const { signal } = new AbortController();
    expect(flow.end(refused, signal)).toBe(refused);
    expect(flow.end(refused, signal)).toBe(refused);
    expect(flow.state).toMatchObject({ name: 'failed', error: refused });
    expect(events).toHaveLength(1);
    expect(ignored).toEqual([]);
  });

  it.each([
    ['a cancellation', new PosternError('USER_CANCELLED', { stage: 'discovery' }), new AbortController().signal],
    ['an aborted wait', refused, AbortSignal.abort()],
  ])('returns to the address after %s by the user', (_what, error, signal) => {
    const { flow, events } = begin();
    const end = flow.end(error, signal);
    expect(end).toMatchObject({ code: 'USER_CANCELLED', stage: 'authorization', cause: error });
    expect(flow.end(end, signal)).toBe(end);
    expect(flow.state).toEqual({ name: 'urlEntered', cancelled: end });
    expect(events).toHaveLength(1);
  });

  it('remembers in which state an attempt ended', () => {
    const { flow, interaction } = begin();
    expect(flow.endedIn).toBeUndefined();
    flow.advance({ type: 'discover' });
    flow.end(refused, new AbortController().signal);
    expect(flow.endedIn).toBe('discovering');
    flow.begin(interaction);
    flow.end(refused, AbortSignal.abort());
    expect(flow.endedIn).toBe('urlEntered');
  });

  it('keeps the results for the next attempt, except the first issuer shown', () => {
    const { flow, interaction } = begin();
    flow.report({ step: 'probe', outcome: 'found' });
    flow.show({ discovery: discoveryAt('https://one.example') });
    flow.show({ discovery: discoveryAt('https://two.example') });
    expect(flow.findings).toMatchObject({
      shownInspection: { discovery: { issuerKey: 'https://two.example' } },
      firstIssuerKey: 'https://one.example',
    });
    flow.end(refused, new AbortController().signal);
    flow.begin(interaction);
    expect(flow.state).toEqual({ name: 'urlEntered' });
    expect(flow.findings).toMatchObject({
      steps: [{ step: 'probe' }],
      shownInspection: { discovery: { issuerKey: 'https://two.example' } },
    });
    expect(flow.findings.firstIssuerKey).toBeUndefined();
    flow.clear();
    expect(flow.findings).toEqual({ steps: [] });
  });

  it('starts the next attempt from the starting point until it is cleared, whatever was shown since', () => {
    const { flow, interaction } = begin();
    const rested = { discovery: discoveryAt('https://one.example') };
    const changed = { discovery: discoveryAt('https://two.example') };
    flow.advance({ type: 'discover' });
    flow.setStartingPoint(rested);
    expect(flow.state).toEqual({ name: 'discovered', method: 'OAuth' });
    flow.show(changed);
    flow.end(refused, new AbortController().signal);
    flow.begin(interaction);
    expect(flow.findings).toMatchObject({ shownInspection: changed, startingPoint: rested });
    flow.clearStartingPoint();
    expect(flow.findings.shownInspection).toBe(changed);
    expect(flow.findings.startingPoint).toBeUndefined();
  });
});
