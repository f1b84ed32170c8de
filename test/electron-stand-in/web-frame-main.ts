import type * as Electron from 'electron';
import { StandInIpcMain } from './ipc-main.ts';
import { strictEmitter } from './not-emulated.ts';

export interface FrameSource {
  readonly url: () => string;
  readonly isDestroyed: () => boolean;
  readonly send?: (channel: string, values: readonly unknown[]) => void;
  readonly evaluate?: (code: string, userGesture?: boolean) => Promise<unknown>;
}

let lastRoutingId = 0;
const frames = new Map<number, WeakRef<StandInFrame>>();

/** A frame, as in `senderFrame` and navigation events. */
export class StandInFrame
  extends strictEmitter('webFrameMain', ['dom-ready'])
  implements
    Pick<
      Electron.WebFrameMain,
      'url' | 'origin' | 'name' | 'processId' | 'routingId' | 'detached' | 'isDestroyed' | 'send' | 'executeJavaScript'
    >
{
  readonly ipc = new StandInIpcMain();
  readonly name = '';
  readonly processId = 1;
  readonly routingId: number;
  readonly frameTreeNodeId: number;
  readonly frameToken: string;
  readonly parent: StandInFrame | null;
  readonly frames: StandInFrame[] = [];
  readonly #source: FrameSource;

  constructor(source: FrameSource, parent: StandInFrame | null = null) {
    super();
    this.#source = source;
    this.parent = parent;
    lastRoutingId += 1;
    this.routingId = lastRoutingId;
    frames.set(this.routingId, new WeakRef(this));
    this.frameTreeNodeId = lastRoutingId;
    this.frameToken = `frame-${lastRoutingId}`;
  }

  static fromId(processId: number, routingId: number): StandInFrame | undefined {
    const frame = frames.get(routingId)?.deref();
    return frame?.processId === processId && !frame.isDestroyed() ? frame : undefined;
  }

  get url(): string {
    return this.#source.url();
  }

  /** The URL as Electron shows it, with the app's own schemes. */
  get origin(): string {
    const match = /^([a-z][a-z0-9+.-]*:\/\/[^/?#]*)/i.exec(this.url);
    return match && !this.url.startsWith('file:')
      ? (match[1] ?? 'null')
      : this.url.startsWith('file:')
        ? 'file://'
        : 'null';
  }

  get top(): StandInFrame {
    return this.parent?.top ?? this;
  }

  get detached(): boolean {
    return this.#source.isDestroyed();
  }

  isDestroyed(): boolean {
    return this.#source.isDestroyed();
  }

  send(channel: string, ...values: unknown[]): void {
    this.#source.send?.(channel, values);
  }

  executeJavaScript(code: string, userGesture?: boolean): Promise<unknown> {
    if (!this.#source.evaluate) return Promise.reject(new Error('not emulated: executeJavaScript in a subframe'));
    return this.#source.evaluate(code, userGesture);
  }
}
