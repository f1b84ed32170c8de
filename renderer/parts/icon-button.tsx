import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import './button.css';

interface IconButtonProps extends ComponentProps<'button'> {
  readonly icon: LucideIcon;
  /** Read out, and shown by the system when the pointer rests on it. */
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
