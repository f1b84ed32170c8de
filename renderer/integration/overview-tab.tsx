import type { IntegrationView } from '../../shared/integration-view.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { wantsKey } from '../integrations/wants-key.ts';
import { Button } from '../parts/button.tsx';
import { Disclosure } from '../parts/disclosure.tsx';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { flash, show } from '../view.ts';
import { words } from '../words.ts';
import { AccountFacts } from './account-facts.tsx';
import { LatelyPart } from './lately-part.tsx';
import { PermissionList } from './permission-list.tsx';
import { ReplaceKey } from './replace-key.tsx';
import { SecretEndingNotice } from './secret-ending-notice.tsx';
import { TokenTimeLine } from './token-time-line.tsx';
import { WhoPart } from './who-part.tsx';
import './overview-tab.css';

/** Who is signed in, with which permissions, for how long, and what can be done about it. */
export function OverviewTab({ integration }: { readonly integration: IntegrationView }) {
  const { id, method, state, busy, nextRefreshAt, options } = integration;
  const call = useCall<unknown>();
  const signsIn = method !== 'NoAuth';
  const hasSecret = signsIn || options.headerName !== undefined;
  const isSignedIn = state === 'integrated';
  const signOut = async (): Promise<void> => {
    const result = await postern.integration.signOut({ ids: [id] });
    if (!result.ok) await call.run(() => Promise.resolve(result));
  };
  return (
    <div className="stack measure">
      <SecretEndingNotice integration={integration} />
      {hasSecret && isSignedIn && <WhoPart integration={integration} />}
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
            remove: () => show({ name: 'integration', id, tab: 'remove' }),
          }}
        />
      )}
      {hasSecret && (
        <div className="row">
          {signsIn && isSignedIn && nextRefreshAt !== undefined && (
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
          )}
          {signsIn && isSignedIn && (
            <Button onClick={() => void call.run(() => postern.integration.signInAgain({ id }))}>
              {words.account.signInAgain}
            </Button>
          )}
          {signsIn && state !== 'signedOut' && (
            <Button onClick={() => void call.run(() => postern.integration.switchAccount({ id }))}>
              {words.account.switchAccount}
            </Button>
          )}
          {options.headerName !== undefined && !wantsKey(integration) && <ReplaceKey integration={integration} />}
          {isSignedIn && (
            <Button kind="danger" className="push" busy={busy === 'signingOut'} onClick={() => void signOut()}>
              {words.account.signOut}
            </Button>
          )}
        </div>
      )}
      <LatelyPart integration={integration} />
      {signsIn ? (
        <Disclosure label={words.account.details}>
          {isSignedIn && <TokenTimeLine integration={integration} />}
          <AccountFacts integration={integration} />
        </Disclosure>
      ) : (
        <AccountFacts integration={integration} />
      )}
    </div>
  );
}
