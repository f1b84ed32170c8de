import type { ErrorCode } from '../../shared/error-codes.ts';
import { displayText } from '../address/display-text.ts';
import type { PosternError } from '../postern-error.ts';
import type { DesktopShell } from '../window-ports.ts';
import { windowWords } from '../window-words.ts';
import type { IntegrationBoard } from './integration-board.ts';

/** A call of a program that was refused, and that only the person can make possible. */
interface Need {
  readonly integration: { readonly id: string; readonly name: string };
  readonly program: string;
  readonly error: PosternError;
}

/** Puts the one card on the integration and tells of it; no window comes by itself, and nothing is called again. */
export function showNeed(
  board: Pick<IntegrationBoard, 'want'>,
  notify: DesktopShell['notify'],
): ({ integration, program, error }: Need) => void {
  return ({ integration: { id, name }, program, error }) => {
    board.want(id, program, error);
    const body = windowWords.programNeeds[wayOut(error.code)](program);
    notify({ title: displayText(name), body, integrationId: id });
  };
}

function wayOut(code: ErrorCode): keyof typeof windowWords.programNeeds {
  if (code === 'SCOPE_REQUIRED') return 'permissions';
  return code === 'API_KEY_REFUSED' || code === 'API_KEY_MISSING' ? 'key' : 'signIn';
}
