import { useId, useRef, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { flushSync } from 'react-dom';
import type { ChosenOptions, ConnectionView, CredentialsView } from '../../shared/connection-view.ts';
import type { PlainError } from '../../shared/error-codes.ts';
import { useKnownServer } from '../catalog/catalog.ts';
import { OAuthAppRecipe, OpenPageButton } from '../catalog/service-details.tsx';
import { Button, CopyLine } from '../components/button.tsx';
import { CheckBox } from '../components/check-box.tsx';
import { ScopeChips } from '../components/chips.tsx';
import { Disclosure } from '../components/disclosure.tsx';
import { Field, FieldError, TextInput } from '../components/field.tsx';
import {
  ClientAuthenticationField,
  ClientCredentialFields,
  CredentialNotice,
  EndpointFields,
  EndpointNotice,
  PkceField,
  SecretExpiryField,
} from '../credentials/credential-fields.tsx';
import {
  buildSubmission,
  errorLocation,
  findEndpointMistakes,
  startingValues,
} from '../credentials/credential-values.ts';
import type { CredentialValues, EndpointMistakes } from '../credentials/credential-values.ts';
import { postern, useCall } from '../postern.ts';
import { useRetainedState } from '../use-retained-state.ts';
import { words } from '../words.ts';
import { useEscape, useServiceName } from './connect-card.tsx';
import './oauth-app-step.css';

interface OAuthAppStepProps {
  readonly connection: ConnectionView;
  readonly request: CredentialsView;
  /** The failure that led here. */
  readonly why: PlainError | undefined;
}

/** Spec 2.11, in two steps: create the OAuth app at the service, and bring back its ID and secret. */
export function OAuthAppStep({ connection, request, why }: OAuthAppStepProps) {
  const { id, options } = connection;
  const element = useRef<HTMLFormElement>(null);
  const form = useCredentialForm(connection, request, why);
  const { values, change, error } = form;
  const { issuerHost, callbackUrl, earlier, tryAgain, canRegister, scopes, otherScopes } = request;
  const location = error && errorLocation(error, tryAgain !== undefined);
  const isElsewhere = error !== undefined && (location === undefined || location === 'advanced');
  const canRetry = isElsewhere && tryAgain !== undefined;
  const service = useServiceName(connection);
  const known = useKnownServer(request.serverUrl);
  const permissionsId = useId();
  const stop = (): void => void postern.connection.stop({ id });
  useEscape(stop);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    flushSync(() => form.submit());
    element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  };
  const again = (kind?: 'primary') => (
    <Button kind={kind ?? 'quiet'} onClick={form.tryAgain}>
      {tryAgain && !earlier ? words.common.tryAgain : words.credentials.tryAgain}
    </Button>
  );

  return (
    <>
      <p className="verdict soft" role="status">
        {earlier && !tryAgain
          ? words.credentials.again(issuerHost)
          : words.credentials[options.grant === undefined ? 'description' : 'nonInteractive']}
      </p>
      {isElsewhere && (
        <CredentialNotice
          error={error}
          tryAgain={error === why ? tryAgain : undefined}
          action={canRetry && again('primary')}
        />
      )}
      <form ref={element} className="card-form" onSubmit={submit}>
        <div className="credential-steps">
          <CredentialStep title={words.credentials.stepCreate(known?.name ?? issuerHost)}>
            {known?.oauthApp && (
              <>
                <div>
                  <OpenPageButton server={known} page="oauthApp" label={words.catalog.openOAuthApp(known.name)} />
                </div>
                <OAuthAppRecipe server={known} />
              </>
            )}
            {options.grant === undefined && (
              <div className="stack-tight">
                <p>{words.credentials.callback}</p>
                <CopyLine
                  label={words.credentials.callbackLabel}
                  value={callbackUrl}
                  onCopy={async () => (await postern.desktop.copy({ kind: 'callbackUrl', id })).ok}
                />
                <p className="field-hint">{words.credentials.callbackHint}</p>
              </div>
            )}
            {known?.oauthApp?.scopes && (
              <CopyLine
                label={words.catalog.scopes}
                value={known.oauthApp.scopes.join(' ')}
                onCopy={async () => (await postern.desktop.copy({ kind: 'scopes', id })).ok}
              />
            )}
            <div className="stack-tight" role="group" aria-labelledby={permissionsId}>
              <p id={permissionsId}>{words.credentials.permissions}</p>
              {error && location === 'scopes' && (
                <FieldError>{`${words.errors.message(error)} ${words.errors.nextStep(error.remedy)}`}</FieldError>
              )}
              {scopes.length + otherScopes.length > 0 ? (
                <>
                  <ScopeChips
                    label={words.credentials.permissions}
                    available={[...scopes, ...otherScopes]}
                    chosen={values.scopes}
                    onChange={(chosen) => change({ scopes: chosen })}
                  />
                  <p className="field-hint">{words.credentials.scopesHint}</p>
                </>
              ) : (
                <p className="field-hint">{words.credentials.noScopes}</p>
              )}
            </div>
          </CredentialStep>
          <CredentialStep title={words.credentials.stepPaste}>
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
              endpointsInUse={options.endpoints ? undefined : request.endpoints}
              mistakes={form.mistakes}
            />
            {error && location === 'endpoints' && (
              <EndpointNotice error={error} options={options} onAllow={form.submit} />
            )}
          </CredentialStep>
        </div>
        <div className="start-row">
          <Button type="submit" kind={canRetry ? 'plain' : 'primary'} busy={form.busy}>
            {words.connect.start.registersItself(service)}
          </Button>
        </div>
      </form>
      <div className="connect-card-more">
        {!canRetry && (tryAgain ?? canRegister) && again()}
        <Button kind="quiet" onClick={stop}>
          {words.common.cancel}
        </Button>
      </div>
    </>
  );
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

/** State and actions of the form. */
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
