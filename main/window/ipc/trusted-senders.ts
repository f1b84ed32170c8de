import type { WebContents } from 'electron';
import { ipcEventChannel } from '../../../shared/ipc-channels.ts';
import type { IpcEvent } from '../../../shared/ipc-event.ts';

/** The part of an `ipcMain` event that says who speaks. */
interface SenderEvent {
  readonly sender: { readonly id: number; readonly mainFrame: unknown };
  readonly senderFrame: { readonly url: string } | null;
}

/**
 * The windows that may ask anything (Electron's security list, 17): those that were put on this list, from their main
 * frame, showing our own pages. A sign-in popup never is.
 */
export class TrustedSenders {
  readonly #ids = new Set<number>();
  readonly #origin: string;

  /** `origin` of our own pages, such as `app://postern`. */
  constructor(origin: string) {
    this.#origin = origin;
  }

  add(id: number): void {
    this.#ids.add(id);
  }

  remove(id: number): void {
    this.#ids.delete(id);
  }

  /** The name under which tickets are issued to this window; `undefined`: not trusted. */
  surfaceOf({ sender, senderFrame }: SenderEvent): string | undefined {
    if (!this.#ids.has(sender.id) || senderFrame === null || senderFrame !== sender.mainFrame) return undefined;
    // Not `origin`: that of a custom scheme is "null".
    if (senderFrame.url !== this.#origin && !senderFrame.url.startsWith(`${this.#origin}/`)) return undefined;
    return `window-${sender.id}`;
  }
}

/** The one place that speaks to a window. */
export function sendEvent(webContents: WebContents, event: IpcEvent): void {
  if (!webContents.isDestroyed()) webContents.send(ipcEventChannel, event);
}
