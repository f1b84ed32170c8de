import type { Translated } from '../../../shared/translated.ts';
import type { credentialWords as english } from '../en/credential-words.ts';

export const credentialWords: Translated<typeof english> = {
  title: (host) => `Eine eigene App bei ${host}`,
  again: (host) => `App bei ${host} prüfen`,
  description: 'Sie legen beim Dienst einmal eine „OAuth-App“ an und bringen ihre ID hierher.',
  withoutPerson:
    'Es öffnet sich keine Anmeldeseite: Der Dienst gibt den Zugriff einer App, die er kennt, mit ihrer ID und ihrem Secret oder Schlüssel.',
  stepCallback: 'Tragen Sie dort diese Adresse als Redirect- oder Callback-URL ein',
  callbackLabel: 'Callback-URL',
  callbackHint: 'Sie muss auf den Buchstaben stimmen. Auf diesem Computer gehört sie Postern.',
  stepScopes: 'Erlauben Sie dort diese Berechtigungen',
  scopesHint: 'Fehlt eine Berechtigung, die ein Tool braucht, schlägt es fehl. Klicken Sie an, was verlangt wird.',
  noScopes: 'Der Dienst nennt keine Berechtigungen. Wählen Sie dort, was Sie nutzen möchten.',
  stepCredentials: 'Bringen Sie mit, was Sie dort bekommen',
  server: 'MCP-Server',
  clientId: 'Client-ID',
  clientIdMissing: 'Die Client-ID fehlt.',
  clientSecret: 'Client-Secret',
  secretHint:
    'Lassen Sie es leer, wenn Sie keines bekommen haben. Auch ein privater Schlüssel (PEM oder JWK) gehört hierher.',
  secretKept: 'gespeichert',
  secretKeptText: 'Das eingegebene Secret ist gespeichert.',
  secretOfOther: 'Das Secret von vorhin gehörte zur früheren ID. Geben Sie das zu dieser ID ein.',
  unknownClient: {
    pair: 'Der Dienst kennt diese ID mit diesem Secret nicht.',
    idAlone: 'Der Dienst kennt diese ID nicht, oder er verlangt ein Secret dazu.',
  },
  unknownClientHint:
    'Vergleichen Sie beides mit dem, was der Dienst für Ihre App zeigt; vielleicht wurde dort ein Secret ersetzt.',
  replace: 'Ersetzen',
  keep: 'Altes behalten',
  looksLikeSecret: 'Das sieht wie ein Client-Secret aus, nicht wie die ID.',
  looksLikeAddress: 'Das ist eine Adresse, keine Client-ID.',
  move: 'Zum Secret verschieben',
  useAnyway: 'Es ist die ID',
  later: 'Jetzt nicht',
  submit: 'Speichern und anmelden',
  submitAgain: 'Damit versuchen',
  tryAgain: 'Ohne App noch einmal versuchen',
  tryAgainHint:
    'Vielleicht war es nur eine kurze Störung: Versuchen Sie es noch einmal, oder geben Sie eine eigene App ein.',
  tryAgainAfter: (time) =>
    `Das ist eine kurze Störung: Versuchen Sie es ${time === undefined ? 'etwas später' : `nach ${time}`} noch einmal. Bleibt es so, geben Sie eine eigene App ein.`,
  advanced: 'Erweitert',
  scopes: 'Verlangte Berechtigungen',
  scopesFieldHint: 'Durch Leerzeichen getrennt, statt der Auswahl oben.',
  secretEnds: 'Das Secret endet am',
  secretEndsHint: 'Falls der Dienst das sagt. Postern erinnert Sie sieben Tage vorher.',
  clientAuthentication: 'Wie das Secret gesendet wird',
  authentication: {
    auto: 'Wie der Dienst es sagt',
    client_secret_basic: 'Im Header (client_secret_basic)',
    client_secret_post: 'Im Formular (client_secret_post)',
    none: 'Kein Secret (none)',
  },
  resource: 'Den Server in der Anfrage nennen (resource)',
  resourceHint: 'Manche Dienste lehnen einen Parameter ab, den sie nicht kennen.',
  pkce: 'PKCE',
  pkcePolicy: {
    'when-listed': 'Wo der Dienst es nennt',
    always: 'Immer',
    required: 'Pflicht: Dienste ohne PKCE ablehnen',
  },
};
