import { describe, expect, it } from 'vitest';
import { isAccelerator } from '../../../electron-stand-in/world/is-accelerator.ts';
import type { KeyPress } from '../../../electron-stand-in/world/is-accelerator.ts';

const press = (key: string, held: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code: /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : '',
  control: false,
  alt: false,
  shift: false,
  meta: false,
  ...held,
});

describe('isAccelerator', () => {
  it.each([
    ['CmdOrCtrl+N', press('n', { control: true }), false, true],
    ['CommandOrControl+N', press('n', { meta: true }), true, true],
    ['CmdOrCtrl+N', press('n', { control: true }), true, false],
    ['CmdOrCtrl+N', press('n', { meta: true }), false, false],
    ['CmdOrCtrl+N', press('N', { control: true, shift: true }), false, false],
    ['CmdOrCtrl+Shift+N', press('N', { control: true, shift: true }), false, true],
    ['CmdOrCtrl+N', press('т', { code: 'KeyN', control: true }), false, true],
    ['Ctrl+,', press(',', { control: true }), false, true],
    ['Ctrl+Plus', press('+', { control: true, shift: true }), false, true],
    ['Ctrl++', press('+', { control: true }), false, true],
    ['Alt+Left', press('ArrowLeft', { alt: true }), false, true],
    ['Alt+Left', press('ArrowLeft'), false, false],
    ['F11', press('F11'), false, true],
    ['F11', press('F1'), false, false],
    ['Esc', press('Escape'), false, true],
    ['Ctrl+1', press('!', { code: 'Digit1', control: true }), false, true],
  ])('%s is %o (mac: %s): %s', (accelerator, key, mac, expected) => {
    expect(isAccelerator(accelerator, key, mac)).toBe(expected);
  });
});
