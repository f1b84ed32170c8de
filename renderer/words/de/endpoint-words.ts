import type { Translated } from '../../../shared/translated.ts';
import type { endpointWords as english } from '../en/endpoint-words.ts';

export const endpointWords: Translated<typeof english> = {
  authorization: 'Authorization Endpoint',
  token: 'Token Endpoint',
  example: { authorization: 'https://example.com/authorize', token: 'https://example.com/token' },
  hint: 'Nur wenn der Dienst keine oder falsche veröffentlicht. Beide oder keine.',
  mistakes: {
    missing: 'Diese Adresse fehlt noch.',
    incomplete: 'Das ist keine vollständige Adresse. Sie beginnt mit https://.',
  },
};
