import { Check, Copy } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useState } from 'react';
import type { ComponentProps, ReactNode } from 'react';
import { words } from '../words.ts';
import './button.css';
import { HostName } from './facts.tsx';

interface ButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  readonly children: ReactNode;
  /** At most one primary button per view: what most people want next. */
  readonly kind?: 'primary' | 'plain' | 'quiet' | 'danger';
  readonly icon?: LucideIcon | undefined;
  /** Shows progress and ignores further clicks. */
  readonly busy?: boolean;
}

export function Button({ children, kind = 'plain', icon: Icon, busy = false, className, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`button ${kind}${className ? ` ${className}` : ''}`}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest['aria-disabled']}
      onClick={busy ? undefined : rest.onClick}
    >
      {busy ? <span className="spinner" aria-hidden="true" /> : Icon && <Icon aria-hidden="true" size={15} />}
      <span>{children}</span>
    </button>
  );
}

interface IconButtonProps extends ComponentProps<'button'> {
  readonly icon: LucideIcon;
  /** Accessible name and tooltip. */
  readonly label: string;
}

export function IconButton({ icon: Icon, label, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={`icon-button${className ? ` ${className}` : ''}`}
    >
      <Icon aria-hidden="true" size={16} />
    </button>
  );
}

interface CopyButtonProps {
  /** For several copy buttons near each other. */
  readonly label?: string;
  /** Main writes the clipboard; resolves to whether that worked. */
  readonly onCopy: () => Promise<boolean>;
}

export function CopyButton({ label = words.common.copy, onCopy }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  return (
    <>
      <Button
        icon={copied ? Check : Copy}
        onClick={() => void onCopy().then(setCopied)}
        onBlur={() => setCopied(false)}
      >
        {copied ? words.common.copied : label}
      </Button>
      <span className="hidden" role="status">
        {copied ? words.common.copied : ''}
      </span>
    </>
  );
}

interface CopyLineProps {
  readonly label: string;
  readonly value: string;
  /** Main writes the clipboard; resolves to whether that worked. */
  readonly onCopy: () => Promise<boolean>;
}

export function CopyLine({ label, value, onCopy }: CopyLineProps) {
  return (
    <div className="copy-line" role="group" aria-label={label}>
      <code>
        <HostName>{value}</HostName>
      </code>
      <CopyButton onCopy={onCopy} />
    </div>
  );
}
