import { describe, expect, it } from 'vitest';
import { readLoadFailure } from '../../../../../main/window/electron/popup-navigation.ts';

describe('readLoadFailure', () => {
  it('is undefined if the load was stopped or superseded', () => {
    expect(readLoadFailure(-3)).toBeUndefined();
  });

  it('maps Chromium error codes to causes that a user can act on', () => {
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

  it('maps the whole range of certificate errors, separate from other TLS errors', () => {
    expect([-200, -202, -299].map(readLoadFailure)).toEqual(Array(3).fill('certificate'));
    expect([-107, -300, -2].map(readLoadFailure)).toEqual(['encryption', 'other', 'other']);
  });
});
