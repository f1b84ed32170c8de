import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { words } from '../words.ts';
import { HostName } from './host-name.tsx';
import { Button } from './button.tsx';
import './copy-line.css';

interface CopyLineProps {
  readonly label: string;
  readonly value: string;
  /** Main copies; resolves to whether it did. */
  readonly onCopy: () => Promise<boolean>;
}

export function CopyLine({ label, value, onCopy }: CopyLineProps) {
  const [copied, setCopied] = useState(false);
  return (
    <div className="copy-line">
      <code aria-label={label}>
        <HostName>{value}</HostName>
      </code>
      <Button
        icon={copied ? Check : Copy}
        onClick={() => void onCopy().then(setCopied)}
        onBlur={() => setCopied(false)}
      >
        {copied ? words.common.copied : words.common.copy}
      </Button>
      <span className="hidden" role="status">
        {copied ? words.common.copied : ''}
      </span>
    </div>
  );
}
