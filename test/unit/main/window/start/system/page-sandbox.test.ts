import { describe, expect, it } from 'vitest';
import { pageSandbox } from '../../../../../../main/window/start/system/page-sandbox.ts';

describe('pageSandbox', () => {
  it.each([
    [false, {}, 'on'],
    [false, { APPIMAGE: '/opt/Postern.AppImage' }, 'on'],
    [true, {}, 'off'],
    [true, { APPIMAGE: '/opt/Postern.AppImage' }, 'leftOut'],
  ])('knows who took it away (%s, %j)', (isSwitchedOff, env, sandbox) => {
    expect(pageSandbox(isSwitchedOff, env)).toBe(sandbox);
  });
});
