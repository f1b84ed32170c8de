import type { LucideIcon } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import './button.css';

interface ButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  readonly children: ReactNode;
  /** One primary button a view: the thing that most people want next. */
  readonly kind?: 'primary' | 'plain' | 'quiet' | 'danger';
  readonly icon?: LucideIcon | undefined;
  /** Says that the work is under way, and takes no second click. */
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
