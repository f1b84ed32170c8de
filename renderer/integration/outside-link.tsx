import { HostName } from '../parts/host-name.tsx';
import { postern } from '../postern.ts';
import { words } from '../words.ts';
import { outsideAddress } from './outside-address.ts';

/** A link of a result: text with the host that it leads to, opened in the browser by a click alone. */
export function OutsideLink({
  call,
  text,
  url,
}: {
  readonly call: string;
  readonly text: string;
  readonly url: string;
}) {
  const address = outsideAddress(url);
  if (!address) return text === '' ? url : `${text} (${url})`;
  const { href, host } = address;
  const open = (): void => void postern.result.open({ call, url });
  return (
    <button
      type="button"
      className="outside-link"
      title={href}
      aria-label={words.tools.openLink(text, host)}
      onClick={open}
    >
      {text === '' ? <HostName>{href}</HostName> : text} {text !== '' && <span className="faint">({host})</span>}
    </button>
  );
}
