import type { PlainError } from '../../shared/error-codes.ts';
import type { Remedy } from '../../shared/remedy.ts';

/** What a button under an error does; the caller implements it. */
export type ErrorAction =
  | 'retry'
  | 'local'
  | 'allowHost'
  | 'allowHttp'
  | 'legacy'
  | 'apiKey'
  | 'addresses'
  | 'scopes'
  | 'pkceWhenListed'
  | 'withoutResource'
  | 'editAddress'
  | 'port'
  | 'storage'
  | 'logs'
  | 'signIn'
  | 'grant'
  | 'remove'
  | 'settings'
  | 'review'
  | 'sendAnyway';

const tryOrEdit = ['retry', 'editAddress'] as const;

/** Actions by remedy, best first. There is always at least one. */
const actions: Readonly<Record<Remedy['kind'], readonly [ErrorAction, ...ErrorAction[]]>> = {
  'correct-address': ['editAddress'],
  'check-address': ['editAddress', 'retry'],
  'correct-key': ['editAddress'],
  'correct-client-key': tryOrEdit,
  'renew-assertion': ['retry'],
  'check-connection': tryOrEdit,
  'check-proxy': tryOrEdit,
  'check-clock': tryOrEdit,
  'free-port': ['retry', 'port'],
  wait: ['retry'],
  'try-again': ['retry'],
  'go-on': tryOrEdit,
  'contact-owner': tryOrEdit,
  report: ['retry', 'logs'],
  'unlock-keychain': ['retry', 'storage'],
  'replace-sign-in': ['signIn', 'storage'],
  'fix-files': ['storage', 'retry'],
  'trust-certificate': tryOrEdit,
  'check-certificate': tryOrEdit,
  'allow-local': ['local', 'editAddress'],
  'allow-http': ['allowHttp', 'editAddress'],
  'allow-host': ['allowHost', 'editAddress'],
  'agree-to-hosts': tryOrEdit,
  'give-address': ['editAddress'],
  'connect-otherwise': ['legacy', 'apiKey', 'addresses', 'settings'],
  'type-endpoints': ['addresses', 'settings', 'editAddress'],
  'relax-pkce': ['pkceWhenListed'],
  'ask-other-scopes': ['scopes', 'retry', 'withoutResource'],
  'without-resource': ['retry', 'withoutResource'],
  'try-other-options': ['retry', 'withoutResource'],
  'type-credentials': tryOrEdit,
  'type-undemanding-credentials': tryOrEdit,
  'correct-credentials': tryOrEdit,
  'replace-credentials': tryOrEdit,
  'check-client': ['retry', 'withoutResource'],
  'check-document': tryOrEdit,
  'start-again': ['retry'],
  'open-link': tryOrEdit,
  'compare-scopes': tryOrEdit,
  'sign-in': ['signIn'],
  'sign-in-or-remove': ['signIn', 'remove'],
  'grant-scopes': ['grant'],
  'await-renewal': ['retry', 'signIn'],
  'use-as-it-is': tryOrEdit,
  'fit-arguments': ['sendAnyway'],
  'list-tools': tryOrEdit,
  'list-resources': tryOrEdit,
  'list-prompts': tryOrEdit,
  'replace-key': ['remove'],
  'choose-name': tryOrEdit,
  'find-name': tryOrEdit,
  'allow-command': ['retry'],
  'connect-command': ['retry', 'remove'],
  'start-server': ['retry'],
  'name-folder': tryOrEdit,
  'see-output': ['retry'],
  'find-app': tryOrEdit,
  'allow-app': tryOrEdit,
  'review-tools': ['review', 'retry'],
  'resume-apps': ['retry'],
  'resume-app': ['retry'],
  'choose-entry-name': tryOrEdit,
  'paste-lines': ['retry'],
  'set-up-keychain': ['storage'],
  'test-storage': ['storage', 'retry'],
  'fix-settings': ['storage'],
  'correct-input': tryOrEdit,
};

/** Offers `editAddress` only if the address may be what is wrong. */
export function listActions({ remedy, blame }: Pick<PlainError, 'remedy' | 'blame'>): readonly ErrorAction[] {
  // A host that turned out to be internal (DNS rebinding) must not be allowed with a button.
  const known = remedy.kind === 'allow-local' && remedy.because === 'rebound' ? [] : actions[remedy.kind];
  const applicable = known.filter((action) => action !== 'editAddress' || blame === 'input');
  return applicable.length === 0 ? ['retry'] : applicable;
}

/** The host to allow, if that is the remedy. */
export function hostToAllow(remedy: Remedy): string | undefined {
  return remedy.kind === 'allow-host' ? remedy.host : undefined;
}
