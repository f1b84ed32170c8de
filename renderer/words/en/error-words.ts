import type { ErrorCode, PlainError, Stage } from '../../../shared/error-codes.ts';
import { describeRemedy } from './remedy-words.ts';

/** Where it stopped, and what that means for what the person saw or did not see (spec 7, last row). */
const stageWords: Readonly<Record<Stage, string>> = {
  address: 'It stopped at the address; nothing was contacted.',
  probe: 'Postern got no further than the server’s address. No sign-in page was opened.',
  discovery: 'Postern was finding out how to sign in. No sign-in page was opened.',
  registration: 'Postern was registering at the service. No sign-in page was opened.',
  credentials: 'It stopped at the client ID. No sign-in page was opened.',
  authorization: 'It stopped before you had signed in.',
  callback: 'It stopped on the way back from the sign-in page. No access was given.',
  token: 'You had signed in; it stopped just before the access arrived.',
  install: 'You had signed in; it stopped while your sign-in was being stored.',
  connection: 'It stopped while talking to the server.',
  refresh: 'It stopped while your sign-in was renewed.',
  gateway: 'It stopped between a program and the server.',
  local: 'It stopped at the server, which runs on this computer.',
  storage: 'It stopped at the storage of this computer.',
  settings: 'It stopped at the settings of Postern.',
  programs: 'It stopped at the configuration of a program.',
  app: 'It stopped inside Postern.',
};

export const errorWords = {
  /** What happened. */
  message: ({ message }: Pick<PlainError, 'code' | 'message' | 'detail'>) => message,
  /** Of an error of which nothing more is known, where it is said in another way than main says it. */
  ofCode: (_code: ErrorCode): string | undefined => undefined,
  stages: stageWords,
  nextStep: describeRemedy,
  code: (code: string) => `Code ${code}`,
  /** Before what the server itself said. */
  serverWords: 'The server says:',
  actions: {
    retry: 'Try again',
    local: 'It runs on my computer or internal network',
    allowHost: (host: string | undefined) => `Allow ${host ?? 'this host'}`,
    allowHttp: 'Go on without encryption',
    legacy: 'Try the usual addresses',
    apiKey: 'Use an API key instead',
    addresses: 'Enter the addresses myself',
    scopes: 'Ask for other permissions',
    pkceWhenListed: 'Connect without requiring it',
    editAddress: 'Change the address',
    port: 'Change the port',
    storage: 'Storage details',
    logs: 'Open logs',
    diagnosis: 'See each request',
    signIn: 'Sign in again',
    grant: 'Grant access',
    remove: 'Remove this server',
    settings: 'Open its settings',
    review: 'See what has changed',
    withoutResource: 'Try without naming the server',
    dismiss: 'Dismiss',
  },
};
