/** A key as the page reports it. */
export interface KeyPress {
  readonly key: string;
  readonly code: string;
  readonly control: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
  readonly meta: boolean;
}

/** True if a key press matches an accelerator such as `CommandOrControl+Shift+N`. */
export function isAccelerator(accelerator: string, press: KeyPress, mac: boolean): boolean {
  // Keys whose Electron name differs from `KeyboardEvent.key`.
  const keyNames: Readonly<Record<string, string>> = {
    plus: '+',
    space: ' ',
    esc: 'escape',
    return: 'enter',
    up: 'arrowup',
    down: 'arrowdown',
    left: 'arrowleft',
    right: 'arrowright',
    del: 'delete',
  };
  const parts = accelerator.toLowerCase().split('+');
  // "Ctrl++" is Ctrl and +.
  const name = accelerator.endsWith('++') ? '+' : (parts.at(-1) ?? '');
  const modifiers = new Set(
    parts.slice(0, -1).map((part) => {
      if (['commandorcontrol', 'cmdorctrl'].includes(part)) return mac ? 'meta' : 'control';
      if (['command', 'cmd', 'super', 'meta'].includes(part)) return 'meta';
      if (part === 'ctrl') return 'control';
      return part === 'option' ? 'alt' : part;
    }),
  );
  const key = keyNames[name] ?? name;
  const isKey =
    press.key.toLowerCase() === key || press.code.toLowerCase() === `key${key}` || press.code === `Digit${key}`;
  // Shift that is needed to type a character ("+", "?") is not part of the accelerator.
  const shiftMatters = /^[a-z0-9]$/.test(key) || key.length > 1;
  return (
    isKey &&
    press.control === modifiers.has('control') &&
    press.alt === modifiers.has('alt') &&
    press.meta === modifiers.has('meta') &&
    (!shiftMatters || press.shift === modifiers.has('shift'))
  );
}
