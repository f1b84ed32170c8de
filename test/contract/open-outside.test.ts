import { beforeEach, describe, expect, it, vi } from 'vitest';
import { browserAddress } from '../../main/address/check-address.ts';

const openExternal = vi.fn<(url: string) => Promise<void>>();
vi.mock('electron', () => ({ shell: { openExternal: (url: string) => openExternal(url) } }));
const { openInBrowser } = await import('../../main/window/electron/guard-contents.ts');

beforeEach(() => void openExternal.mockReset());

describe('links that the window opens outside', () => {
  it('open a page on the web, and one on this computer', async () => {
    for (const address of ['https://as.example/authorize?state=1', 'http://127.0.0.1:4711/go/word']) {
      await openInBrowser(browserAddress(address));
      expect(openExternal).toHaveBeenLastCalledWith(address);
    }
  });

  it('are reported if too long for Windows, where Electron refuses them', async () => {
    // As on Windows (electron_api_shell, platform_util_win): above 2,081 characters nothing is opened.
    openExternal.mockImplementation(async (url) => {
      if (url.length > 2_081) throw new Error('Invalid URL');
    });
    const ofLength = (length: number) => browserAddress('https://as.example/'.padEnd(length, 'x'));
    await openInBrowser(ofLength(2_081));
    await expect(openInBrowser(ofLength(2_082))).rejects.toMatchObject({ code: 'BROWSER_OPEN_FAILED' });
  });

  it('are not revealed if the system cannot open them', async () => {
    openExternal.mockRejectedValue(new Error('cannot open https://as.example/authorize?state=canary'));
    const address = browserAddress('https://as.example/authorize?state=canary');
    const error = await openInBrowser(address).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'BROWSER_OPEN_FAILED' });
    expect(JSON.stringify(error, ['code', 'message', 'cause', 'detail', 'reason'])).not.toContain('canary');
  });
});
