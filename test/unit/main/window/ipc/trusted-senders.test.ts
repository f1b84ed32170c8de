import { describe, expect, it } from 'vitest';
import { TrustedSenders } from '../../../../../main/window/ipc/trusted-senders.ts';

const mainFrame = { url: 'app://postern/index.html' };

function eventOf(id: number, url = mainFrame.url, frame: object | null = mainFrame) {
  const senderFrame = frame === mainFrame ? mainFrame : frame && { url };
  return { sender: { id, mainFrame: url === mainFrame.url ? mainFrame : senderFrame }, senderFrame };
}

describe('TrustedSenders', () => {
  const senders = new TrustedSenders('app://postern');
  senders.add(1);

  it('knows the window that was put on the list, and calls it by a name of its own', () => {
    expect(senders.surfaceOf(eventOf(1))).toBe('window-1');
  });

  it('refuses other windows, such as a sign-in popup, whatever they show (Electron security list 17)', () => {
    expect(senders.surfaceOf(eventOf(2))).toBeUndefined();
  });

  it('refuses frames inside the window, and one that is gone', () => {
    expect(senders.surfaceOf(eventOf(1, mainFrame.url, {}))).toBeUndefined();
    expect(senders.surfaceOf(eventOf(1, mainFrame.url, null))).toBeUndefined();
  });

  it.each([
    'https://example.com/',
    'app://postern.example.com/',
    'app://posternx/index.html',
    'file:///index.html',
    'about:blank',
    '',
  ])('refuses the window when it shows %j', (url) => {
    expect(senders.surfaceOf(eventOf(1, url, {}))).toBeUndefined();
  });

  it('forgets a window that has closed', () => {
    const closing = new TrustedSenders('app://postern');
    closing.add(1);
    closing.remove(1);
    expect(closing.surfaceOf(eventOf(1))).toBeUndefined();
  });
});
