import { Button } from '../parts/button.tsx';
import { HostName } from '../parts/host-name.tsx';
import { placeOfAddress } from '../parts/place-of-address.ts';
import { Toast } from '../parts/toast.tsx';
import { useIntegration } from '../store.ts';
import { useView } from '../view.ts';
import { words } from '../words.ts';
import { dropLink, followLink } from './take-link.ts';

/** A link that waits until the person has time for it. */
export function HeldLink() {
  const link = useView((state) => state.heldLink);
  const server = useIntegration(link?.kind === 'open' ? link.id : undefined);
  if (!link || link.kind === 'unusable') return null;
  const follow = (): void => {
    dropLink();
    followLink(link);
  };
  return (
    <Toast
      actions={
        <>
          <Button onClick={follow}>{words.link[link.kind]}</Button>
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
