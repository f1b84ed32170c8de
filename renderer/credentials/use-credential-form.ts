import { useState } from 'react';
import type { PlainError } from '../../shared/error-codes.ts';
import type { ConnectionView, CredentialsView } from '../../shared/connection-view.ts';
import type { ChosenOptions } from '../../shared/integration.ts';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { useKept } from '../use-kept.ts';
import { startingValues, submission } from './credential-values.ts';
import type { CredentialValues } from './credential-values.ts';
import { findEndpointMistakes } from './typed-endpoints.ts';
import type { EndpointMistakes } from './typed-endpoints.ts';

export interface CredentialForm {
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
export function useCredentialForm(
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
