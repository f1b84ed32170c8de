import { useEffect, useState } from 'react';
import type { PosternLink } from '../../shared/ipc-event.ts';
import { isAddressTyped } from '../connect/use-address.ts';
import { Button } from '../parts/button.tsx';
import { HostName, placeOfAddress } from '../parts/facts.tsx';
import { Toast } from '../parts/notice.tsx';
import { checkOf, useIntegration, useSnapshots } from '../store.ts';
import { show, showIntegration, useView } from '../view.ts';
import { words } from '../words.ts';

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

/** Of a link that led nowhere. It has a place of its own: any page can send one, and Postern has more to say. */
export function LostLink() {
  const lost = useView((state) => state.lostLink);
  if (!lost) return null;
  return (
    <Toast
      actions={
        <Button kind="quiet" onClick={() => useView.setState({ lostLink: undefined })}>
          {words.common.dismiss}
        </Button>
      }
    >
      <p>{words.link[lost]}</p>
      <p>{words.link[`${lost}More`]}</p>
    </Toast>
  );
}

/**
 * What somebody opened, perhaps by a page of the web that sends many. It takes the place of nothing that the person has
 * typed or is asked, and changes no page under a click: then it is held until the person says so.
 */
export function takeLink(link: PosternLink): void {
  if (link.kind === 'unusable') useView.setState({ lostLink: 'unusable' });
  else if (isAtSomething(link)) useView.setState({ heldLink: link });
  else followLink(link);
}

/** Goes where it leads, as a click would. */
function followLink(link: PosternLink): void {
  if (link.kind === 'connect') show({ name: 'connect', linked: { url: link.url } });
  if (link.kind !== 'open') return;
  const isThere = useSnapshots.getState().integrations?.some(({ id }) => id === link.id);
  if (isThere) showIntegration(link.id);
  else useView.setState({ lostLink: 'unknown' });
}

function dropLink(): void {
  useView.setState({ heldLink: undefined });
}

/** `data-at-work` stands at what goes when another page is shown; a field with a text may just be typed in. */
const atWork = 'dialog, [role=alertdialog], [role=menu], [data-at-work]';
const textField = 'textarea, input:not([type=checkbox], [type=radio])';

function isAtSomething({ kind }: PosternLink): boolean {
  if (document.querySelector(atWork)) return true;
  const field = document.activeElement as HTMLInputElement | HTMLTextAreaElement | null;
  if (field?.matches(textField) && field.value !== '') return true;
  const { view } = useView.getState();
  const isConnecting = view.name === 'connect' && (view.connectionId ?? view.linked ?? view.dropped) !== undefined;
  if (kind === 'open') return isConnecting;
  return isConnecting || isAddressTyped(undefined) || checkOf(useSnapshots.getState()) !== undefined;
}
