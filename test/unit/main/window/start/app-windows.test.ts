import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PosternWindows } from '../../../../../main/window/start/app-windows.ts';
import type { PosternLink } from '../../../../../shared/ipc-event.ts';
import { anApproval } from '../../../../renderer/app-fixtures.ts';

/** A fake of Electron's BrowserWindow. */
class FakeWindow extends EventEmitter {
  readonly webContents = Object.assign(new EventEmitter(), { id: 1, send: (): void => {}, isDestroyed: () => false });
  readonly hide = vi.fn<() => void>();
  readonly focus = vi.fn<() => void>();
  readonly show = vi.fn<() => void>();
  readonly flashFrame = vi.fn<(on: boolean) => void>();
  isMinimized = () => false;
  isFocused = () => false;
}

const system = vi.hoisted(() => ({ all: [] as unknown[] }));
vi.mock('electron', () => ({
  app: { isPackaged: true },
  BaseWindow: { getAllWindows: () => system.all },
  Menu: { buildFromTemplate: () => {}, setApplicationMenu: () => {} },
  nativeTheme: {},
}));
vi.mock('../../../../../main/window/electron/main-window.ts', () => ({
  createMainWindow: () => {
    const window = new FakeWindow();
    system.all.push(window);
    return window;
  },
}));

const connect: PosternLink = { kind: 'connect', url: 'https://a.example/mcp' };

function openWindows(): { readonly windows: PosternWindows; readonly window: FakeWindow } {
  const noop = (): void => {};
  const windows = new PosternWindows({
    bundles: '',
    sealed: Promise.resolve(),
    bounds: () => undefined,
    onBounds: noop,
    onClosed: noop,
    onHidden: noop,
    onBlocked: noop,
  });
  windows.show();
  windows.onInteractive();
  return { windows, window: windows.current as unknown as FakeWindow };
}

/** Has the page object to being unloaded; returns whether it is unloaded anyway. */
function object({ webContents }: FakeWindow): boolean {
  const preventDefault = vi.fn<() => void>();
  webContents.emit('will-prevent-unload', { preventDefault });
  return preventDefault.mock.calls.length > 0;
}

describe('a window with unsaved input', () => {
  it('is hidden when closed, and reused when shown again', () => {
    const { windows, window } = openWindows();
    window.emit('close');
    expect(object(window)).toBe(false);
    expect(window.hide).toHaveBeenCalledOnce();
    expect(windows.current).toBeUndefined();
    windows.show();
    expect(windows.current).toBe(window);
    expect(window.show).toHaveBeenCalledOnce();
  });

  it('is reloaded if it is not being closed', () => {
    const { window } = openWindows();
    expect(object(window)).toBe(true);
    expect(window.hide).not.toHaveBeenCalled();
  });
});

describe('a link', () => {
  beforeEach(() => {
    system.all = [];
    vi.useFakeTimers();
  });
  afterEach(() => void vi.useRealTimers());

  it('brings the window to the front at most once in five seconds', () => {
    const { windows, window } = openWindows();
    for (let link = 0; link < 10; link += 1) windows.open(connect);
    expect(window.focus).toHaveBeenCalledTimes(1);
    expect(window.flashFrame).toHaveBeenCalledWith(true);
    vi.advanceTimersByTime(5_000);
    windows.open(connect);
    expect(window.focus).toHaveBeenCalledTimes(2);
    window.emit('focus');
    expect(window.flashFrame).toHaveBeenLastCalledWith(false);
  });

  it('does not take focus if it is unusable, without affecting the next link', () => {
    const { windows, window } = openWindows();
    windows.open({ kind: 'unusable' });
    expect(window.focus).not.toHaveBeenCalled();
    expect(window.flashFrame).toHaveBeenCalledWith(true);
    windows.open(connect);
    expect(window.focus).toHaveBeenCalledTimes(1);
  });

  it('does not take focus from a sign-in window', () => {
    const { windows, window } = openWindows();
    system.all.push({});
    windows.open(connect);
    expect(window.focus).not.toHaveBeenCalled();
    system.all.pop();
    windows.open(connect);
    expect(window.focus).toHaveBeenCalledTimes(1);
  });

  it('does not take focus while an app waits for a decision', () => {
    const { windows, window } = openWindows();
    windows.send({ event: 'snapshot', slices: { approvals: [anApproval()] } });
    windows.open(connect);
    expect(window.focus).not.toHaveBeenCalled();
    windows.send({ event: 'snapshot', slices: { approvals: [] } });
    windows.open(connect);
    expect(window.focus).toHaveBeenCalledTimes(1);
  });
});
