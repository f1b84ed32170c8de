import { letterOf, tintOf } from './service-letter.ts';
import './service-icon.css';

interface ServiceIconProps {
  /** Of the service; the letter and the colour follow from it. */
  readonly name: string;
  readonly size?: 'small' | 'medium' | 'large';
}

/** A drawn tile with the first letter of a name, always in the same colour. Says nothing: the name stands beside it. */
export function ServiceIcon({ name, size = 'medium' }: ServiceIconProps) {
  return (
    <span className={`service-icon ${size} tint-${tintOf(name)}`} aria-hidden="true">
      {letterOf(name)}
    </span>
  );
}
