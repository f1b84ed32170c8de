import type { RefusedQuestion } from '../../../shared/question-view.ts';
import type { QuestionField, TextFormat } from '../../../shared/question-field.ts';

/** What servers ask while they work for somebody. */
export const questionWords = {
  during: (server: string, host: string, tool: string) => `“${server}” (${host}) asks while “${tool}” runs`,
  byItself: (server: string, host: string) => `“${server}” (${host}) asks while it works for you`,
  decline: 'Decline',
  send: 'Send',
  open: 'Open in browser',
  done: 'I’m through with it',
  secret: 'This looks like a secret. Type no password, key or code here: the server should ask for that on a page.',
  page: (place: string) => `It wants to open a page at ${place}:`,
  confusable: 'The name of that host may look like another one. Look twice.',
  opened: 'The page is open in your browser. Come back once you are through with it.',
  failed: 'No browser could be opened. Open the address yourself, then come back.',
  remaining: (time: string) => `Without an answer the server is told in ${time} that nobody gave one.`,
  refused: {
    address: 'The server wanted to open an address that Postern does not open. It was told no.',
    form: 'The server asked for something that cannot be asked here. It was told no.',
    'too-many': 'The server asks too often. From here on it gets no answer.',
    'too-late': 'The server got no answer to its question, since nobody gave one in time.',
  } satisfies Record<RefusedQuestion, string>,
  formats: {
    email: 'An email address.',
    uri: 'An address, such as https://example.com.',
    date: 'A date, such as 2027-05-31.',
    'date-time': 'A time, such as 2027-05-31T09:30:00Z.',
  } satisfies Record<TextFormat, string>,
  whole: 'A whole number.',
  pattern: (pattern: string) => `In this form: ${pattern}`,
  range: (kind: QuestionField['kind'], least?: number, most?: number) => {
    const unit = kind === 'text' ? ' characters' : '';
    if (least !== undefined && most !== undefined) return `${least} to ${most}${unit}.`;
    return least === undefined ? `At most ${most}${unit}.` : `At least ${least}${unit}.`;
  },
};
