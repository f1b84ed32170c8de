import type { Mutant } from './mutant.ts';
import { removedCheck } from './removed-check.ts';

const script = ['e2e', 'e2e/hostile-script.test.ts'] as const;

/** What keeps our own pages from the network, each layer by itself. */
export const removedWindowChecks: readonly Mutant[] = [
  removedCheck(
    'webrtc-past-the-proxy',
    ['windows/guard-contents.ts', "contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');", ''],
    [...script, 'a page without our headers'],
    ['e2e', 'e2e/window-guards.test.ts', 'sends no datagram past the proxy'],
  ),
  removedCheck(
    'network-of-our-own-pages',
    ['app/start-program.ts', 'sealSession(session.defaultSession);', 'Promise.resolve();'],
    [...script, 'a page without our headers'],
  ),
  removedCheck(
    'loopback-past-the-proxy',
    ['windows/seal-session.ts', "proxyBypassRules: '<-loopback>',", ''],
    [...script, 'a page without our headers'],
  ),
  removedCheck(
    'names-looked-up',
    ['windows/app-protocol.ts', "'connection-allowlist': connections,", ''],
    [...script, 'no name looked up'],
  ),
  removedCheck(
    'proxy-of-the-sealed-session',
    ['app/system-proxy.ts', "session.fromPartition('system-proxy', { cache: false });", 'session.defaultSession;'],
    [...script, 'the program itself the one of the system'],
  ),
  removedCheck(
    'a-page-that-left',
    ['windows/main-window.ts', 'setImmediate(() => showPage(window));', ';'],
    [...script, 'no name looked up'],
  ),
];
