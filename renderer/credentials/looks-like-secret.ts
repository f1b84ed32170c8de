/** What a person may have pasted by mistake where the client ID belongs. */
export type Mistake = 'secret' | 'address';

/** Forms that services give to secrets and never to ids. */
const secretForms = [
  /^GOCSPX-/, // Google
  /^sk[-_]/, // Stripe, OpenAI and their like
  /^(?:secret|shpss|lin_oauth_secret|ntn)_/,
  /^xox[a-z]-/, // Slack
  /^gh[pous]_/,
  /^glpat-|^gloas-/,
  /^[0-9a-f]{40}$/, // GitHub
  /^eyJ[\w-]+\./, // a token
  /^-----BEGIN |^\{/, // a private key
  /^[\w~.-]{3}\dQ~[\w~.-]{31,34}$/, // Microsoft Entra
];

export function findMistake(clientId: string): Mistake | undefined {
  const id = clientId.trim();
  if (secretForms.some((form) => form.test(id))) return 'secret';
  // An https address may be an id (client id metadata document); one with our callback path is not.
  return /^https?:\/\/[^/]*\/integration\/oauth\/callback$/.test(id) ? 'address' : undefined;
}
