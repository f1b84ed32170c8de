import { useEffect, useState } from 'react';
import { show, useView } from '../view.ts';
import type { Dropped } from '../view.ts';

/** The most that a dropped file may hold, in bytes. */
const fileLimit = 1_048_576;

/**
 * A link or an `mcp.json` that is dropped anywhere in the window leads to the connect page. Not over a dialog, nor
 * where text is dragged within the window. Answers whether something is held over the window.
 */
export function useDrop(): boolean {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    // What is dragged from this page is not ours to take.
    let isOwn = false;
    const leave = (): void => setIsOver(false);
    const isWelcome = (event: DragEvent): boolean =>
      !isOwn && event.dataTransfer !== null && document.querySelector('dialog') === null;
    const listeners = {
      dragstart: () => void (isOwn = true),
      dragend: () => void (isOwn = false),
      dragover(event: DragEvent) {
        if (isWelcome(event)) {
          event.preventDefault();
          setIsOver(true);
        } else if (!isOwn && !isField(event.target)) {
          event.preventDefault();
          if (event.dataTransfer) event.dataTransfer.dropEffect = 'none';
        }
      },
      dragleave: (event: DragEvent) => event.relatedTarget === null && leave(),
      drop(event: DragEvent) {
        leave();
        if (isWelcome(event) && event.dataTransfer) {
          event.preventDefault();
          void take(event.dataTransfer);
        } else if (!isField(event.target)) event.preventDefault();
      },
    };
    for (const [name, listener] of Object.entries(listeners)) window.addEventListener(name, listener as EventListener);
    return () => {
      for (const [name, listener] of Object.entries(listeners)) {
        window.removeEventListener(name, listener as EventListener);
      }
    };
  }, []);
  return isOver;
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;

/** What is looked at on the connect page stays there until the drop takes its place. */
async function take(data: DataTransfer): Promise<void> {
  const { view } = useView.getState();
  const dropped = await readDropped(data);
  if (!dropped) return;
  show({ name: 'connect', dropped, ...(view.name === 'connect' && { connectionId: view.connectionId }) });
}

/** A link, an address as text, or a file such as `mcp.json`; `undefined` for anything else. */
async function readDropped(data: DataTransfer): Promise<Dropped | undefined> {
  const [file] = data.files;
  if (file !== undefined) return file.size > fileLimit ? undefined : { text: await file.text() };
  const link = data
    .getData('text/uri-list')
    .split(/\r?\n/)
    .find((line) => line !== '' && !line.startsWith('#'));
  const text = (link ?? data.getData('text/plain')).trim();
  return text === '' ? undefined : { text };
}
