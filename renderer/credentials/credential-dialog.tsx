import { useId } from 'react';
import type { FormEvent, ReactNode } from 'react';
import type { ConnectionView, CredentialsView } from '../../shared/connection-view.ts';
import type { PlainError } from '../../shared/error-codes.ts';
import { useKnownServer } from '../catalogue/catalogue.ts';
import { Recipe } from '../catalogue/recipe.tsx';
import { Button } from '../parts/button.tsx';
import { ScopeChips } from '../parts/chips.tsx';
import { CopyLine } from '../parts/copy-line.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { FieldError } from '../parts/field-error.tsx';
import { postern } from '../postern.ts';
import { words } from '../words.ts';
import { AdvancedPart } from './advanced-part.tsx';
import { CredentialNotice, EndpointNotice } from './credential-notice.tsx';
import { placeOf } from './error-place.ts';
import { IdAndSecret } from './id-and-secret.tsx';
import { useCredentialForm } from './use-credential-form.ts';
import './credential-dialog.css';

interface CredentialDialogProps {
  readonly connection: ConnectionView;
  readonly request: CredentialsView;
  /** The failure that led here. */
  readonly why: PlainError | undefined;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Spec 2.11, in the order in which a person works: what to enter there, what to allow there, what to bring back. */
export function CredentialDialog({ connection, request, why, open, onClose }: CredentialDialogProps) {
  const formId = useId();
  const form = useCredentialForm(connection, request, why);
  const { values, change, error } = form;
  const { issuerHost, callbackUrl, earlier, tryAgain, canRegister } = request;
  const place = error && placeOf(error, tryAgain !== undefined);
  const known = useKnownServer(request.serverUrl);
  const isOwnApp = earlier !== undefined && !tryAgain;

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    form.submit();
  };

  return (
    <Dialog
      open={open}
      wide
      title={isOwnApp ? words.credentials.again(issuerHost) : words.credentials.title(issuerHost)}
      description={earlier || tryAgain ? undefined : describeNeed(connection)}
      onClose={onClose}
      footer={
        <>
          {(tryAgain ?? canRegister) && (
            <Button className="first" onClick={form.tryAgain}>
              {words.credentials.tryAgain}
            </Button>
          )}
          <Button onClick={onClose}>{words.credentials.later}</Button>
          <Button kind="primary" type="submit" form={formId} busy={form.busy}>
            {earlier ? words.credentials.submitAgain : words.credentials.submit}
          </Button>
        </>
      }
    >
      {error && (place === undefined || place === 'advanced') && (
        <CredentialNotice error={error} tryAgain={error === why ? tryAgain : undefined} />
      )}
      {known && <Recipe server={known} connectionId={connection.id} />}
      <form id={formId} className="credential-steps" onSubmit={submit}>
        <p className="credential-server soft">
          {words.credentials.server} <span className="address">{request.serverUrl}</span>
        </p>
        {connection.options.grant === undefined && (
          <CredentialStep title={words.credentials.stepCallback}>
            <CopyLine
              label={words.credentials.callbackLabel}
              value={callbackUrl}
              onCopy={async () => (await postern.app.copy({ kind: 'callbackUrl', id: connection.id })).ok}
            />
            <p className="field-hint">{words.credentials.callbackHint}</p>
          </CredentialStep>
        )}
        <CredentialStep title={words.credentials.stepScopes}>
          {error && place === 'scopes' && (
            <FieldError>{`${words.errors.message(error)} ${words.errors.nextStep(error.remedy)}`}</FieldError>
          )}
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
            keptFor={form.keptFor}
            error={
              form.lacksId
                ? words.credentials.clientIdMissing
                : place === 'clientId'
                  ? error && words.errors.message(error)
                  : undefined
            }
            hint={place === 'clientId' && error ? words.errors.nextStep(error.remedy) : undefined}
            pairError={
              place === 'client' && (earlier === undefined || values.clientId.trim() === earlier.clientId)
                ? {
                    message: words.credentials.unknownClient[earlier?.secretKept === false ? 'idAlone' : 'pair'],
                    hint: words.credentials.unknownClientHint,
                  }
                : undefined
            }
          />
          <AdvancedPart
            values={values}
            onChange={change}
            forceOpen={place === 'advanced' || place === 'endpoints' || place === 'scopes' || hasAdvanced(earlier)}
            endpointsInUse={connection.options.endpoints ? undefined : request.endpoints}
            mistakes={form.mistakes}
          />
          {error && place === 'endpoints' && (
            <EndpointNotice error={error} options={connection.options} onAllow={form.submit} />
          )}
        </CredentialStep>
      </form>
    </Dialog>
  );
}

/** Where nobody signs in, nothing has to be told there of a callback. */
function describeNeed({ options }: ConnectionView): string {
  return options.grant === undefined ? words.credentials.description : words.credentials.withoutPerson;
}

/** What was entered there before holds again, so that it is in sight. */
function hasAdvanced(earlier: CredentialsView['earlier']): boolean {
  return earlier?.authentication !== undefined || earlier?.secretExpiresAt !== undefined;
}

/** One of the numbered things to do; the style sheet counts. */
function CredentialStep({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId();
  return (
    <div className="credential-step" role="group" aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {children}
    </div>
  );
}
