import { useEffect, useState } from 'react';
import type { PosternLink } from '../../shared/postern-link.ts';
import { Button } from '../parts/button.tsx';
import { HostName } from '../parts/host-name.tsx';
import { placeOfAddress } from '../parts/place-of-address.ts';
import { Toast } from '../parts/toast.tsx';
import { useIntegration } from '../store.ts';
import { useView } from '../view.ts';
import { words } from '../words.ts';
import { dropLink, followLink } from './take-link.ts';

/** Milliseconds in which no press follows: it may have been meant for the link that stood there before. */
const reading = 500;

/** A link that waits until the person has time for it. */
export function HeldLink() {
  const link = useView((state) => state.heldLink);
  if (!link || link.kind === 'unusable') return null;
  return <LinkToast key={link.kind === 'connect' ? link.url : link.id} link={link} />;
}

function LinkToast({ link }: { readonly link: Exclude<PosternLink, { kind: 'unusable' }> }) {
  const server = useIntegration(link.kind === 'open' ? link.id : undefined);
  const [canFollow, setCanFollow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setCanFollow(true), reading);
    return () => clearTimeout(timer);
  }, []);
  const follow = (): void => {
    if (!canFollow) return;
    dropLink();
    followLink(link);
  };
  return (
    <Toast
      actions={
        <>
          <Button aria-disabled={!canFollow} onClick={follow}>
            {words.link[link.kind]}
          </Button>
          <Button kind="quiet" onClick={dropLink}>
            {words.common.dismiss}
          </Button>
        </>
      }
    >
      <p>
        <HostName>
          {link.kind === 'connect'
            ? words.link.asksToConnect(placeOfAddress(link.url, link.url))
            : words.link.asksToOpen(server?.name)}
        </HostName>
      </p>
      <p>{words.link.held}</p>
    </Toast>
  );
}
