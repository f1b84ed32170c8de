import { useState } from 'react';
import type { ConnectionView, CredentialsView } from '../../shared/connection-view.ts';
import type { PlainError } from '../../shared/error-codes.ts';
import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/notice.tsx';
import { postern } from '../postern.ts';
import { words } from '../words.ts';
import { CredentialDialog } from './credential-dialog.tsx';
import { describeRetry } from './credential-notice.tsx';

interface CredentialsPartProps {
  readonly connection: ConnectionView;
  readonly request: CredentialsView;
  /** Why it is asked. */
  readonly error: PlainError | undefined;
}

/** The dialog opens by itself; closing it ends nothing, since the person may have to look something up first. */
export function CredentialsPart({ connection, request, error }: CredentialsPartProps) {
  const [open, setOpen] = useState(true);
  // What failed needs no client of the user: they may only go on with one of their own.
  const failed = request.tryAgain && error;
  return (
    <>
      <div data-at-work="">
        <Notice
          tone="ask"
          title={failed ? words.errors.message(failed) : words.connect.credentialsWait(request.issuerHost)}
          actions={
            <>
              {failed && (
                <Button kind="primary" onClick={() => void postern.connection.tryAgain({ id: connection.id })}>
                  {words.credentials.tryAgain}
                </Button>
              )}
              <Button kind={failed ? 'plain' : 'primary'} onClick={() => setOpen(true)}>
                {words.connect.start.needsApp}
              </Button>
              <Button kind="quiet" onClick={() => void postern.connection.cancel({ id: connection.id })}>
                {words.connect.discard}
              </Button>
            </>
          }
        >
          {request.tryAgain && failed && <p>{describeRetry(request.tryAgain)}</p>}
          {error && !failed && (
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
