import { displayText } from '../../address/display-text.ts';
import type { PosternError } from '../../postern-error.ts';
import type { DesktopShell } from '../../window-ports.ts';
import { windowWords } from '../../window-words.ts';
import type { IntegrationBoard } from '../state/integration-board.ts';

/** A call of a program that was refused, and that only the person can make possible. */
interface Need {
  readonly integration: { readonly id: string; readonly name: string };
  readonly program: string;
  readonly error: PosternError;
  readonly wayOut: keyof typeof windowWords.programNeeds;
}

/** Puts the one card on the integration and tells of it; no window comes by itself, and nothing is called again. */
export function showNeed(board: Pick<IntegrationBoard, 'want'>, notify: DesktopShell['notify']): (need: Need) => void {
  return ({ integration: { id, name }, program, error, wayOut }) => {
    board.want(id, program, error);
    const body = windowWords.programNeeds[wayOut](program);
    notify({ title: displayText(name), body, integrationId: id });
  };
}
