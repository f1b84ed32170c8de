import { describe, expect, it } from 'vitest';
import { layOutSequence } from '../../../../renderer/diagnosis/sequence-lanes.ts';
import { signIns } from '../../../renderer/answer-fixtures.ts';

describe('layOutSequence', () => {
  it('has one lane for the browser, for Postern and for each host, in order of first request', () => {
    const { lanes } = layOutSequence(signIns[0]?.entries ?? []);
    expect(lanes.map(({ kind, host }) => host ?? kind)).toEqual([
      'browser',
      'postern',
      'mcp.linear.example',
      'auth.linear.example',
    ]);
  });

  it('shows the browser opening the sign-in page and the redirect to Postern', () => {
    const { steps } = layOutSequence(signIns[0]?.entries ?? []);
    expect(steps.find(({ entry }) => entry.purpose === 'authorization')).toMatchObject({ from: 0, to: 3, back: 1 });
    expect(steps[0]).toMatchObject({ from: 1, to: 2, back: 1 });
  });

  it('has no browser lane if none was opened', () => {
    const { lanes } = layOutSequence((signIns[0]?.entries ?? []).slice(0, 3));
    expect(lanes.map(({ kind }) => kind)).toEqual(['postern', 'host', 'host']);
  });
});
