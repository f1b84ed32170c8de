import { ExternalLink } from 'lucide-react';
import type { KnownServer } from '../../shared/known-servers/known-server.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';

interface OpenPageProps {
  readonly server: KnownServer;
  /** Main knows the address. */
  readonly page: 'home' | 'app' | 'key';
  readonly label: string;
}

/** Opens a page of the service in the person's browser. */
export function OpenPage({ server: { name }, page, label }: OpenPageProps) {
  const call = useCall<null>();
  return (
    <>
      <Button
        icon={ExternalLink}
        busy={call.busy}
        onClick={() => void call.run(() => postern.app.openPage({ service: name, page }))}
      >
        {label}
      </Button>
      {call.error && <ErrorNotice error={call.error} />}
    </>
  );
}
