import { X } from 'lucide-react';
import { useEffect, useId, useLayoutEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { words } from '../words.ts';
import { IconButton } from './button.tsx';
import './dialog.css';

interface DialogProps {
  readonly open: boolean;
  readonly title: string;
  /** One sentence under the title; read out with it. */
  readonly description?: ReactNode;
  readonly onClose: () => void;
  readonly children?: ReactNode;
  readonly footer?: ReactNode;
  readonly wide?: boolean;
  /** It is read first: no part has the focus when it comes, and the first to take it is the text, which scrolls then. */
  readonly isText?: boolean;
}

/** The browser keeps the focus inside, makes the rest inert and lays it above all; it is in the page only while open. */
export function Dialog({ open, ...shown }: DialogProps) {
  return open && createPortal(<OpenDialog {...shown} />, document.body);
}

function OpenDialog({
  title,
  description,
  onClose,
  children,
  footer,
  wide = false,
  isText = false,
}: Omit<DialogProps, 'open'>) {
  const id = useId();
  const ref = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    const first = document.activeElement;
    // A field that is wrong comes before the first one.
    const wrong = dialog?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (wrong) wrong.focus();
    else if (isText) dialog?.focus();
    else if (first instanceof HTMLInputElement) first.select();
    // While it still stands, since only then does the browser give the focus back.
    return () => dialog?.close();
  }, [isText]);
  useEffect(() => {
    // Wherever the focus is. Whether it closes is decided by whoever shows it; the one behind hears nothing of it.
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented || topDialog() !== ref.current) return;
      event.preventDefault();
      onClose();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [onClose]);
  return (
    <dialog
      ref={ref}
      className={`dialog${wide ? ' wide' : ''}`}
      closedby="none"
      // A press on its text leaves the focus in it.
      tabIndex={-1}
      aria-labelledby={`${id}title`}
      aria-describedby={description ? `${id}text` : undefined}
    >
      <header className="dialog-head">
        <h2 id={`${id}title`}>{title}</h2>
        {description && (
          <div id={`${id}text`} className="soft">
            {description}
          </div>
        )}
      </header>
      {children && (
        <div className="dialog-body" {...(isText && { tabIndex: 0, role: 'group', 'aria-label': title })}>
          {children}
        </div>
      )}
      {footer && <footer className="dialog-foot">{footer}</footer>}
      <IconButton icon={X} label={words.common.close} className="dialog-close" onClick={onClose} />
    </dialog>
  );
}

/** They stand in the page in the order in which they were opened. */
const topDialog = (): Element | undefined => [...document.querySelectorAll('dialog')].at(-1);
