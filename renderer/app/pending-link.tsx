import { useEffect, useState } from 'react';
import type { PosternLink } from '../../shared/ipc-event.ts';
import { isAddressTyped } from '../connect/use-address.ts';
import { Button } from '../components/button.tsx';
import { HostName, hostOfAddress } from '../components/facts.tsx';
import { Toast } from '../components/notice.tsx';
import { checkOf, useIntegration, useSnapshots } from '../store.ts';
import { show, showIntegration, useView } from '../view.ts';
import { words } from '../words.ts';

/** Milliseconds during which clicks are ignored: they may have been aimed at the link shown before. */
const guardPeriod = 500;

/** A link held back until the user has time for it. */
export function PendingLink() {
  const link = useView((state) => state.pendingLink);
  if (!link || link.kind === 'unusable') return null;
  return <LinkToast key={link.kind === 'connect' ? link.url : link.id} link={link} />;
}

function LinkToast({ link }: { readonly link: Exclude<PosternLink, { kind: 'unusable' }> }) {
  const server = useIntegration(link.kind === 'open' ? link.id : undefined);
  const [canFollow, setCanFollow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setCanFollow(true), guardPeriod);
    return () => clearTimeout(timer);
  }, []);
  const follow = (): void => {
    if (!canFollow) return;
    clearLink();
    followLink(link);
  };
  return (
    <Toast
      actions={
        <>
          <Button aria-disabled={!canFollow} onClick={follow}>
            {words.link[link.kind]}
          </Button>
          <Button kind="quiet" onClick={clearLink}>
            {words.common.dismiss}
          </Button>
        </>
      }
    >
      <p>
        <HostName>
          {link.kind === 'connect'
            ? words.link.asksToConnect(hostOfAddress(link.url, link.url))
            : words.link.asksToOpen(server?.name)}
        </HostName>
      </p>
      <p>{words.link.workStays}</p>
    </Toast>
  );
}

/**
 * Reports a link that could not be opened. It has its own toast, because any web page can send links and would
 * otherwise push out other messages.
 */
export function LinkError() {
  const linkError = useView((state) => state.linkError);
  if (!linkError) return null;
  return (
    <Toast
      actions={
        <Button kind="quiet" onClick={() => useView.setState({ linkError: undefined })}>
          {words.common.dismiss}
        </Button>
      }
    >
      <p>{words.link[linkError]}</p>
      <p>{words.link[`${linkError}More`]}</p>
    </Toast>
  );
}

/**
 * Handles a `postern:` link, which a hostile web page may send in bulk. It never replaces user input or a question, and
 * never changes the page under a click: in those cases it is held until the user opens it.
 */
export function receiveLink(link: PosternLink): void {
  if (link.kind === 'unusable') useView.setState({ linkError: 'unusable' });
  else if (isUserBusy(link)) useView.setState({ pendingLink: link });
  else followLink(link);
}

function followLink(link: PosternLink): void {
  if (link.kind === 'connect') show({ name: 'connect', linked: { url: link.url } });
  if (link.kind !== 'open') return;
  const isKnown = useSnapshots.getState().integrations?.some(({ id }) => id === link.id);
  if (isKnown) showIntegration(link.id);
  else useView.setState({ linkError: 'unknown' });
}

function clearLink(): void {
  useView.setState({ pendingLink: undefined });
}

/** `data-in-progress` marks content that would be lost by showing another page. */
const busySelector = 'dialog, [role=alertdialog], [role=menu], [data-in-progress]';
const textFieldSelector = 'textarea, input:not([type=checkbox], [type=radio])';

function isUserBusy({ kind }: PosternLink): boolean {
  if (document.querySelector(busySelector)) return true;
  const field = document.activeElement as HTMLInputElement | HTMLTextAreaElement | null;
  if (field?.matches(textFieldSelector) && field.value !== '') return true;
  const { view } = useView.getState();
  const isConnecting = view.name === 'connect' && (view.connectionId ?? view.linked ?? view.dropped) !== undefined;
  if (kind === 'open') return isConnecting;
  return isConnecting || isAddressTyped(undefined) || checkOf(useSnapshots.getState()) !== undefined;
}
