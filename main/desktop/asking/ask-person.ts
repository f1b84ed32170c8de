import type { DesktopShell, PersonQuestion } from '../../window-ports.ts';

export type AskPerson = (question: PersonQuestion) => Promise<boolean>;

/**
 * Asks before something is destroyed, outside of any page: a script in the window can make a call, and not answer this.
 * While one question is open another one is a no, so that nobody is worn down by them.
 */
export function createAskPerson({ confirm }: Pick<DesktopShell, 'confirm'>): AskPerson {
  let isOpen = false;
  return async (question) => {
    if (isOpen) return false;
    isOpen = true;
    try {
      return await confirm(question);
    } finally {
      isOpen = false;
    }
  };
}
