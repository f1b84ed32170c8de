import { expect, it, vi } from 'vitest';
import { startSwitches } from '../../../main/start-switches.ts';
import { asksForBackground, backgroundSwitch } from '../../../main/window/start/system/background-start.ts';

vi.mock('electron', () => ({ app: {} }));

it('takes no word behind the first -- for a switch (IP-13)', () => {
  expect(startSwitches(['postern', '--smoke'])).toEqual(['postern', '--smoke']);
  expect(startSwitches(['postern', '--', '--smoke', '--', '--describe-guards'])).toEqual(['postern']);
});

it('starts without a window by a switch alone, and by nothing of a link (IP-13)', () => {
  expect(asksForBackground(['postern', backgroundSwitch])).toBe(true);
  expect(asksForBackground(['postern', backgroundSwitch, '--', 'postern://open/a'])).toBe(true);
  expect(asksForBackground(['postern', '--', backgroundSwitch])).toBe(false);
});
