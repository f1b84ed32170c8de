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
  /** One sentence under the title, announced with it. */
  readonly description?: ReactNode;
  readonly onClose: () => void;
  readonly children?: ReactNode;
  readonly footer?: ReactNode;
  readonly wide?: boolean;
  /** Text to be read first: nothing inside is focused on opening, and the text itself can be focused and scrolled. */
  readonly isText?: boolean;
}

/** The native modal traps focus, makes the rest inert and is on top. In the DOM only while open. */
export function Dialog({ open, ...props }: DialogProps) {
  return open && createPortal(<OpenDialog {...props} />, document.body);
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
    // An invalid field takes precedence over the first one.
    const wrong = dialog?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (wrong) wrong.focus();
    else if (isText) dialog?.focus();
    else if (first instanceof HTMLInputElement) first.select();
    // Close before it is removed: only then does the browser restore the focus.
    return () => dialog?.close();
  }, [isText]);
  useEffect(() => {
    // Works wherever the focus is. The owner decides whether to close; dialogs underneath ignore the key.
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
      // Clicking its text keeps the focus inside.
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

/** Dialogs are in the DOM in the order in which they were opened. */
const topDialog = (): Element | undefined => [...document.querySelectorAll('dialog')].at(-1);
