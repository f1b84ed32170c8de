import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import { clientAuthenticationMethods, pkcePolicies } from '../../shared/choices.ts';
import type { PkcePolicy } from '../../shared/choices.ts';
import type { ChosenOptions, TryAgain } from '../../shared/connection-view.ts';
import type { PlainError } from '../../shared/error-codes.ts';
import type { IntegrationOptions } from '../../shared/integration.ts';
import { ErrorNotice, ErrorStage } from '../errors/error-notice.tsx';
import type { ErrorActions } from '../errors/error-notice.tsx';
import { hostToAllow } from '../errors/remedy-actions.ts';
import { Button } from '../components/button.tsx';
import { Choice, Field, FieldError, TextInput } from '../components/field.tsx';
import { Notice } from '../components/notice.tsx';
import { formatTimeOfDay, words } from '../words.ts';
import { findMistake, usesStoredSecret } from './credential-values.ts';
import type { CredentialValues, EndpointMistakes, TypedEndpoints } from './credential-values.ts';

interface ClientCredentialFieldsProps {
  readonly values: Pick<CredentialValues, 'clientId' | 'clientSecret' | 'keepSecret'>;
  readonly onChange: (changed: Partial<CredentialValues>) => void;
  /** The client ID that main's stored secret belongs to. */
  readonly storedFor?: string | undefined;
  /** For the client ID. */
  readonly error?: string | undefined;
  readonly hint?: string | undefined;
  /** ID and secret do not match; the server did not say which is wrong. */
  readonly pairError?: { readonly message: string; readonly hint: string } | undefined;
}

export function ClientCredentialFields({
  values,
  onChange,
  storedFor,
  error,
  hint,
  pairError,
}: ClientCredentialFieldsProps) {
  const [accepted, setAccepted] = useState<string>();
  const pairId = useId();
  const { clientId } = values;
  const mistake = clientId === accepted ? undefined : findMistake(clientId);
  const caught =
    mistake && (mistake === 'secret' ? words.credentials.looksLikeSecret : words.credentials.looksLikeAddress);
  const errorId = pairError && pairId;
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
        errorId={errorId}
      >
        {(control) => (
          <TextInput
            {...control}
            mono
            // Mask a secret that was pasted here by mistake.
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
            {words.credentials.useAsSecret}
          </Button>
          <Button kind="quiet" onClick={() => setAccepted(clientId)}>
            {words.credentials.useAsId}
          </Button>
        </div>
      )}
      <SecretField
        value={values.clientSecret}
        usesStored={usesStoredSecret(values, storedFor)}
        isForOtherClient={storedFor !== undefined && clientId.trim() !== storedFor}
        canKeep={storedFor !== undefined && clientId.trim() === storedFor}
        errorId={errorId}
        onChange={onChange}
      />
    </>
  );
}

interface SecretFieldProps {
  readonly value: string;
  /** Main continues with its stored secret. */
  readonly usesStored: boolean;
  readonly canKeep: boolean;
  /** Main's stored secret belongs to another client ID. */
  readonly isForOtherClient: boolean;
  readonly errorId?: string | undefined;
  readonly onChange: (changed: Partial<CredentialValues>) => void;
}

function SecretField({ value, usesStored, canKeep, isForOtherClient, errorId, onChange }: SecretFieldProps) {
  if (usesStored) {
    return (
      <div className="field">
        <span className="field-label">{words.credentials.clientSecret}</span>
        <div className="row">
          <span className={`chip${errorId ? ' wrong' : ''}`}>{words.credentials.secretStored}</span>
          <span className="soft small">{words.credentials.secretStoredText}</span>
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
      hint={isForOtherClient ? words.credentials.secretOfOther : words.credentials.secretHint}
      errorId={errorId}
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

interface SecretExpiryFieldProps {
  /** As in a date field: `2027-05-31`, or empty. */
  readonly value: string;
  readonly onChange: (day: string) => void;
}

/** When the client secret expires; only the service's own page says so. */
export function SecretExpiryField({ value, onChange }: SecretExpiryFieldProps) {
  return (
    <Field label={words.credentials.secretExpires} hint={words.credentials.secretExpiresHint}>
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

/** PKCE policy (RFC 7636), including what to do if the service does not list it. */
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
  /** Used while nothing is entered. */
  readonly inUse?: TypedEndpoints | undefined;
  readonly hint?: string;
  readonly autoFocus?: boolean;
}

/** Authorization and token endpoints, for a service that publishes none or wrong ones. */
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
  /** Set if the failure may not need the user. */
  readonly tryAgain: TryAgain | undefined;
  /** What may help. */
  readonly action: ReactNode;
}

/** An error that belongs to no single field. */
export function CredentialNotice({ error, tryAgain, action }: CredentialNoticeProps) {
  return (
    <Notice tone="stop" urgent title={words.errors.message(error)} actions={action}>
      <p>{tryAgain ? describeRetry(tryAgain) : words.errors.nextStep(error.remedy)}</p>
      <ErrorStage error={error} />
    </Notice>
  );
}

function describeRetry(tryAgain: TryAgain): string {
  const { tryAgainAfter, tryAgainHint } = words.credentials;
  if (tryAgain.kind === 'perhaps') return tryAgainHint;
  return tryAgainAfter(tryAgain.until === undefined ? undefined : formatTimeOfDay(tryAgain.until));
}

interface EndpointNoticeProps {
  readonly error: PlainError;
  readonly options: IntegrationOptions;
  /** Continues with what the user allowed. */
  readonly onAllow: (allowed: ChosenOptions) => void;
}

/** An entered endpoint that the address rules refuse, with what would allow it. */
export function EndpointNotice({ error, options, onAllow }: EndpointNoticeProps) {
  const host = hostToAllow(error.remedy);
  const actions: ErrorActions = {
    local: () => onAllow({ local: true }),
    allowHttp: () => onAllow({ local: true, allowHttp: true }),
    ...(host !== undefined && { allowHost: () => onAllow({ allowedHosts: [...options.allowedHosts, host] }) }),
  };
  return <ErrorNotice error={error} actions={actions} />;
}
