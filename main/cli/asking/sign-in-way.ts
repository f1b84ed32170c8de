import { spawn } from 'node:child_process';
import { systemClock } from '../../engine/clock.ts';
import type { SignInInteraction } from '../../integration/sign-in/sign-in-interaction.ts';
import { openSystemBrowser } from '../../user-agent/browser/system-browser.ts';
import { createCliInteraction } from './cli-interaction.ts';
import type { CommandContext } from '../command-context.ts';
import type { SignInWay } from '../options/option-choices.ts';
import { signInWays } from '../options/option-choices.ts';
import { optionValue } from '../options/option-values.ts';

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
