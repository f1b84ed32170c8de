import { letterOf, tintOf } from './service-letter.ts';
import './service-icon.css';

interface ServiceIconProps {
  /** Determines the letter and the color. */
  readonly name: string;
  readonly size?: 'small' | 'medium' | 'large';
}

/** A tile with the first letter of a name, always in the same color. Decorative: the name is next to it. */
export function ServiceIcon({ name, size = 'medium' }: ServiceIconProps) {
  return (
    <span className={`service-icon ${size} tint-${tintOf(name)}`} aria-hidden="true">
      {letterOf(name)}
    </span>
  );
}
