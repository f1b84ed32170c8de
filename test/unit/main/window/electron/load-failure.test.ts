import { describe, expect, it } from 'vitest';
import { readLoadFailure } from '../../../../../main/window/electron/popup-navigation.ts';

describe('what a load failed of', () => {
  it('is nothing where it was stopped, or another load came before its end', () => {
    expect(readLoadFailure(-3)).toBeUndefined();
  });

  it('is what a person can do something about, by numbers of Chromium', () => {
    expect([-105, -106, -102, -324, -118, -130, -310, -379].map(readLoadFailure)).toEqual([
      'no-such-host',
      'offline',
      'refused',
      'closed',
      'too-slow',
      'proxy',
      'redirects',
      'empty-error',
    ]);
  });

  it('is the certificate for all of its range, and told from the encryption around it', () => {
    expect([-200, -202, -299].map(readLoadFailure)).toEqual(Array(3).fill('certificate'));
    expect([-107, -300, -2].map(readLoadFailure)).toEqual(['encryption', 'other', 'other']);
  });
});
