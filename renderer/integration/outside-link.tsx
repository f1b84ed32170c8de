import { HostName } from '../parts/host-name.tsx';
import { postern } from '../postern.ts';
import { words } from '../words.ts';

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
  const host = hostOf(url);
  if (host === undefined) return text === '' ? url : `${text} (${url})`;
  const open = (): void => void postern.result.open({ call, url });
  return (
    <button
      type="button"
      className="outside-link"
      title={url}
      aria-label={words.tools.openLink(text, host)}
      onClick={open}
    >
      {text === '' ? <HostName>{url}</HostName> : text} {text !== '' && <span className="faint">({host})</span>}
    </button>
  );
}

/** As our own parser prints it, in punycode. */
function hostOf(url: string): string | undefined {
  try {
    const { protocol, host } = new URL(url);
    return protocol === 'https:' || protocol === 'http:' ? host : undefined;
  } catch {
    return undefined;
  }
}
