import { useId, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import type { ChosenOptions, ConnectionView, CredentialsView } from '../../shared/connection-view.ts';
import type { PlainError } from '../../shared/error-codes.ts';
import { useKnownServer } from '../catalogue/catalogue.ts';
import { Recipe } from '../catalogue/known-part.tsx';
import { Button, CopyLine } from '../parts/button.tsx';
import { CheckBox } from '../parts/check-box.tsx';
import { ScopeChips } from '../parts/chips.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Disclosure } from '../parts/disclosure.tsx';
import { Field, FieldError, TextInput } from '../parts/field.tsx';
import { Notice } from '../parts/notice.tsx';
import { postern, useCall } from '../postern.ts';
import { useKept } from '../use-kept.ts';
import { words } from '../words.ts';
import './credential-dialog.css';
import {
  ClientAuthenticationField,
  CredentialNotice,
  describeRetry,
  EndpointFields,
  EndpointNotice,
  IdAndSecret,
  PkceField,
  SecretEndField,
} from './credential-fields.tsx';
import { findEndpointMistakes, placeOf, startingValues, submission } from './credential-values.ts';
import type { CredentialValues, EndpointMistakes } from './credential-values.ts';

interface CredentialDialogProps {
  readonly connection: ConnectionView;
  readonly request: CredentialsView;
  /** The failure that led here. */
  readonly why: PlainError | undefined;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Spec 2.11, in the order in which a person works: what to enter there, what to allow there, what to bring back. */
function CredentialDialog({ connection, request, why, open, onClose }: CredentialDialogProps) {
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

interface CredentialForm {
  readonly values: CredentialValues;
  readonly change: (changed: Partial<CredentialValues>) => void;
  /** The id that the secret which main has was for. */
  readonly keptFor: string | undefined;
  readonly lacksId: boolean;
  readonly mistakes: EndpointMistakes | undefined;
  readonly busy: boolean;
  readonly error: PlainError | undefined;
  readonly submit: (allowed?: ChosenOptions) => void;
  readonly tryAgain: () => void;
}

/** The input of the credential dialog, and what becomes of it. */
function useCredentialForm(
  { id, options }: ConnectionView,
  request: CredentialsView,
  why: PlainError | undefined,
): CredentialForm {
  const { earlier } = request;
  // What is typed is for this service after this attempt; another one is asked for anew.
  const place = `credentials for ${request.serverUrl} at ${request.issuerHost} after ${JSON.stringify(earlier)}`;
  const [values, keep] = useKept(id, place, startingValues(request, options));
  const [keptFor, setKeptFor] = useState(earlier?.secretKept ? earlier.clientId : undefined);
  const [faults, setFaults] = useState<{ lacksId: boolean; mistakes?: EndpointMistakes | undefined }>();
  const call = useCall<null>();
  // Main has not kept a key that it could not read.
  const hasKept = call.error?.remedy.kind !== 'correct-client-key';
  const change = (changed: Partial<CredentialValues>): void => keep((before) => ({ ...before, ...changed }));

  const submit = (allowed: ChosenOptions = {}): void => {
    const found = { lacksId: values.clientId.trim() === '', mistakes: findEndpointMistakes(values.endpoints) };
    setFaults(found);
    if (found.lacksId || found.mistakes) return;
    const input = submission(values, { id, request, options, keptFor: hasKept ? keptFor : undefined, allowed });
    // The secret is main's from here on, and stays there even when something else is refused.
    if (input.clientSecret !== undefined) {
      setKeptFor(input.clientId);
      change({ clientSecret: '', keepSecret: true });
    }
    void call.run(() => postern.connection.submitCredentials(input));
  };
  return {
    values,
    change,
    keptFor: hasKept ? keptFor : undefined,
    lacksId: faults?.lacksId === true && values.clientId.trim() === '',
    mistakes: faults?.mistakes,
    busy: call.busy,
    error: call.error ?? why,
    submit,
    tryAgain: () => void call.run(() => postern.connection.tryAgain({ id })),
  };
}

interface AdvancedPartProps {
  readonly values: CredentialValues;
  readonly onChange: (changed: Partial<CredentialValues>) => void;
  readonly forceOpen: boolean;
  readonly endpointsInUse: CredentialsView['endpoints'];
  readonly mistakes: EndpointMistakes | undefined;
}

function AdvancedPart({ values, onChange, forceOpen, endpointsInUse, mistakes }: AdvancedPartProps) {
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
      <SecretEndField value={values.secretEnds} onChange={(secretEnds) => onChange({ secretEnds })} />
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
                  {words.common.tryAgain}
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
