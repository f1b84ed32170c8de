import { describe, expect, it } from 'vitest';
import { needsPerson } from '../../../shared/status-words.ts';
import { someIntegrations } from '../../renderer/list-fixtures.ts';

describe('needsPerson', () => {
  it('leaves out what mends itself', () => {
    const needing = someIntegrations().filter(needsPerson);
    expect(needing.map(({ status }) => status.name).toSorted()).toEqual([
      'needsAccess',
      'signIn',
      'signInAgain',
      'storageProblem',
    ]);
  });
});
