import { describe, expect, it } from 'vitest';
import { createTestDesktop } from '../support/test-desktop.ts';

describe('the pages of services that the window opens', () => {
  it('are only those of the catalog, whatever a page in the window requests (IP-04)', async () => {
    const opened: string[] = [];
    const desktop = await createTestDesktop({ onPage: (url) => void opened.push(url) });
    await desktop.call('desktop:openPage', { service: 'GitHub', page: 'oauthApp' });
    await desktop.call('desktop:openPage', { service: 'GitHub', page: 'key' });
    expect(opened).toEqual([
      'https://github.com/settings/applications/new',
      'https://github.com/settings/personal-access-tokens/new',
    ]);
    for (const service of ['https://evil.example/', '__proto__', 'github', '', 'Linear']) {
      expect(await desktop.callFailing('desktop:openPage', { service, page: 'oauthApp' })).toMatchObject({
        code: 'NOT_FOUND',
      });
    }
    expect(opened).toHaveLength(2);
  });
});
