import { beforeEach, describe, expect, it, vi } from 'vitest';

const openExternal = vi.fn<(url: string) => Promise<void>>();
vi.mock('electron', () => ({ shell: { openExternal: (url: string) => openExternal(url) } }));
const { openInBrowser } = await import('../../main/windows/open-outside.ts');

beforeEach(() => void openExternal.mockReset());

describe('what the window opens outside', () => {
  it.each([
    'file:///etc/passwd',
    'http://as.example/authorize',
    'smb://as.example/share',
    'other-program:x',
    '/bin/sh',
  ])('opens nothing but a page that a browser may get: not %s (MD-13)', async (address) => {
    await expect(openInBrowser(address)).rejects.toThrow();
    expect(openExternal).not.toHaveBeenCalled();
  });

  it('opens a page of the web, and one of this computer', async () => {
    for (const address of ['https://as.example/authorize?state=1', 'http://127.0.0.1:4711/go/word']) {
      await openInBrowser(address);
      expect(openExternal).toHaveBeenLastCalledWith(address);
    }
  });

  it('tells nobody the address where the system cannot open it', async () => {
    openExternal.mockRejectedValue(new Error('cannot open https://as.example/authorize?state=canary'));
    const error = await openInBrowser('https://as.example/authorize?state=canary').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'BROWSER_OPEN_FAILED' });
    expect(JSON.stringify(error, ['code', 'message', 'cause', 'detail', 'reason'])).not.toContain('canary');
  });
});
