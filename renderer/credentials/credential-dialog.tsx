import { useId, useState } from 'react';
import type { FormEvent } from 'react';
import type { ConnectionView, CredentialsView } from '../../shared/connection-view.ts';
import { describeNextStep } from '../errors/describe-next-step.ts';
import { Button } from '../parts/button.tsx';
import { CopyLine } from '../parts/copy-line.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Notice } from '../parts/notice.tsx';
import { ScopeChips } from '../parts/chips.tsx';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { words } from '../words.ts';
import { AdvancedPart } from './advanced-part.tsx';
import { startingValues, submission } from './credential-values.ts';
import type { CredentialValues } from './credential-values.ts';
import { CredentialStep } from './credential-step.tsx';
import { placeOf } from './error-place.ts';
import { IdAndSecret } from './id-and-secret.tsx';
import './credential-dialog.css';

interface CredentialDialogProps {
  readonly connection: ConnectionView;
  readonly request: CredentialsView;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Spec 2.11, in the order in which a person works: what to enter there, what to allow there, what to bring back. */
export function CredentialDialog({ connection, request, open, onClose }: CredentialDialogProps) {
  const formId = useId();
  const [values, setValues] = useState(() => startingValues(request, connection.options));
  const [isIncomplete, setIncomplete] = useState(false);
  const call = useCall<null>();
  const change = (changed: Partial<CredentialValues>): void => setValues((before) => ({ ...before, ...changed }));
  const { id } = connection;
  const error = call.error ?? request.error;
  const place = error && placeOf(error);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setIncomplete(values.clientId.trim() === '');
    if (values.clientId.trim() === '') return;
    const input = submission(id, values, request);
    // The secret is main's from here on.
    change({ clientSecret: '' });
    void call.run(() => postern.connection.submitCredentials(input));
  };

  return (
    <Dialog
      open={open}
      wide
      title={
        request.earlier ? words.credentials.again(request.issuerHost) : words.credentials.title(request.issuerHost)
      }
      description={request.earlier || request.canTryAgain ? undefined : words.credentials.description}
      onClose={onClose}
      footer={
        <>
          {request.canTryAgain && (
            <Button className="first" onClick={() => void call.run(() => postern.connection.tryAgain({ id }))}>
              {words.credentials.tryAgain}
            </Button>
          )}
          <Button onClick={onClose}>{words.common.cancel}</Button>
          <Button kind="primary" type="submit" form={formId} busy={call.busy}>
            {request.earlier ? words.credentials.submitAgain : words.credentials.submit}
          </Button>
        </>
      }
    >
      {error && place !== 'clientId' && (
        <Notice tone="stop" urgent title={error.message}>
          <p>{request.canTryAgain ? words.credentials.tryAgainHint : describeNextStep(error)}</p>
        </Notice>
      )}
      <form id={formId} className="credential-steps" onSubmit={submit}>
        <p className="credential-server soft">
          {words.credentials.server} <span className="mono">{request.serverUrl}</span>
        </p>
        <CredentialStep title={words.credentials.stepCallback}>
          <CopyLine
            label={words.credentials.callbackLabel}
            value={request.callbackUrl}
            onCopy={async () => (await postern.app.copy({ kind: 'callbackUrl', id })).ok}
          />
          <p className="field-hint">{words.credentials.callbackHint}</p>
        </CredentialStep>
        <CredentialStep title={words.credentials.stepScopes}>
          {request.scopes.length + request.otherScopes.length > 0 ? (
            <>
              <ScopeChips
                label={words.credentials.stepScopes}
                offered={[...request.scopes, ...request.otherScopes]}
                chosen={values.scopes}
                onChange={(scopes) => change({ scopes })}
              />
              <p className="field-hint">{words.credentials.scopesHint}</p>
            </>
          ) : (
            <p className="field-hint">{words.credentials.noScopes}</p>
          )}
        </CredentialStep>
        <CredentialStep title={words.credentials.stepCredentials}>
          <IdAndSecret
            values={values}
            onChange={change}
            secretKept={request.earlier?.secretKept ?? false}
            error={isIncomplete ? words.credentials.clientIdMissing : place === 'clientId' ? error?.message : undefined}
            hint={place === 'clientId' && error ? describeNextStep(error) : undefined}
          />
          <AdvancedPart values={values} onChange={change} forceOpen={place === 'advanced'} />
        </CredentialStep>
      </form>
    </Dialog>
  );
}
