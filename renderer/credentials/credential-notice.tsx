import type { TryAgain } from '../../shared/connection-view.ts';
import { timeOfDay } from '../../shared/error-catalogue/catalogue-entry.ts';
import type { PlainError } from '../../shared/error-codes.ts';
import type { ChosenOptions, IntegrationOptions } from '../../shared/integration.ts';
import { ErrorNotice, ErrorStage } from '../errors/error-notice.tsx';
import type { ErrorActions } from '../errors/error-notice.tsx';
import { hostToAllow } from '../errors/remedy-actions.ts';
import { Notice } from '../parts/notice.tsx';
import { words } from '../words.ts';

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
