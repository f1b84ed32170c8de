import { useEffect, useState } from 'react';
import { readDropped } from '../connect/read-dropped.ts';
import { show, useView } from '../view.ts';

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
      !isOwn && event.dataTransfer !== null && document.querySelector('[role=dialog]') === null;
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
