import { Fragment } from 'react';

/** A host or an address that breaks after its dots and slashes, where reading it in two lines misleads nobody. */
export function HostName({ children }: { readonly children: string }) {
  return (
    <>
      {children.split(/(?<=[./?&])(?=[^./?&])/).map((part, index) => (
        <Fragment key={`${part} ${index}`}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </>
  );
}

/** The host of an address with its port, in punycode as WHATWG prints it; `otherwise` where it is no address. */
export function placeOfAddress(address: string | undefined, otherwise: string): string {
  return URL.parse(address ?? '')?.host || otherwise;
}
