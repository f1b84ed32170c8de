import { spawn } from 'node:child_process';
import { describeError } from '../../../shared/error-codes.ts';
import { formatCount } from '../../../shared/language.ts';
import type { BrowserAddress } from '../../address/check-address.ts';
import { confusableHosts, signInHosts } from '../../engine/sign-in/agree-to-hosts.ts';
import type {
  CredentialsRequest,
  DevicePage,
  HostsRequest,
  PendingAuthorization,
  SignInEvent,
  SignInInteraction,
  SignInNote,
} from '../../engine/sign-in/sign-in-interaction.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { systemClock } from '../../host/system-ports.ts';
import { openSystemBrowser } from '../../net/system-browser.ts';
import { deviceEndpoint } from '../../oauth/discovery/discovery.ts';
import type { Discovery } from '../../oauth/discovery/discovery.ts';
import type { CallbackVerdict, Clock } from '../../ports.ts';
import { splitAddress } from '../../secret.ts';
import type { CommandContext } from '../command-context.ts';
import { signInModes } from '../options/option-specs.ts';
import type { SignInMode } from '../options/option-specs.ts';
import { optionValue } from '../options/parse-arguments.ts';
import { toCommandError } from '../output/describe-error.ts';
import {
  describeDiscoveryStep,
  describeHostNotes,
  describeUpcomingSignIn,
  describeState,
  discoveryFields,
} from '../output/describe-step.ts';
import type { Output } from '../output/output.ts';
import type { LiveSteps } from '../terminal/terminal-output.ts';
import { askHostsOnTerminal, askCredentialsOnTerminal } from './terminal-credentials.ts';
import type { Terminal } from './terminal-credentials.ts';

interface CliInteractionOptions {
  readonly output: Output;
  readonly steps: LiveSteps;
  readonly terminal: Terminal;
  /** Whether a user can type credentials. */
  readonly canAsk: boolean;
  readonly signIn: SignInMode;
  /** Whether an opened page is visible: openers report success even without a display. */
  readonly canShowBrowser: boolean;
  /** Opens a page in the system's browser. `onFailed` is called on a late failure. Errors: BROWSER_OPEN_FAILED. */
  readonly openBrowser: (address: BrowserAddress, onFailed: () => void) => Promise<void>;
  readonly clock: Pick<Clock, 'now' | 'after'>;
}

/** User interaction of a sign-in on the command line. */
export function createCliInteraction(options: CliInteractionOptions): SignInInteraction {
  const { output, steps, terminal, clock } = options;
  let stopListening: (() => void) | undefined;
  let cancelHint: (() => void) | undefined;
  let current: PendingAuthorization | undefined;
  let lastSummary: string | undefined;
  let isRegistering = false;
  let supportsDeviceSignIn = false;

  /** Shows steps to the user, or writes events with `--json`. */
  function onEvent(event: SignInEvent): void {
    switch (event.event) {
      case 'step': {
        const { url } = event.step;
        // Do not print an API key in the typed address.
        output.event('step', { ...event.step, ...(url !== undefined && { url: splitAddress(url).href }) });
        // Reported by the `method` event that follows.
        if (event.step.step === 'method') return;
        const { mark, text } = describeDiscoveryStep(event.step);
        if (mark) steps.end(mark, text);
        else steps.begin(text);
        return;
      }
      case 'method': {
        supportsDeviceSignIn = deviceEndpoint(event.discovery.metadata) !== undefined;
        const { method } = event.discovery;
        output.event('method', discoveryFields(event.discovery));
        const summary = JSON.stringify([describeUpcomingSignIn(event.discovery), signInHosts(event.discovery)]);
        // Do not repeat an unchanged result.
        if (summary !== lastSummary) {
          const isChange = lastSummary !== undefined;
          steps.end(
            method === 'NoAuth' || isChange ? 'note' : 'done',
            describeUpcomingSignIn(event.discovery, isChange),
          );
          for (const note of describeHostNotes(event.discovery)) steps.end('note', note);
          for (const host of confusableHosts(event.discovery)) warnOfHost(host);
          warnOfAddress(event.discovery);
        }
        lastSummary = summary;
        return;
      }
      case 'state': {
        // A further request may follow; its link replaces this one.
        current = undefined;
        stopListening?.();
        cancelHint?.();
        output.event('state', { state: event.state.name });
        if (isRegistering && event.state.name === 'authorizationPending')
          steps.end('done', 'Registered Postern at the service');
        isRegistering = event.state.name === 'registering';
        const text = describeState(event.state, clock.now);
        if (text === undefined) steps.clear();
        else steps.begin(text);
        return;
      }
      case 'callback':
        // Reported as a state.
        return;
      case 'note': {
        output.event('note', { note: event.note });
        const words = signInNoteWords[event.note];
        if (words !== undefined) steps.end('note', words);
      }
    }
  }

  /** Warns before the sign-in page opens. */
  function warnOfHost(host: string): void {
    const warning = toCommandError(new PosternError('HOST_CONFUSABLE', { stage: 'address', detail: { host } }), {});
    output.event('warning', { ...warning });
    output.notify(`Warning: ${warning.message}\n         ${output.advise(warning.nextStep)}`);
  }

  /** With a typo in the path, discovery still finds the sign-in of the host. Warn before the user signs in. */
  function warnOfAddress({ method, probeStatus }: Discovery): void {
    if (method === 'NoAuth' || (probeStatus !== 404 && probeStatus !== 405)) return;
    output.event('note', { note: 'address-doubtful', status: probeStatus });
    steps.end('note', `The server returned HTTP ${probeStatus}. Check the path of the address.`);
  }

  async function askCredentials(
    request: CredentialsRequest,
    signal: AbortSignal,
  ): ReturnType<SignInInteraction['askCredentials']> {
    if (!options.canAsk) return undefined;
    stopListening?.();
    steps.clear();
    return await askCredentialsOnTerminal(terminal, request, signal);
  }

  async function confirmHosts(request: HostsRequest, signal: AbortSignal): Promise<boolean | undefined> {
    output.event('hosts', { ...request });
    if (!options.canAsk) return undefined;
    stopListening?.();
    steps.clear();
    return await askHostsOnTerminal(terminal, request, signal);
  }

  async function open(pending: PendingAuthorization): Promise<void> {
    const { url, callbackUrl, expiresAt, openBefore, isOwnOAuthApp } = pending;
    current = pending;
    output.event('authorization', { url, callbackUrl, expiresAt, openBefore });
    listenForPaste(pending);
    cancelHint?.();
    cancelHint = clock.after(errorHintDelay, () => interrupt(pending, [errorHint]));
    const hasStarted = options.signIn === 'browser' && (await tryBrowser(pending));
    const isVisible = hasStarted && options.canShowBrowser;
    // A browser that is already signed in may have returned already.
    if (current !== pending) return;
    interrupt(pending, [
      linkIntroductions[
        isVisible ? 'opened' : options.signIn !== 'browser' ? 'requested' : hasStarted ? 'noDisplay' : 'failed'
      ],
      `\n  ${url}\n`,
      ...(openBefore === undefined ? [] : [linkExpiryHint(Math.floor((openBefore - clock.now()) / 1_000))]),
      compareCallback(callbackUrl, isOwnOAuthApp),
      ...(isVisible ? [] : [pasteHint]),
      ...(isVisible || !supportsDeviceSignIn ? [] : [deviceHint]),
    ]);
  }

  function showDevicePage(devicePage: DevicePage): void {
    output.event('device-code', { ...devicePage });
    interrupt(devicePage, describeDevicePage(devicePage));
  }

  async function tryBrowser(pending: PendingAuthorization): Promise<boolean> {
    try {
      let isShown = false;
      let hasFailed = false;
      await options.openBrowser(pending.browserUrl(), () => {
        hasFailed = true;
        if (isShown && current === pending) reportBrowserFailure(pending);
      });
      isShown = true;
      if (hasFailed) output.event('note', { note: 'browser-open-failed' });
      return !hasFailed;
    } catch {
      output.event('note', { note: 'browser-open-failed' });
      return false;
    }
  }

  /** Openers such as xdg-open may only fail after they have started. */
  function reportBrowserFailure(pending: PendingAuthorization): void {
    output.event('note', { note: 'browser-open-failed' });
    interrupt(pending, [
      linkIntroductions.failed,
      `\n  ${pending.url}\n`,
      pasteHint,
      ...(supportsDeviceSignIn ? [deviceHint] : []),
    ]);
  }

  /** A browser on another computer cannot reach the callback here, so the user pastes the address. */
  function listenForPaste(pending: PendingAuthorization): void {
    stopListening?.();
    stopListening = terminal.stdin.forward((line) => {
      const address = line.trim();
      if (address === '') return;
      const verdict = pending.submit(address);
      if (verdict === 'done') return;
      output.event('paste', { verdict });
      interrupt(pending, [pasteMessages[verdict]]);
    });
  }

  /** Writes lines above the waiting step. */
  function interrupt({ expiresAt }: Pick<PendingAuthorization, 'expiresAt'>, lines: readonly string[]): void {
    steps.clear();
    for (const line of lines) output.notify(line);
    const waiting = describeState({ name: 'authorizationPending', expiresAt }, clock.now);
    if (waiting !== undefined) steps.begin(waiting);
  }

  return { onEvent, askCredentials, confirmHosts, open, ...(options.signIn === 'device' && { showDevicePage }) };
}

/** `--sign-in`, if given. Errors: USAGE. */
export function signInMode({ args }: CommandContext): SignInMode | undefined {
  const value = optionValue(args, 'sign-in');
  return signInModes.find((mode) => mode === value);
}

/** Without a display, opening a browser would look like success, so the default is to print the link. */
export function defaultSignInMode(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): SignInMode {
  return env['BROWSER'] || hasDisplay(env, platform) ? 'browser' : 'print';
}

/** The sign-in interaction of a command. */
export function createInteraction(context: CommandContext, signIn: SignInMode): SignInInteraction {
  const { output, steps, stdin, prompt, canAsk } = context;
  return createCliInteraction({
    output,
    steps,
    terminal: { stdin, write: prompt },
    canAsk,
    signIn,
    canShowBrowser: defaultSignInMode(process.env, process.platform) === 'browser',
    openBrowser: (address, onFailed) =>
      openSystemBrowser(address, { env: process.env, platform: process.platform, spawn, onFailed }),
    clock: systemClock,
  });
}

/** Whether a window can be shown. On Linux, a variable has to name a display server. */
export function hasDisplay(env: Readonly<Record<string, string | undefined>>, platform: NodeJS.Platform): boolean {
  if (platform === 'darwin' || platform === 'win32') return true;
  return Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY']);
}

/** For a browser on another computer. */
const pasteHint =
  "Open it on any computer. If the last page does not load there, copy the page's address and paste it here.";

/** Text above the link. `failed`: no browser opened. `requested`: `--sign-in print`. */
const linkIntroductions = {
  opened: 'Sign in on the page in your browser. If it did not open, use this link:',
  noDisplay: 'This computer has no display. Open this link to sign in:',
  failed: 'Postern could not open a browser. Open this link to sign in:',
  requested: 'Open this link to sign in:',
} as const;

/** Milliseconds until the hint about errors that only the page shows. */
const errorHintDelay = 60_000;
const errorHint = 'If the page shows an error, press Ctrl-C and compare the callback URL above.';

/** A service that refuses the redirect URI does not redirect (RFC 6749 4.1.2.1), so only the user sees the error. */
function compareCallback(callbackUrl: string, isOwnOAuthApp = false): string {
  const what = isOwnOAuthApp
    ? 'register exactly this one in your OAuth app'
    : 'contact the owner of the service. Postern sent this one';
  return `If the page rejects the redirect or callback URL, ${what}:\n\n  ${callbackUrl}\n`;
}

/** Messages about a pasted address. */
const pasteMessages: Readonly<Record<Exclude<CallbackVerdict, 'done'>, string>> = {
  failed: 'That is the right address, but Postern could not use its response.',
  'not-valid': 'That is not the callback address of this sign-in. Still waiting.',
  expired: 'This sign-in has expired.',
  refused: 'The sign-in was refused.',
  used: describeError('STATE_REUSED', {}).message,
  superseded: describeError('FLOW_SUPERSEDED', {}).message,
  'opened-twice': describeError('LINK_REUSED', {}).message,
};

/** Texts for sign-in notes; `undefined` if the command line reports it elsewhere. */
const signInNoteWords: Readonly<Record<SignInNote, string | undefined>> = {
  'another-account': 'The service signed you in to a different account. Check that it is the right one.',
  'same-account': 'The service signed you in to the same account as before.',
  'pkce-not-listed': 'The service requires PKCE. Trying again with it.',
  'registered-again': 'The last sign-in was never completed, so Postern registered with the service again.',
  'client-document-refused': 'The service refused the client metadata document. Trying again with a registration.',
  'address-changed': 'The server address was changed outside Postern. This sign-in is for the new address.',
  'browser-open-failed': undefined,
};

/** For a link to a pushed authorization request, which expires (RFC 9126 2.2). */
function linkExpiryHint(seconds: number): string {
  return `Open it within ${formatCount(seconds, 'second')}. Then the link expires.`;
}

/** For a user without a browser here, if the service supports the device flow. */
const deviceHint = 'Or press Ctrl-C and use --sign-in device to enter a code on any device.';

/** Where to enter the code. Anyone who enters it decides which account this computer is signed in to. */
function describeDevicePage({ page, pageWithCode, userCode }: Omit<DevicePage, 'expiresAt'>): string[] {
  const { host } = new URL(page);
  return [
    `On any device, open this page at ${host} and enter the code:`,
    `\n  ${page}\n\n  Code  ${userCode}\n`,
    ...(pageWithCode === undefined
      ? []
      : ['Or open this link, and check that the page shows the same code:', `\n  ${pageWithCode}\n`]),
    'Do not share the code.',
  ];
}
