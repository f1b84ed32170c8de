import { spawn } from 'node:child_process';
import { describeError } from '../../../shared/error-codes.ts';
import { counted } from '../../../shared/language.ts';
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
import { signInWays } from '../options/option-specs.ts';
import type { SignInWay } from '../options/option-specs.ts';
import { optionValue } from '../options/parse-arguments.ts';
import { toCommandError } from '../output/describe-error.ts';
import {
  describeDiscoveryStep,
  describeParties,
  describeSignInPlace,
  describeState,
  describeVerdict,
} from '../output/describe-step.ts';
import type { Output } from '../output/output.ts';
import type { LiveSteps } from '../terminal/terminal-output.ts';
import { askHostsOnTerminal, askOnTerminal } from './terminal-credentials.ts';
import type { Terminal } from './terminal-credentials.ts';

export interface CliInteractionOptions {
  readonly output: Output;
  readonly steps: LiveSteps;
  readonly terminal: Terminal;
  /** Whether somebody is there to type credentials. */
  readonly canAsk: boolean;
  readonly signIn: SignInWay;
  /** Whether a page that was opened can be seen: openers report success without a display, too. */
  readonly canShowBrowser: boolean;
  /** Opens a page in the system's browser; `onFailed` is told where that ends badly. Errors: BROWSER_OPEN_FAILED. */
  readonly openBrowser: (address: BrowserAddress, onFailed: () => void) => Promise<void>;
  readonly clock: Pick<Clock, 'now' | 'after'>;
}

/** The person's side of a sign-in on the command line. */
export function createCliInteraction(options: CliInteractionOptions): SignInInteraction {
  const { output, steps, terminal, clock } = options;
  let stopListening: (() => void) | undefined;
  let cancelHint: (() => void) | undefined;
  let current: PendingAuthorization | undefined;
  let lastTold: string | undefined;
  let isRegistering = false;
  let offersCode = false;

  /** A step for a person to see; programs get events. */
  function onEvent(event: SignInEvent): void {
    switch (event.event) {
      case 'step': {
        const { url } = event.step;
        // A key in the address that was typed is not printed.
        output.event('step', { ...event.step, ...(url !== undefined && { url: splitAddress(url).href }) });
        // The verdict is told by the event after it.
        if (event.step.step === 'method') return;
        const { mark, text } = describeDiscoveryStep(event.step);
        if (mark) steps.end(mark, text);
        else steps.begin(text);
        return;
      }
      case 'method': {
        offersCode = deviceEndpoint(event.discovery.metadata) !== undefined;
        const { method } = event.discovery;
        output.event('method', describeVerdict(event.discovery));
        const told = JSON.stringify([describeSignInPlace(event.discovery), signInHosts(event.discovery)]);
        // What is the same once more, a person need not read twice.
        if (told !== lastTold) {
          const isChange = lastTold !== undefined;
          steps.end(method === 'NoAuth' || isChange ? 'note' : 'done', describeSignInPlace(event.discovery, isChange));
          for (const note of describeParties(event.discovery)) steps.end('note', note);
          for (const host of confusableHosts(event.discovery)) warnOfHost(host);
          doubtAddress(event.discovery);
        }
        lastTold = told;
        return;
      }
      case 'state': {
        // Also where a further request follows: its link takes the place of the first one.
        current = undefined;
        stopListening?.();
        cancelHint?.();
        output.event('state', { state: event.state.name });
        if (isRegistering && event.state.name === 'authorizationPending')
          steps.end('done', 'Postern has registered itself there');
        isRegistering = event.state.name === 'registering';
        const text = describeState(event.state, clock.now);
        if (text === undefined) steps.clear();
        else steps.begin(text);
        return;
      }
      case 'callback':
        // What it says comes as a state.
        return;
      case 'note': {
        output.event('note', { note: event.note });
        const words = signInNoteWords[event.note];
        if (words !== undefined) steps.end('note', words);
      }
    }
  }

  /** Said before the sign-in page opens. */
  function warnOfHost(host: string): void {
    const warning = toCommandError(new PosternError('HOST_CONFUSABLE', { stage: 'address', detail: { host } }), {});
    output.event('warning', { ...warning });
    output.tell(`Warning: ${warning.message}\n         ${output.advise(warning.nextStep)}`);
  }

  /** A typing error in the path still finds the sign-in of the whole host; nobody should sign in for that. */
  function doubtAddress({ method, probeStatus }: Discovery): void {
    if (method === 'NoAuth' || (probeStatus !== 404 && probeStatus !== 405)) return;
    output.event('note', { note: 'address-doubtful', status: probeStatus });
    steps.end('note', `This address answered ${probeStatus}: is the path right?`);
  }

  async function askCredentials(
    request: CredentialsRequest,
    signal: AbortSignal,
  ): ReturnType<SignInInteraction['askCredentials']> {
    if (!options.canAsk) return undefined;
    stopListening?.();
    steps.clear();
    return await askOnTerminal(terminal, request, signal);
  }

  async function askHosts(request: HostsRequest, signal: AbortSignal): Promise<boolean | undefined> {
    output.event('hosts', { ...request });
    if (!options.canAsk) return undefined;
    stopListening?.();
    steps.clear();
    return await askHostsOnTerminal(terminal, request, signal);
  }

  async function open(pending: PendingAuthorization): Promise<void> {
    const { url, callbackUrl, expiresAt, openBefore, isOwnApp } = pending;
    current = pending;
    output.event('authorization', { url, callbackUrl, expiresAt, openBefore });
    listenForPaste(pending);
    cancelHint?.();
    cancelHint = clock.after(patience, () => interrupt(pending, [lateHint]));
    const started = options.signIn === 'browser' && (await tryBrowser(pending));
    const opened = started && options.canShowBrowser;
    // A browser that needs no person may have brought the answer already.
    if (current !== pending) return;
    interrupt(pending, [
      linkIntroductions[opened ? 'shown' : options.signIn !== 'browser' ? 'asked' : started ? 'hidden' : 'failed'],
      `\n  ${url}\n`,
      ...(openBefore === undefined ? [] : [openWithin(Math.floor((openBefore - clock.now()) / 1_000))]),
      compareCallback(callbackUrl, isOwnApp),
      ...(opened ? [] : [pasteHint]),
      ...(opened || !offersCode ? [] : [codeHint]),
    ]);
  }

  function showDevicePage(shown: DevicePage): void {
    output.event('device-code', { ...shown });
    interrupt(shown, describeDevicePage(shown));
  }

  async function tryBrowser(pending: PendingAuthorization): Promise<boolean> {
    try {
      let isShown = false;
      let hasFailed = false;
      await options.openBrowser(pending.browserUrl(), () => {
        hasFailed = true;
        if (isShown && current === pending) tellFailure(pending);
      });
      isShown = true;
      if (hasFailed) output.event('note', { note: 'browser-open-failed' });
      return !hasFailed;
    } catch {
      output.event('note', { note: 'browser-open-failed' });
      return false;
    }
  }

  /** Openers such as xdg-open find out late that there is nothing to open a page with. */
  function tellFailure(pending: PendingAuthorization): void {
    output.event('note', { note: 'browser-open-failed' });
    interrupt(pending, [
      linkIntroductions.failed,
      `\n  ${pending.url}\n`,
      pasteHint,
      ...(offersCode ? [codeHint] : []),
    ]);
  }

  /** Browsers on other machines cannot reach the callback here; a person carries the address over. */
  function listenForPaste(pending: PendingAuthorization): void {
    stopListening?.();
    stopListening = terminal.stdin.forward((line) => {
      const address = line.trim();
      if (address === '') return;
      const verdict = pending.submit(address);
      if (verdict === 'done') return;
      output.event('paste', { verdict });
      interrupt(pending, [pasteAnswers[verdict]]);
    });
  }

  /** Writes lines while the waiting goes on below them. */
  function interrupt({ expiresAt }: Pick<PendingAuthorization, 'expiresAt'>, lines: readonly string[]): void {
    steps.clear();
    for (const line of lines) output.tell(line);
    const waiting = describeState({ name: 'authorizationPending', expiresAt }, clock.now);
    if (waiting !== undefined) steps.begin(waiting);
  }

  return { onEvent, askCredentials, askHosts, open, ...(options.signIn === 'device' && { showDevicePage }) };
}

/** `--sign-in`, when it was given. Errors: USAGE. */
export function signInWay({ args }: CommandContext): SignInWay | undefined {
  const given = optionValue(args, 'sign-in');
  return signInWays.find((way) => way === given);
}

/** Opening a browser where none can be shown looks like success, so there the link is for another computer. */
export function defaultSignInWay(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): SignInWay {
  return env['BROWSER'] || hasDisplay(env, platform) ? 'browser' : 'print';
}

/** The command line as the person's side of a sign-in. */
export function createInteraction(context: CommandContext, signIn: SignInWay): SignInInteraction {
  const { output, steps, stdin, prompt, canAsk } = context;
  return createCliInteraction({
    output,
    steps,
    terminal: { stdin, write: prompt },
    canAsk,
    signIn,
    canShowBrowser: defaultSignInWay(process.env, process.platform) === 'browser',
    openBrowser: (address, onFailed) =>
      openSystemBrowser(address, { env: process.env, platform: process.platform, spawn, onFailed }),
    clock: systemClock,
  });
}

/** Whether a window can be shown here: elsewhere than on macOS and Windows a display server has to be named. */
export function hasDisplay(env: Readonly<Record<string, string | undefined>>, platform: NodeJS.Platform): boolean {
  if (platform === 'darwin' || platform === 'win32') return true;
  return Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY']);
}

/** For a browser on another computer. */
export const pasteHint =
  "Open it on any computer. When the browser ends on a page that it cannot show, copy that page's address and paste it here.";

/** Above the link, by what became of a browser here. `asked`: none was wanted. */
export const linkIntroductions = {
  shown: 'Your browser should show the sign-in page now. If it does not, open this link:',
  hidden: 'No browser could be shown here. Open this link to sign in:',
  failed: 'No browser could be opened here. Open this link to sign in:',
  asked: 'Open this link to sign in:',
} as const;

/** Milliseconds after which a person who waits may be looking at an error that only the page shows. */
export const patience = 60_000;
/** For them. */
export const lateHint = 'If the page shows an error, press Ctrl-C and compare the callback URL above.';

/** A page that refuses the redirect URI leads back to nobody (RFC 6749 section 4.1.2.1), so only the user can see that. */
export function compareCallback(callbackUrl: string, isOwnApp = false): string {
  const what = isOwnApp
    ? 'your OAuth app has to have exactly this one'
    : 'tell the owner of the service. Postern gave it this one';
  return `If the page refuses the redirect or callback URL, ${what}:\n\n  ${callbackUrl}\n`;
}

/** What happened to a pasted address. */
export const pasteAnswers: Readonly<Record<Exclude<CallbackVerdict, 'done'>, string>> = {
  failed: 'That is the right address, but its answer could not be used.',
  'not-valid': 'That is not the address that this sign-in ends on. Still waiting.',
  expired: 'That address came too late.',
  refused: 'The sign-in was refused.',
  used: describeError('STATE_REUSED', {}).message,
  superseded: describeError('FLOW_SUPERSEDED', {}).message,
  'opened-twice': describeError('LINK_REUSED', {}).message,
};

/** What a step of the sign-in says of a note; nothing for one that the command line tells by itself. */
export const signInNoteWords: Readonly<Record<SignInNote, string | undefined>> = {
  'another-account': 'The service answered for another account. Check it.',
  'same-account': 'The service answered for the same account as before.',
  'pkce-not-listed': 'The service wants PKCE: once more, with it.',
  'registered-again': 'The sign-in page did not answer the last time: Postern has registered with the service again.',
  'client-document-refused': 'The service refused the client metadata document: once more, with a registration.',
  'address-changed': 'Its address was changed outside Postern. The sign-in is for the new one.',
  'browser-open-failed': undefined,
};

/** Of a link that refers to what the service keeps only so long (RFC 9126 section 2.2). */
export function openWithin(seconds: number): string {
  return `Open it within ${counted(seconds, 'second')}: the service forgets it then.`;
}

/** For a person who has no browser here, where the service offers that. */
export const codeHint =
  'Or end this with Ctrl-C and use --sign-in device: this service gives you a code for any device.';

/** Where to sign in with a code. Whoever enters it there decides who this computer is signed in as. */
export function describeDevicePage({ page, pageWithCode, userCode }: Omit<DevicePage, 'expiresAt'>): string[] {
  const { host } = new URL(page);
  return [
    `On any device, open this page of ${host} and enter the code:`,
    `\n  ${page}\n\n  Code  ${userCode}\n`,
    ...(pageWithCode === undefined
      ? []
      : ['This link has the code already. Compare it with the one that the page shows:', `\n  ${pageWithCode}\n`]),
    'Give the code to nobody else.',
  ];
}
