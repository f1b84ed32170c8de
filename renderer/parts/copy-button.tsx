import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { words } from '../words.ts';
import { Button } from './button.tsx';

interface CopyButtonProps {
  /** Where several stand near each other. */
  readonly label?: string;
  /** Main copies; resolves to whether it did. */
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
