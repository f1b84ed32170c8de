import { useId } from 'react';
import type { ConnectionView } from '../../shared/connection-view.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import type { IpcResult } from '../../shared/postern-api.ts';
import { Button } from '../parts/button.tsx';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { show } from '../view.ts';
import { words } from '../words.ts';
import { EndpointForm } from './endpoint-form.tsx';
import { KeyForm } from './key-form.tsx';
import { ScopesForm } from './scopes-form.tsx';
import type { Given, WayRound } from './ways-round.ts';
import { WithoutPersonForm } from './without-person-form.tsx';

interface WaysPartProps {
  readonly connection: ConnectionView;
  readonly ways: readonly WayRound[];
  /** Those that have their button elsewhere. */
  readonly hidden?: readonly WayRound[];
  readonly given?: Given;
  /** The one whose form is open. */
  readonly open: WayRound | undefined;
  readonly onOpen: (way: WayRound | undefined) => void;
}

/** The other ways in, each a button; a form opens below. */
export function WaysPart({ connection, ways, hidden = [], given = {}, open, onOpen }: WaysPartProps) {
  const formId = useId();
  const call = useCall<null>();
  if (ways.length === 0) return null;
  const { id, integrationId, url, options } = connection;
  const hasForm = (way: WayRound): boolean =>
    way !== 'ownApp' && way !== 'provider' && (way !== 'addresses' || connection.kind === 'connect');
  const take = (way: WayRound): void => {
    if (way === 'ownApp') void call.run(() => postern.connection.start({ id, ownApp: true, ...given }));
    else if (way === 'provider') void call.run(() => checkAsProvider(id, url, options));
    else if (hasForm(way)) onOpen(open === way ? undefined : way);
    else if (integrationId !== undefined)
      show({ name: 'integration', id: integrationId, tab: 'settings', openAdvanced: true });
  };
  const shown = ways.find((way) => way === open);
  return (
    <section className="stack" aria-label={words.connect.otherWays}>
      <div className="row ways-round">
        {ways
          .filter((way) => !hidden.includes(way))
          .map((way) => (
            <Button
              key={way}
              kind="quiet"
              busy={!hasForm(way) && call.busy}
              {...(hasForm(way) && { 'aria-expanded': way === shown, 'aria-controls': formId })}
              onClick={() => take(way)}
            >
              {words.connect.wayRound[way]}
            </Button>
          ))}
      </div>
      {call.error && <ErrorNotice error={call.error} />}
      <div id={formId}>
        {shown === 'scopes' && <ScopesForm connection={connection} />}
        {shown === 'key' && <KeyForm connection={connection} given={given} autoFocus />}
        {shown === 'withoutPerson' && <WithoutPersonForm connection={connection} given={given} />}
        {shown === 'addresses' && <EndpointForm connection={connection} given={given} autoFocus />}
      </div>
    </section>
  );
}

/** The address is an issuer's, and nobody there speaks MCP. */
async function checkAsProvider(id: string, url: string, options: ConnectionView['options']): Promise<IpcResult<null>> {
  const result = await postern.connection.discover({ id, url, options: { ...options, isIdentityProvider: true } });
  return result.ok ? { ok: true, value: null } : result;
}
