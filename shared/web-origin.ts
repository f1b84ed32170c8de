const address = /^(https?):\/\/(\[[0-9a-f:]+\]|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::(\d{1,5}))?(?:[/?#].*)?$/;
/** Where a person's own computer is reached. */
const here = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The origin of a web page as a browser sends it (RFC 6454 section 6.2), of any address of that page. Without TLS only
 * of a page on this computer: any other may be somebody in between.
 */
export function readWebOrigin(text: string): string | undefined {
  const [, scheme = '', host = '', port] = address.exec(text.toLowerCase()) ?? [];
  if (scheme !== 'https' && !here.includes(host)) return undefined;
  const isUsual = port === undefined || Number(port) === (scheme === 'https' ? 443 : 80);
  return `${scheme}://${host}${isUsual ? '' : `:${Number(port)}`}`;
}
