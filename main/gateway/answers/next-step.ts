import { timeOfDay } from '../../../shared/error-catalogue/catalogue-entry.ts';
import type { Remedy } from '../../../shared/remedy.ts';

/** What helps, in a sentence that a model can act on or pass on to the person. */
export interface NextStep {
  readonly text: string;
  /** Once that is done, the same call can be made again: none of it has happened. */
  readonly callAgain: boolean;
}

/** A server: how it is shown, and how a command names it; and how a person types that command, if they can. */
interface Named {
  readonly name: string;
  readonly reference: string;
  readonly command: string | undefined;
}

/**
 * The words of a remedy for a model: no button, and no command but those that sign in and resume, since `postern serve`
 * has no window.
 */
export function describeNextStep(remedy: Remedy, { name, reference, command }: Named): NextStep {
  const orToRun = (words: string): string => (command === undefined ? '' : ` (or to run \`${command} ${words}\`)`);
  const orToSignIn = (what: 'refresh' | 'tools'): string => orToRun(`${what} ${reference} --sign-in browser`);
  const ask = (what: string): NextStep => ({ text: `Ask the person to ${what}.`, callAgain: true });
  const choose = `open Postern, choose “${name}”`;
  switch (remedy.kind) {
    case 'sign-in':
    case 'sign-in-or-remove':
    case 'replace-credentials':
      return ask(`open Postern and choose “${name}”, Sign in${orToSignIn('refresh')}`);
    case 'check-client':
    case 'correct-credentials':
      return ask(`${choose}, check its client ID and client secret, and sign in again`);
    case 'grant-scopes':
      return remedy.answered
        ? ask(`have the administrator of the service grant them, and then to sign in again in Postern under “${name}”`)
        : ask(`${choose} and grant the permissions${orToSignIn('tools')}`);
    case 'replace-key':
      return ask(`${choose} and give its key again`);
    case 'await-renewal':
      if (remedy.until !== undefined) return { text: `Wait until ${timeOfDay(remedy.until)}.`, callAgain: true };
      return remedy.first
        ? describeNextStep(remedy.first, { name, reference, command })
        : { text: 'Wait a minute.', callAgain: true };
    case 'allow-command':
      return ask(`look at what “${name}” runs, and allow it${orToRun(`start ${reference}`)}`);
    case 'connect-command':
      return ask(`connect “${name}” again in Postern, with its command`);
    case 'start-server':
      return ask(`start “${name}” again${orToRun(`start ${reference}`)}`);
    case 'name-folder':
      return ask(`put the folder of “${name}” back, or connect it again in Postern with another one`);
    case 'see-output':
      return ask(`look at what “${name}” has written${orToRun(`logs ${reference}`)}`);
    case 'review-tools':
      return ask(`${choose}, Permissions, and look at what has changed${orToRun(`review ${reference}`)}`);
    case 'resume-programs':
      return ask(`let programs go on in Postern${orToRun('settings programsPaused false')}`);
    case 'resume-program': {
      const { name: who = 'this program', program } = remedy;
      const typed = program === undefined ? '' : orToRun(`programs ${program} --resume`);
      return ask(`let ${who} go on in Postern, under Programs${typed}`);
    }
    case 'find-name':
      return ask('look in Postern whether this server is still connected');
    case 'list-tools':
      return { text: 'List the tools of this server again: this one may have another name now.', callAgain: false };
    case 'list-resources':
      return { text: 'List the resources of this server again.', callAgain: false };
    case 'list-prompts':
      return { text: 'List the prompts of this server again.', callAgain: false };
    case 'trust-certificate':
      return ask(
        remedy.whose === 'company'
          ? 'have the certificate of their company put into the store of this computer'
          : 'put their certificate into the store of this computer',
      );
    case 'check-certificate':
      return ask(
        remedy.problem === 'name'
          ? `check the address of “${name}”: its certificate is for another name`
          : `have the owner of “${name}” replace its certificate`,
      );
    case 'set-up-keychain':
    case 'test-storage':
      return ask('look in the settings of Postern, under storage, what its keychain lacks');
    case 'mend-settings':
      return ask('open Postern and fix its settings file, which it names');
    case 'allow-local':
    case 'allow-http':
    case 'allow-host':
    case 'agree-to-hosts':
    case 'give-address':
    case 'connect-otherwise':
    case 'type-endpoints':
    case 'relax-pkce':
    case 'ask-other-scopes':
    case 'without-resource':
    case 'try-other-options':
    case 'type-credentials':
    case 'type-undemanding-credentials':
    case 'check-document':
    case 'start-again':
    case 'open-link':
    case 'compare-scopes':
    case 'choose-name':
    case 'find-program':
    case 'choose-entry-name':
    case 'paste-lines':
    case 'correct-input':
    case 'use-as-it-is':
      return ask(`open Postern and connect “${name}” again, which says what stands in the way`);
    case 'allow-program':
      return { text: 'Ask the person to allow it in Postern.', callAgain: false };
    // Said alike everywhere. What says by itself how to go on needs no more.
    case 'wait':
    case 'try-again':
    case 'go-on':
      return { text: remedy.advice, callAgain: false };
    case 'tell-owner':
    case 'report':
      return { text: `Tell the person: ${remedy.advice}`, callAgain: false };
    case 'correct-address':
    case 'check-address':
    case 'correct-key':
    case 'correct-client-key':
    case 'renew-assertion':
    case 'check-connection':
    case 'check-proxy':
    case 'check-clock':
    case 'free-port':
    case 'unlock-keychain':
    case 'replace-sign-in':
    case 'mend-files':
      return { text: `Tell the person: ${remedy.advice}`, callAgain: true };
  }
}
