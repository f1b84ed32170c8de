import { CopyButton } from './copy-button.tsx';
import { HostName } from './host-name.tsx';
import './copy-line.css';

interface CopyLineProps {
  readonly label: string;
  readonly value: string;
  /** Main copies; resolves to whether it did. */
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
