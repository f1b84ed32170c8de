import { useState } from 'react';
import type { ConnectionView, CredentialsView } from '../../shared/connection-view.ts';
import type { PlainError } from '../../shared/error-codes.ts';
import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/notice.tsx';
import { postern } from '../postern.ts';
import { words } from '../words.ts';
import { CredentialDialog } from './credential-dialog.tsx';

interface CredentialsPartProps {
  readonly connection: ConnectionView;
  readonly request: CredentialsView;
  /** Why it is asked. */
  readonly error: PlainError | undefined;
}

/** The dialog opens by itself; closing it ends nothing, since the person may have to look something up first. */
export function CredentialsPart({ connection, request, error }: CredentialsPartProps) {
  const [open, setOpen] = useState(true);
  return (
    <>
      <div data-at-work="">
        <Notice
          tone="ask"
          title={words.connect.credentialsWait(request.issuerHost)}
          actions={
            <>
              <Button kind="primary" onClick={() => setOpen(true)}>
                {words.connect.start.needsApp}
              </Button>
              <Button kind="quiet" onClick={() => void postern.connection.cancel({ id: connection.id })}>
                {words.connect.discard}
              </Button>
            </>
          }
        >
          {error && (
            <p>
              {words.errors.message(error)} {words.errors.nextStep(error.remedy)}
            </p>
          )}
        </Notice>
      </div>
      <CredentialDialog
        connection={connection}
        request={request}
        why={error}
        open={open}
        onClose={() => setOpen(false)}
      />
    </>
  );
}
