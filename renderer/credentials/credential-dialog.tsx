import { useId, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import type { ChosenOptions, ConnectionView, CredentialsView } from '../../shared/connection-view.ts';
import type { PlainError } from '../../shared/error-codes.ts';
import { useKnownServer } from '../catalog/catalog.ts';
import { OAuthAppSteps } from '../catalog/service-details.tsx';
import { Button, CopyLine } from '../components/button.tsx';
import { CheckBox } from '../components/check-box.tsx';
import { ScopeChips } from '../components/chips.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Disclosure } from '../components/disclosure.tsx';
import { Field, FieldError, TextInput } from '../components/field.tsx';
import { Notice } from '../components/notice.tsx';
import { postern, useCall } from '../postern.ts';
import { useRetainedState } from '../use-retained-state.ts';
import { words } from '../words.ts';
import './credential-dialog.css';
import {
  ClientAuthenticationField,
  CredentialNotice,
  describeRetry,
  EndpointFields,
  EndpointNotice,
  ClientCredentialFields,
  PkceField,
  SecretExpiryField,
} from './credential-fields.tsx';
import { findEndpointMistakes, errorLocation, startingValues, buildSubmission } from './credential-values.ts';
import type { CredentialValues, EndpointMistakes } from './credential-values.ts';

interface CredentialDialogProps {
  readonly connection: ConnectionView;
  readonly request: CredentialsView;
  /** The failure that led here. */
  readonly why: PlainError | undefined;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Spec 2.11, in the order of the work: what to enter at the service, what to allow there, what to bring back. */
function CredentialDialog({ connection, request, why, open, onClose }: CredentialDialogProps) {
  const formId = useId();
  const form = useCredentialForm(connection, request, why);
  const { values, change, error } = form;
  const { issuerHost, callbackUrl, earlier, tryAgain, canRegister } = request;
  const location = error && errorLocation(error, tryAgain !== undefined);
  const known = useKnownServer(request.serverUrl);
  const isOwnOAuthApp = earlier !== undefined && !tryAgain;

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    form.submit();
  };

  return (
    <Dialog
      open={open}
      wide
      title={isOwnOAuthApp ? words.credentials.again(issuerHost) : words.credentials.title(issuerHost)}
      description={earlier || tryAgain ? undefined : describeNeed(connection)}
      onClose={onClose}
      footer={
        <>
          {(tryAgain ?? canRegister) && (
            <Button className="first" onClick={form.tryAgain}>
              {tryAgain && !earlier ? words.common.tryAgain : words.credentials.tryAgain}
            </Button>
          )}
          <Button onClick={onClose}>{words.credentials.later}</Button>
          <Button kind="primary" type="submit" form={formId} busy={form.busy}>
            {earlier ? words.credentials.submitAgain : words.credentials.submit}
          </Button>
        </>
      }
    >
      {error && (location === undefined || location === 'advanced') && (
        <CredentialNotice error={error} tryAgain={error === why ? tryAgain : undefined} />
      )}
      {known && <OAuthAppSteps server={known} connectionId={connection.id} />}
      <form id={formId} className="credential-steps" onSubmit={submit}>
        <p className="credential-server soft">
          {words.credentials.server} <span className="address">{request.serverUrl}</span>
        </p>
        {connection.options.grant === undefined && (
          <CredentialStep title={words.credentials.stepCallback}>
            <CopyLine
              label={words.credentials.callbackLabel}
              value={callbackUrl}
              onCopy={async () => (await postern.desktop.copy({ kind: 'callbackUrl', id: connection.id })).ok}
            />
            <p className="field-hint">{words.credentials.callbackHint}</p>
          </CredentialStep>
        )}
        <CredentialStep title={words.credentials.stepScopes}>
          {error && location === 'scopes' && (
            <FieldError>{`${words.errors.message(error)} ${words.errors.nextStep(error.remedy)}`}</FieldError>
          )}
          {request.scopes.length + request.otherScopes.length > 0 ? (
            <>
              <ScopeChips
                label={words.credentials.stepScopes}
                available={[...request.scopes, ...request.otherScopes]}
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
          <ClientCredentialFields
            values={values}
            onChange={change}
            storedFor={form.storedFor}
            error={
              form.lacksId
                ? words.credentials.clientIdMissing
                : location === 'clientId'
                  ? error && words.errors.message(error)
                  : undefined
            }
            hint={location === 'clientId' && error ? words.errors.nextStep(error.remedy) : undefined}
            pairError={
              location === 'client' && (earlier === undefined || values.clientId.trim() === earlier.clientId)
                ? {
                    message: words.credentials.unknownClient[earlier?.secretStored === false ? 'idAlone' : 'pair'],
                    hint: words.credentials.unknownClientHint,
                  }
                : undefined
            }
          />
          <AdvancedFields
            values={values}
            onChange={change}
            forceOpen={
              location === 'advanced' || location === 'endpoints' || location === 'scopes' || hasAdvanced(earlier)
            }
            endpointsInUse={connection.options.endpoints ? undefined : request.endpoints}
            mistakes={form.mistakes}
          />
          {error && location === 'endpoints' && (
            <EndpointNotice error={error} options={connection.options} onAllow={form.submit} />
          )}
        </CredentialStep>
      </form>
    </Dialog>
  );
}

/** Without a user sign-in there is no callback to register. */
function describeNeed({ options }: ConnectionView): string {
  return options.grant === undefined ? words.credentials.description : words.credentials.nonInteractive;
}

/** Show advanced settings that were entered before, since they apply again. */
function hasAdvanced(earlier: CredentialsView['earlier']): boolean {
  return earlier?.authentication !== undefined || earlier?.secretExpiresAt !== undefined;
}

/** A numbered step; CSS counts. */
function CredentialStep({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId();
  return (
    <div className="credential-step" role="group" aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {children}
    </div>
  );
}

interface CredentialForm {
  readonly values: CredentialValues;
  readonly change: (changed: Partial<CredentialValues>) => void;
  /** The client ID that main's stored secret belongs to. */
  readonly storedFor: string | undefined;
  readonly lacksId: boolean;
  readonly mistakes: EndpointMistakes | undefined;
  readonly busy: boolean;
  readonly error: PlainError | undefined;
  readonly submit: (allowed?: ChosenOptions) => void;
  readonly tryAgain: () => void;
}

/** State and actions of the credential dialog. */
function useCredentialForm(
  { id, options }: ConnectionView,
  request: CredentialsView,
  why: PlainError | undefined,
): CredentialForm {
  const { earlier } = request;
  // Input is for this service and this attempt; another attempt starts fresh.
  const stateKey = `credentials for ${request.serverUrl} at ${request.issuerHost} after ${JSON.stringify(earlier)}`;
  const [values, setValues] = useRetainedState(id, stateKey, startingValues(request, options));
  const [storedFor, setStoredFor] = useState(earlier?.secretStored ? earlier.clientId : undefined);
  const [faults, setFaults] = useState<{ lacksId: boolean; mistakes?: EndpointMistakes | undefined }>();
  const call = useCall<null>();
  // Main does not store a key that it could not read.
  const isStored = call.error?.remedy.kind !== 'correct-client-key';
  const change = (changed: Partial<CredentialValues>): void => setValues((before) => ({ ...before, ...changed }));

  const submit = (allowed: ChosenOptions = {}): void => {
    const found = { lacksId: values.clientId.trim() === '', mistakes: findEndpointMistakes(values.endpoints) };
    setFaults(found);
    if (found.lacksId || found.mistakes) return;
    const input = buildSubmission(values, {
      id,
      request,
      options,
      storedFor: isStored ? storedFor : undefined,
      allowed,
    });
    // From here on main has the secret, even if something else in the form is refused.
    if (input.clientSecret !== undefined) {
      setStoredFor(input.clientId);
      change({ clientSecret: '', keepSecret: true });
    }
    void call.run(() => postern.connection.submitCredentials(input));
  };
  return {
    values,
    change,
    storedFor: isStored ? storedFor : undefined,
    lacksId: faults?.lacksId === true && values.clientId.trim() === '',
    mistakes: faults?.mistakes,
    busy: call.busy,
    error: call.error ?? why,
    submit,
    tryAgain: () => void call.run(() => postern.connection.tryAgain({ id })),
  };
}

interface AdvancedFieldsProps {
  readonly values: CredentialValues;
  readonly onChange: (changed: Partial<CredentialValues>) => void;
  readonly forceOpen: boolean;
  readonly endpointsInUse: CredentialsView['endpoints'];
  readonly mistakes: EndpointMistakes | undefined;
}

function AdvancedFields({ values, onChange, forceOpen, endpointsInUse, mistakes }: AdvancedFieldsProps) {
  return (
    <Disclosure label={words.credentials.advanced} forceOpen={forceOpen}>
      <Field label={words.credentials.scopes} hint={words.credentials.scopesFieldHint}>
        {(control) => (
          <TextInput
            {...control}
            mono
            maxLength={8_192}
            defaultValue={values.scopes.join(' ')}
            onBlur={(event) => onChange({ scopes: event.target.value.split(/\s+/).filter(Boolean) })}
          />
        )}
      </Field>
      <ClientAuthenticationField
        value={values.clientAuthentication}
        onChoose={(clientAuthentication) => onChange({ clientAuthentication })}
      />
      <SecretExpiryField value={values.secretEnds} onChange={(secretEnds) => onChange({ secretEnds })} />
      <PkceField value={values.pkce} onChoose={(pkce) => onChange({ pkce })} />
      <CheckBox
        checked={values.sendResource}
        onChange={(sendResource) => onChange({ sendResource })}
        label={words.credentials.resource}
        hint={words.credentials.resourceHint}
      />
      <EndpointFields
        values={values.endpoints}
        onChange={(endpoints) => onChange({ endpoints })}
        mistakes={mistakes}
        inUse={endpointsInUse}
        hint={words.endpoints.hint}
      />
    </Disclosure>
  );
}

interface CredentialsPanelProps {
  readonly connection: ConnectionView;
  readonly request: CredentialsView;
  /** Why credentials are needed. */
  readonly error: PlainError | undefined;
}

/** Opens on its own. Closing it cancels nothing, since the user may have to look something up first. */
export function CredentialsPanel({ connection, request, error }: CredentialsPanelProps) {
  const [open, setOpen] = useState(true);
  // The failure does not require an own client; it is only an option.
  const failed = request.tryAgain && error;
  return (
    <>
      <div data-in-progress="">
        <Notice
          tone="ask"
          title={failed ? words.errors.message(failed) : words.connect.credentialsWait(request.issuerHost)}
          actions={
            <>
              {failed && (
                <Button kind="primary" onClick={() => void postern.connection.tryAgain({ id: connection.id })}>
                  {words.common.tryAgain}
                </Button>
              )}
              <Button kind={failed ? 'plain' : 'primary'} onClick={() => setOpen(true)}>
                {words.connect.start.needsOAuthApp()}
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
