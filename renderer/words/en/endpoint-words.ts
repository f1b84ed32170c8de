export const endpointWords = {
  authorization: 'Authorization endpoint',
  token: 'Token endpoint',
  example: { authorization: 'https://example.com/authorize', token: 'https://example.com/token' },
  hint: 'Only where the service publishes none, or the wrong ones. Both or neither.',
  mistakes: {
    missing: 'This one is needed as well.',
    incomplete: 'This is not a whole address. It begins with https://.',
  },
};
