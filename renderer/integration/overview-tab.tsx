import type { IntegrationView } from '../../shared/integration-view.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { wantsKey } from '../integrations/wants-key.ts';
import { useActivity } from '../activity/use-activity.ts';
import { Button } from '../parts/button.tsx';
import { Disclosure } from '../parts/disclosure.tsx';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { beginRemoval, flash, show } from '../view.ts';
import { words } from '../words.ts';
import { AccountFacts } from './account-facts.tsx';
import { LatelyPart } from './lately-part.tsx';
import { PermissionList } from './permission-list.tsx';
import { ReplaceKey } from './replace-key.tsx';
import { SecretEndingNotice } from './secret-ending-notice.tsx';
import { TokenTimeLine } from './token-time-line.tsx';
import { UsedByPart } from './used-by-part.tsx';
import { WhoPart } from './who-part.tsx';
import './overview-tab.css';

/** Milliseconds: nobody waits here for the next call. */
const longest = 5_000;

/** Who is signed in, for which programs, with which permissions, for how long, and what can be done about it. */
export function OverviewTab({ integration }: { readonly integration: IntegrationView }) {
  const { id, method, state, busy, nextRefreshAt, options } = integration;
  const call = useCall<unknown>();
  const calls = useActivity(true, longest);
  const signsIn = method !== 'NoAuth';
  const hasSecret = signsIn || options.headerName !== undefined;
  const isSignedIn = state === 'integrated';
  return (
    <div className="stack measure">
      <SecretEndingNotice integration={integration} />
      <div className="overview-facts">
        {hasSecret && isSignedIn && (
          <WhoPart integration={integration}>
            {options.headerName !== undefined && !wantsKey(integration) && <ReplaceKey integration={integration} />}
            {signsIn && (
              <Button onClick={() => void call.run(() => postern.integration.switchAccount({ id }))}>
                {words.account.switchAccount}
              </Button>
            )}
          </WhoPart>
        )}
        <UsedByPart integration={integration} calls={calls ?? []} />
      </div>
      {signsIn && isSignedIn && (
        <PermissionList
          integration={integration}
          onGrant={() => void call.run(() => postern.integration.signInAgain({ id }))}
        />
      )}
      {call.error && call.error.message !== integration.status.error?.message && (
        <ErrorNotice
          error={call.error}
          actions={{
            dismiss: call.clear,
            storage: () => show({ name: 'settings', section: 'storage' }),
            signIn: () => void call.run(() => postern.integration.signInAgain({ id })),
            retry: () => void call.run(() => postern.integration.refresh({ id })),
            remove: () => beginRemoval([id]),
          }}
        />
      )}
      <LatelyPart integration={integration} calls={calls} />
      {signsIn ? (
        <Disclosure label={words.account.details}>
          {isSignedIn && <TokenTimeLine integration={integration} />}
          {isSignedIn && nextRefreshAt !== undefined && (
            <div>
              <Button
                busy={busy === 'refreshing'}
                onClick={() =>
                  void call
                    .run(() => postern.integration.refresh({ id }))
                    .then((done) => done !== undefined && flash(() => [words.account.refreshed]))
                }
              >
                {words.account.refresh}
              </Button>
            </div>
          )}
          <AccountFacts integration={integration} />
        </Disclosure>
      ) : (
        <AccountFacts integration={integration} />
      )}
    </div>
  );
}
