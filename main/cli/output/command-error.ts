import type { PlainError } from '../../../shared/error-codes.ts';
import { isAbout } from '../../../shared/error-facts.ts';
import { networkFaults } from '../../../shared/network-fault.ts';
import type { NetworkFault } from '../../../shared/network-fault.ts';
import { oauthErrors } from '../../../shared/oauth.ts';
import type { OAuthError } from '../../../shared/oauth.ts';
import type { PasteLines } from '../../../shared/remedy.ts';
import { AmbiguousReference } from '../../closest-word.ts';
import { PosternError, readDetail, toPlainError } from '../../errors/postern-error.ts';
import { printableLine } from '../text/printable.ts';
import { describeRemedy } from './describe-remedy.ts';
import type { Situation } from './write-command.ts';

/** What a script may want of an error, beside the sentences. */
interface ErrorFacts {
  /** What stood in the way of the connection, where that is known. */
  readonly fault?: NetworkFault;
  /** What the authorization server called it, where that is a name of an RFC that we know. */
  readonly oauthError?: OAuthError;
  /** Names of the scopes that the server wants and that are not there, made fit to be shown. */
  readonly missingScopes?: readonly string[];
  /** They were asked for already: what the sign-in service did with that. */
  readonly scopeAnswer?: 'refused' | 'granted';
}

/** An error as the command line tells it: in `--json` output too the next step is a sentence. */
export type CommandError = Omit<PlainError, 'remedy' | 'detail' | 'about'> &
  ErrorFacts & {
    readonly nextStep: string;
    /** The redirect address to register, where a client id has to be had by hand (spec 2.11). */
    readonly callbackUrl?: string;
    /** What the next step speaks of. */
    readonly paste?: Pick<PasteLines, 'path' | 'lines' | 'secret'>;
    /** The servers that one reference means. */
    readonly candidates?: readonly Readonly<Record<'id' | 'name', string>>[];
  };

/** What is thrown, for a person at a command line. Of an error that is not ours nothing is shown. */
export function toCommandError(error: unknown, at: Situation): CommandError {
  // What fills the gaps of the sentence is in the sentence, and scripts have the code.
  const { remedy, detail: _detail, about: _about, ...told } = toPlainError(error);
  const paste = remedy.kind === 'paste-lines' && { path: remedy.path, lines: remedy.lines, secret: remedy.secret };
  return {
    ...told,
    ...(error instanceof PosternError && { message: told.message + meantWord(error), ...factsOf(error) }),
    ...('callbackUrl' in remedy && remedy.callbackUrl !== undefined && { callbackUrl: remedy.callbackUrl }),
    nextStep: describeRemedy(remedy, at),
    ...(paste && { paste }),
    ...(error instanceof AmbiguousReference && { candidates: error.candidates.map(({ id, name }) => ({ id, name })) }),
  };
}

/** What was probably typed wrong, where the sentence of the error does not say so itself. */
function meantWord(error: PosternError): string {
  const { meant } = readDetail(error);
  if (typeof meant !== 'string' || isAbout(error, 'names-meant')) return '';
  return ` Did you mean “${printableLine(meant, 120)}”?`;
}

/** Names from our own lists alone, and of scopes what `nameScopes` has made of them. */
function factsOf(error: PosternError): ErrorFacts {
  const { fault, error: refusal, scopes, scopeAnswer } = readDetail(error);
  const knownFault = networkFaults.find((known) => known === fault);
  const oauthError = oauthErrors.find((known) => known === refusal);
  return {
    ...(knownFault && { fault: knownFault }),
    ...(oauthError && { oauthError }),
    ...(scopes && { missingScopes: scopes }),
    ...(scopeAnswer && { scopeAnswer }),
  };
}
