import { X } from 'lucide-react';
import { Dialog as Primitive } from 'radix-ui';
import { useRef } from 'react';
import type { ReactNode } from 'react';
import { words } from '../words.ts';
import { IconButton } from './icon-button.tsx';
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
  /** Nothing in it takes the focus, so that the text itself does: the keyboard can scroll it then. */
  readonly isText?: boolean;
}

/**
 * Focus stays inside and goes back to where it was, Esc closes. The scrim is ours: the library's own overlay locks
 * scrolling with a style element, which our content security policy refuses (and nothing behind a dialog scrolls here).
 */
export function Dialog({
  open,
  title,
  description,
  onClose,
  children,
  footer,
  wide = false,
  isText = false,
}: DialogProps) {
  const cameFrom = useRef<Element | null>(null);
  return (
    <Primitive.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Primitive.Portal>
        <div className="scrim">
          <Primitive.Content
            className={`dialog${wide ? ' wide' : ''}`}
            {...(!description && { 'aria-describedby': undefined })}
            onOpenAutoFocus={(event) => {
              cameFrom.current = document.activeElement;
              focusFault(event);
            }}
            onCloseAutoFocus={(event) => {
              // The library gives it back to a trigger of its own alone, and to nobody where there is none.
              event.preventDefault();
              if (cameFrom.current instanceof HTMLElement) cameFrom.current.focus();
            }}
            onPointerDownOutside={(event) => event.preventDefault()}
          >
            <header className="dialog-head">
              <Primitive.Title>{title}</Primitive.Title>
              {description && (
                <Primitive.Description className="soft" asChild>
                  <div>{description}</div>
                </Primitive.Description>
              )}
            </header>
            {children && (
              <div className="dialog-body" {...(isText && { tabIndex: 0, role: 'group', 'aria-label': title })}>
                {children}
              </div>
            )}
            {footer && <footer className="dialog-foot">{footer}</footer>}
            <Primitive.Close asChild>
              <IconButton icon={X} label={words.common.close} className="dialog-close" />
            </Primitive.Close>
          </Primitive.Content>
        </div>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/** A field that is wrong comes before the first one. */
function focusFault(event: Event): void {
  const fault = (event.currentTarget as HTMLElement | null)?.querySelector<HTMLElement>('[aria-invalid="true"]');
  if (!fault) return;
  event.preventDefault();
  fault.focus();
}
