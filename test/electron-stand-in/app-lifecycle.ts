import type * as Electron from 'electron';
import { appEvents } from './app-events.ts';
import { StandInBaseWindow } from './base-window.ts';
import { killBrowser } from './browser.ts';
import { createEvent } from './electron-event.ts';
import { strictEmitter } from './not-emulated.ts';
import { closeSchemeRegistration } from './protocol.ts';
import { SingleInstance } from './single-instance.ts';

type Emulated = 'exit' | 'hasSingleInstanceLock' | 'isReady' | 'quit' | 'requestSingleInstanceLock' | 'whenReady';

/** Startup, single instance and exit of an app. */
export abstract class AppLifecycle extends strictEmitter('app', appEvents) implements Pick<Electron.App, Emulated> {
  readonly #instance = new SingleInstance();
  readonly #ready = Promise.withResolvers<void>();
  #isReady = false;
  #isQuitting = false;

  abstract getPath(name: 'userData'): string;

  /** For the stand-in itself: the app's entry was evaluated and Chromium is running. */
  standInStart(): void {
    closeSchemeRegistration();
    this.#isReady = true;
    this.emit('will-finish-launching');
    this.emit('ready', createEvent(), {});
    this.#ready.resolve();
  }

  whenReady(): Promise<void> {
    return this.#ready.promise;
  }

  isReady(): boolean {
    return this.#isReady;
  }

  requestSingleInstanceLock(additionalData?: Record<string, unknown>): boolean {
    const mine = { argv: process.argv, workingDirectory: process.cwd(), additionalData: additionalData ?? null };
    return this.#instance.request(this.getPath('userData'), mine, ({ argv, workingDirectory, additionalData: data }) =>
      this.emit('second-instance', createEvent(), argv, workingDirectory, data),
    );
  }

  hasSingleInstanceLock(): boolean {
    return this.#instance.isHeld;
  }

  quit(): void {
    if (this.#isQuitting) return;
    this.#isQuitting = true;
    const event = createEvent();
    this.emit('before-quit', event);
    if (event.defaultPrevented) {
      this.#isQuitting = false;
      return;
    }
    const windows = StandInBaseWindow.getAllWindows();
    if (windows.length === 0) this.#finishQuit();
    for (const window of windows) {
      // A window that stays keeps the app running.
      window.once('close', (close: { readonly defaultPrevented: boolean }) =>
        setImmediate(() => {
          if (close.defaultPrevented) this.#isQuitting = false;
        }),
      );
      window.close();
    }
  }

  exit(exitCode = 0): void {
    for (const window of StandInBaseWindow.getAllWindows()) window.destroy();
    this.#end(exitCode);
  }

  /** For the stand-in itself. */
  standInAllWindowsClosed(): void {
    if (this.#isQuitting) this.#finishQuit();
    else if (this.listenerCount('window-all-closed') === 0) this.quit();
    else this.emit('window-all-closed');
  }

  #finishQuit(): void {
    const event = createEvent();
    this.emit('will-quit', event);
    if (event.defaultPrevented) this.#isQuitting = false;
    else this.#end(0);
  }

  #end(exitCode: number): void {
    this.emit('quit', createEvent(), exitCode);
    this.#instance.release();
    killBrowser();
    process.exit(exitCode);
  }
}
