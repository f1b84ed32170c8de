import type { BrowserAddress } from '../../address/browser-address.ts';
import type { Clock } from '../../ports.ts';
import { deviceEndpoint } from '../../oauth/discovery/device-sign-in.ts';
import type { Discovery } from '../../oauth/discovery/discovery.ts';
import type {
  CredentialsRequest,
  DevicePage,
  HostsRequest,
  PendingAuthorization,
  SignInEvent,
  SignInInteraction,
} from '../../integration/sign-in/sign-in-interaction.ts';
import { confusableHosts } from '../../integration/sign-in/confusable-hosts.ts';
import { splitAddress } from '../../secret-words.ts';
import { PosternError } from '../../postern-error.ts';
import { askHostsOnTerminal } from './ask-hosts.ts';
import {
  describeDiscoveryStep,
  describeParties,
  describeSignInPlace,
  describeState,
  describeVerdict,
} from '../output/describe-step.ts';
import { codeHint, compareCallback, describeDevicePage, lateHint, patience, signInNoteWords } from './sign-in-words.ts';
import { linkIntroductions, openWithin, pasteAnswers, pasteHint } from './sign-in-words.ts';
import { signInHosts } from '../../integration/sign-in/sign-in-hosts.ts';
import type { LiveSteps } from '../output/live-steps.ts';
import type { SignInWay } from '../options/option-choices.ts';
import { toCommandError } from '../output/command-error.ts';
import type { Output } from '../output/output.ts';
import { askOnTerminal } from './terminal-credentials.ts';
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
    const { url, callbackUrl, expiresAt, openBefore } = pending;
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
      compareCallback(callbackUrl),
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
