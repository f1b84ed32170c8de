import { describe, expect, it } from 'vitest';
import { defaultSignInWay } from '../../../../../main/cli/asking/cli-interaction.ts';

describe('defaultSignInWay', () => {
  it.each([
    ['linux', {}, 'print'],
    ['linux', { DISPLAY: '', WAYLAND_DISPLAY: '' }, 'print'],
    ['linux', { DISPLAY: ':0' }, 'browser'],
    ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, 'browser'],
    ['linux', { BROWSER: 'firefox' }, 'browser'],
    ['darwin', {}, 'browser'],
    ['win32', {}, 'browser'],
  ] as const)('on %s with %j is %s', (platform, env, way) => {
    expect(defaultSignInWay(env, platform)).toBe(way);
  });
});
