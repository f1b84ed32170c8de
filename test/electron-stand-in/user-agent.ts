import type { CdpConnection, CdpParams, CdpSession } from './cdp-connection.ts';

let program = '';

export function setAppName(name: string, version: string): void {
  program = `${name.replaceAll(' ', '')}/${version}`;
}

/** Electron's user agent for pages: the app, Chromium and Electron, each with its version. */
function userAgent(): string {
  const { chrome, electron } = process.versions as Readonly<Record<string, string>>;
  const system = { darwin: 'Macintosh; Intel Mac OS X 10_15_7', win32: 'Windows NT 10.0; Win64; x64' };
  const place = system[process.platform as keyof typeof system] ?? 'X11; Linux x86_64';
  return `Mozilla/5.0 (${place}) AppleWebKit/537.36 (KHTML, like Gecko) ${program} Chrome/${chrome} Electron/${electron} Safari/537.36`;
}

/** Sets the user agent of a page and its frames; cross-site frames have their own sessions. */
export function applyUserAgent(connection: CdpConnection, session: CdpSession): void {
  const version = process.versions['chrome']?.split('.')[0] ?? '';
  const brands = [
    { brand: 'Not?A_Brand', version: '99' },
    { brand: 'Chromium', version },
  ];
  const names = { darwin: 'macOS', win32: 'Windows' };
  const platform = names[process.platform as keyof typeof names] ?? 'Linux';
  const metadata = { brands, platform, platformVersion: '', architecture: '', model: '', mobile: false };
  session.post('Network.setUserAgentOverride', { userAgent: userAgent(), userAgentMetadata: metadata });
  session.on('Target.attachedToTarget', ({ sessionId }: CdpParams) =>
    applyUserAgent(connection, connection.session(String(sessionId))),
  );
}
