import type { noteWords as english } from '../../../shared/compatibility-notes.ts';
import type { Translated } from '../../../shared/translated.ts';

export const noteWords: Translated<typeof english> = {
  'no-resource-metadata': 'Der Server nennt keinen Anmeldedienst; seine eigene Adresse wurde verwendet.',
  'authorization-server-skipped':
    'Ein Anmeldedienst, den der Server nennt, war nicht verwendbar; der nächste wurde genommen.',
  'challenge-metadata-url-unusable':
    'Der Server verwies auf ein Dokument, das nicht lesbar war; das am üblichen Ort wurde verwendet.',
  'issuer-subdomain': 'Der Anmeldedienst nennt sich mit einer anderen Subdomain. Beide gehören zu einer Domain.',
  'issuer-trailing-slash': 'Der Anmeldedienst nennt sich mit einem Schrägstrich mehr oder weniger.',
  'issuer-origin': 'Als Anmeldedienst gilt die eigene Adresse des Servers.',
  'issuer-by-copy': 'Der Server wiederholt nur, was ein Anmeldedienst von sich sagt. Der Dienst sagte dasselbe.',
  'host-confusable':
    'Die Adresse hat Buchstaben, die wie andere aussehen, und ist leicht zu verwechseln. Lesen Sie sie Buchstabe für Buchstabe.',
  'another-account': 'Der Dienst antwortete für ein anderes Konto als bisher. Prüfen Sie, ob es das gewünschte ist.',
  'address-changed':
    'Die Adresse wurde außerhalb von Postern geändert. Ihre bisherige Anmeldung wurde nicht an die neue gesendet.',
  'registered-without-scope': 'Der Dienst hat Postern nur ohne die verlangten Berechtigungen registriert.',
  'registered-with-five-members': 'Der Dienst hat Postern nur mit den nötigsten Angaben registriert.',
  'registration-status-not-201':
    'Der Dienst antwortete bei der Registrierung von Postern mit einem ungewöhnlichen Status.',
  'authentication-method-not-told': 'Der Dienst sagte nicht, wie das Client-Secret zu senden ist.',
  'other-client-authentication': 'Der Dienst nahm das Client-Secret nur auf einem anderen Weg an als erwartet.',
  'registered-again':
    'Die Anmeldeseite hat beim letzten Mal nicht geantwortet, deshalb hat sich Postern bei dem Dienst neu registriert.',
  'client-document-refused':
    'Der Dienst lehnte das veröffentlichte Dokument ab, in dem steht, wer Postern ist; Postern hat sich stattdessen registriert.',
  'pkce-not-listed': 'Der Dienst nennt PKCE nicht; die Anmeldung war trotzdem damit geschützt.',
  'secret-for-public-client': 'Der Dienst gab ein Secret, das er nicht sehen will.',
  'resource-refused':
    'Der Dienst lehnt es ab, dass der Server genannt wird, für den der Zugriff ist; Postern lässt das weg.',
  'token-status-not-200': 'Der Dienst antwortete mit einem ungewöhnlichen Status, als er den Zugriff gab.',
  'token-type-missing': 'Der Dienst sagte nicht, welche Art von Zugriff er gab; die übliche wurde angenommen.',
  'token-not-bound': 'Der Dienst kann den Zugriff an einen Schlüssel dieses Computers binden, hat es aber nicht getan.',
  'refresh-token-empty': 'Der Dienst gab ein leeres Refresh-Token; es wurde nicht beachtet.',
  'expires-in-unusable': 'Der Dienst sagte auf ungewöhnliche Weise, wie lange der Zugriff gilt.',
  'scope-unusable': 'Der Dienst sagte auf ungewöhnliche Weise, welche Berechtigungen er gab.',
  'legacy-endpoints': 'Die Adressen älterer Server werden angenommen.',
  'typed-endpoints': 'Die Adressen des Anmeldedienstes sind die, die Sie eingegeben haben.',
  'newer-address':
    'Die eingegebene Adresse endet auf /sse; verwendet wird die neuere desselben Servers, die auf /mcp endet.',
  'old-transport': 'Der Server spricht den alten Transport von MCP, HTTP+SSE von 2024.',
};
