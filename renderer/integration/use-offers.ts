import { useEffect, useRef, useState } from 'react';
import type { IntegrationView } from '../../shared/integration-view.ts';
import { followServer } from '../follow-server.ts';
import { useCall } from '../use-call.ts';
import type { Call } from '../use-call.ts';
import { noteTools } from './listed-tools.ts';
import { listOffers } from './offers.ts';
import type { OfferKind, Offers } from './offers.ts';

interface ListedOffers {
  readonly list: Call<Offers>;
  /** When the server last said that this list is another one, in milliseconds since 1970. */
  readonly changedAt: number | undefined;
  readonly readAgain: () => void;
  readonly isSignedOut: boolean;
}

/** What a server offers of one kind, read anew each time that the server says that it has changed. */
export function useOffers(
  integration: IntegrationView,
  kind: OfferKind,
  onListed: (found: Offers) => void,
): ListedOffers {
  const { id } = integration;
  const list = useCall<Offers>();
  const { run } = list;
  const wanted = `${id} ${kind}`;
  const [change, setChange] = useState({ wanted, at: 0 });
  const { name: status } = integration.status;
  const isSignedOut = status === 'signIn' || status === 'signInAgain';
  const listed = useRef('');
  const shown = useRef<Offers>(undefined);
  const take = (found: Offers | undefined): void => {
    if (!found) return;
    listed.current = wanted;
    shown.current = found;
    if (kind === 'tools') noteTools(id, found.offers);
    onListed(found);
  };
  // Before the list is read, or a change that came between would be missed.
  useEffect(() => {
    if (isSignedOut || status === 'offline') return undefined;
    return followServer(id, { list: kind }, (occasion) => {
      if (occasion === 'first') return;
      void listOffers(kind, id, true).then(async (result) => {
        // One that fails leaves what is in sight; the state of the server says what is wrong.
        if (!result.ok || listed.current !== wanted) return;
        const isOther = occasion === 'said' || JSON.stringify(result.value) !== JSON.stringify(shown.current);
        if (isOther) setChange({ wanted, at: Date.now() });
        take(await run(async () => result));
      });
    });
  }, [run, kind, id, status, isSignedOut]);
  useEffect(() => {
    // What was listed stays in sight while the server is out of reach.
    if (isSignedOut || (status === 'offline' && listed.current === wanted)) return;
    void run(() => listOffers(kind, id)).then(take);
  }, [run, kind, id, status, isSignedOut]);
  return {
    list,
    changedAt: change.wanted === wanted && change.at > 0 ? change.at : undefined,
    readAgain: () => void run(() => listOffers(kind, id)),
    isSignedOut,
  };
}
