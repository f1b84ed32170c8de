import { describe, expect, it } from 'vitest';
import { crashSite } from '../../../main/crash-site.ts';

describe('crashSite', () => {
  it('names files, lines and columns, nothing of the message', () => {
    const error = new TypeError('Bearer canary\n    at canary.ts:1:1');
    expect(crashSite(error)).toMatch(/^crash-site\.test\.ts:\d+:\d+( < |$)/u);
    expect(crashSite(error)).not.toContain('canary');
  });

  it('goes to the innermost cause', () => {
    const cause = new Error('inner');
    const [site] = crashSite(cause)?.split(' < ') ?? [];
    expect(crashSite(new Error('outer', { cause }))?.startsWith(site ?? 'none')).toBe(true);
  });

  it.each([undefined, 'text', { stack: 'at x.ts:1:1' }])('knows nothing of %j', (thrown) => {
    expect(crashSite(thrown)).toBeUndefined();
  });
});
