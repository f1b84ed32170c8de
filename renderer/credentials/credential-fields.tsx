import { useId, useState } from 'react';
import { clientAuthenticationMethods, pkcePolicies } from '../../shared/choices.ts';
import type { PkcePolicy } from '../../shared/choices.ts';
import type { ChosenOptions, TryAgain } from '../../shared/connection-view.ts';
import { timeOfDay } from '../../shared/error-catalogue/catalogue-entry.ts';
import type { PlainError } from '../../shared/error-codes.ts';
import type { IntegrationOptions } from '../../shared/integration.ts';
import { ErrorNotice, ErrorStage } from '../errors/error-notice.tsx';
import type { ErrorActions } from '../errors/error-notice.tsx';
import { hostToAllow } from '../errors/remedy-actions.ts';
import { Button } from '../parts/button.tsx';
import { Choice, Field, FieldError, TextInput } from '../parts/field.tsx';
import { Notice } from '../parts/notice.tsx';
import { words } from '../words.ts';
import { findMistake, isSecretKept } from './credential-values.ts';
import type { CredentialValues, EndpointMistakes, TypedEndpoints } from './credential-values.ts';

interface IdAndSecretProps {
  readonly values: Pick<CredentialValues, 'clientId' | 'clientSecret' | 'keepSecret'>;
  readonly onChange: (changed: Partial<CredentialValues>) => void;
  /** Main has the secret of the attempt before, which was with this id. */
  readonly keptFor?: string | undefined;
  /** Of the id. */
  readonly error?: string | undefined;
  readonly hint?: string | undefined;
  /** The two do not go together; which of them is wrong, nobody said. */
  readonly pairError?: { readonly message: string; readonly hint: string } | undefined;
}

export function IdAndSecret({ values, onChange, keptFor, error, hint, pairError }: IdAndSecretProps) {
  const [accepted, setAccepted] = useState<string>();
  const pairId = useId();
  const { clientId } = values;
  const mistake = clientId === accepted ? undefined : findMistake(clientId);
  const caught =
    mistake && (mistake === 'secret' ? words.credentials.looksLikeSecret : words.credentials.looksLikeAddress);
  const wrongBy = pairError && pairId;
  return (
    <>
      {pairError && (
        <div className="field" id={pairId}>
          <FieldError>{pairError.message}</FieldError>
          <p className="field-hint">{pairError.hint}</p>
        </div>
      )}
      <Field
        label={words.credentials.clientId}
        error={caught ?? error}
        hint={caught ? undefined : hint}
        wrongBy={wrongBy}
      >
        {(control) => (
          <TextInput
            {...control}
            mono
            // A secret that was pasted here by mistake is covered before anybody else reads it.
            type={mistake === 'secret' ? 'password' : 'text'}
            maxLength={4_096}
            value={clientId}
            onChange={(event) => onChange({ clientId: event.target.value })}
          />
        )}
      </Field>
      {mistake === 'secret' && (
        <div className="row">
          <Button onClick={() => onChange({ clientId: '', clientSecret: clientId.trim(), keepSecret: false })}>
            {words.credentials.move}
          </Button>
          <Button kind="quiet" onClick={() => setAccepted(clientId)}>
            {words.credentials.useAnyway}
          </Button>
        </div>
      )}
      <SecretField
        value={values.clientSecret}
        isKept={isSecretKept(values, keptFor)}
        isOfOther={keptFor !== undefined && clientId.trim() !== keptFor}
        canKeep={keptFor !== undefined && clientId.trim() === keptFor}
        wrongBy={wrongBy}
        onChange={onChange}
      />
    </>
  );
}

interface SecretFieldProps {
  readonly value: string;
  /** Main goes on with the secret that it has. */
  readonly isKept: boolean;
  readonly canKeep: boolean;
  /** The secret that main has was for another id. */
  readonly isOfOther: boolean;
  readonly wrongBy?: string | undefined;
  readonly onChange: (changed: Partial<CredentialValues>) => void;
}

function SecretField({ value, isKept, canKeep, isOfOther, wrongBy, onChange }: SecretFieldProps) {
  if (isKept) {
    return (
      <div className="field">
        <span className="field-label">{words.credentials.clientSecret}</span>
        <div className="row">
          <span className={`chip${wrongBy ? ' wrong' : ''}`}>{words.credentials.secretKept}</span>
          <span className="soft small">{words.credentials.secretKeptText}</span>
          <Button kind="quiet" onClick={() => onChange({ keepSecret: false })}>
            {words.credentials.replace}
          </Button>
        </div>
      </div>
    );
  }
  return (
    <Field
      label={words.credentials.clientSecret}
      aside={words.common.optional}
      hint={isOfOther ? words.credentials.secretOfOther : words.credentials.secretHint}
      wrongBy={wrongBy}
    >
      {(control) => (
        <div className="row nowrap">
          <TextInput
            {...control}
            type="password"
            mono
            maxLength={8_192}
            autoComplete="new-password"
            value={value}
            onChange={(event) => onChange({ clientSecret: event.target.value })}
          />
          {canKeep && (
            <Button kind="quiet" onClick={() => onChange({ keepSecret: true, clientSecret: '' })}>
              {words.credentials.keep}
            </Button>
          )}
        </div>
      )}
    </Field>
  );
}

interface SecretEndFieldProps {
  /** As a date field has it: `2027-05-31`, or empty. */
  readonly value: string;
  readonly onChange: (day: string) => void;
}

/** When the service ends the secret, of which nothing but its page tells. */
export function SecretEndField({ value, onChange }: SecretEndFieldProps) {
  return (
    <Field label={words.credentials.secretEnds} hint={words.credentials.secretEndsHint}>
      {(control) => (
        <TextInput {...control} type="date" value={value} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  );
}

interface ChoiceFieldProps<Value> {
  readonly value: Value;
  readonly onChoose: (value: Value) => void;
}

/** How the client secret is sent. */
export function ClientAuthenticationField(props: ChoiceFieldProps<CredentialValues['clientAuthentication']>) {
  return (
    <Field label={words.credentials.clientAuthentication}>
      {(control) => (
        <Choice
          {...control}
          {...props}
          options={(['auto', ...clientAuthenticationMethods] as const).map((value) => ({
            value,
            label: words.credentials.authentication[value],
          }))}
        />
      )}
    </Field>
  );
}

/** Whether a sign-in is protected by PKCE (RFC 7636), and what happens where the service does not list it. */
export function PkceField({
  label = words.credentials.pkce,
  ...props
}: ChoiceFieldProps<PkcePolicy> & { readonly label?: string }) {
  return (
    <Field label={label}>
      {(control) => (
        <Choice
          {...control}
          {...props}
          options={pkcePolicies.map((value) => ({ value, label: words.credentials.pkcePolicy[value] }))}
        />
      )}
    </Field>
  );
}

interface EndpointFieldsProps {
  readonly values: TypedEndpoints;
  readonly onChange: (values: TypedEndpoints) => void;
  readonly mistakes?: EndpointMistakes | undefined;
  /** What holds while nothing is typed. */
  readonly inUse?: TypedEndpoints | undefined;
  readonly hint?: string;
  readonly autoFocus?: boolean;
}

/** Where the sign-in page and the tokens are, for a service that publishes neither, or the wrong ones. */
export function EndpointFields({ values, onChange, mistakes, inUse, hint, autoFocus = false }: EndpointFieldsProps) {
  return (
    <>
      {(['authorization', 'token'] as const).map((name) => {
        const mistake = mistakes?.[name];
        return (
          <Field
            key={name}
            label={words.endpoints[name]}
            hint={name === 'token' ? hint : undefined}
            error={mistake && words.endpoints.mistakes[mistake]}
          >
            {(control) => (
              <TextInput
                {...control}
                inputMode="url"
                autoFocus={autoFocus && name === 'authorization'}
                maxLength={2_048}
                value={values[name]}
                placeholder={inUse?.[name] ?? words.endpoints.example[name]}
                onChange={(event) => onChange({ ...values, [name]: event.target.value })}
              />
            )}
          </Field>
        );
      })}
    </>
  );
}

interface CredentialNoticeProps {
  readonly error: PlainError;
  /** Where it need not be the person who does something. */
  readonly tryAgain: TryAgain | undefined;
}

/** An error that stands at no single field. */
export function CredentialNotice({ error, tryAgain }: CredentialNoticeProps) {
  return (
    <Notice tone="stop" urgent title={words.errors.message(error)}>
      <p>{tryAgain ? describeRetry(tryAgain) : words.errors.nextStep(error.remedy)}</p>
      <ErrorStage error={error} />
    </Notice>
  );
}

export function describeRetry(tryAgain: TryAgain): string {
  const { tryAgainAfter, tryAgainHint } = words.credentials;
  if (tryAgain.kind === 'perhaps') return tryAgainHint;
  return tryAgainAfter(tryAgain.until === undefined ? undefined : timeOfDay(tryAgain.until));
}

interface EndpointNoticeProps {
  readonly error: PlainError;
  readonly options: IntegrationOptions;
  /** Goes on with what the person allows. */
  readonly onAllow: (allowed: ChosenOptions) => void;
}

/** A typed endpoint that the address rule refuses, with what opens it. */
export function EndpointNotice({ error, options, onAllow }: EndpointNoticeProps) {
  const host = hostToAllow(error.remedy);
  const actions: ErrorActions = {
    local: () => onAllow({ local: true }),
    allowHttp: () => onAllow({ local: true, allowHttp: true }),
    ...(host !== undefined && { allowHost: () => onAllow({ allowedHosts: [...options.allowedHosts, host] }) }),
  };
  return <ErrorNotice error={error} actions={actions} />;
}
