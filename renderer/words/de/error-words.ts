import { describeInGerman } from '../../../shared/error-catalogue/german-errors.ts';
import type { Translated } from '../../../shared/translated.ts';
import type { errorWords as english } from '../en/error-words.ts';
import { describeRemedy } from './remedy-words.ts';

export const errorWords: Translated<typeof english> = {
  message: ({ code, detail }) => describeInGerman(code, detail ?? {}),
  ofCode: (code) => describeInGerman(code, {}),
  stages: {
    address: 'Es hat bei der Adresse aufgehört; keine Verbindung wurde aufgenommen.',
    probe: 'Weiter als bis zur Adresse des Servers kam Postern nicht. Eine Anmeldeseite wurde nicht geöffnet.',
    discovery:
      'Es hat aufgehört, als Postern herausfand, wie man sich anmeldet, deshalb wurde keine Anmeldeseite geöffnet.',
    registration: 'Es hat bei der Registrierung von Postern aufgehört, deshalb wurde keine Anmeldeseite geöffnet.',
    credentials: 'Es hat bei der Client-ID aufgehört, deshalb wurde keine Anmeldeseite geöffnet.',
    authorization: 'Es hat aufgehört, bevor Sie angemeldet waren.',
    callback: 'Es hat auf dem Rückweg von der Anmeldeseite aufgehört. Es wurde kein Zugriff gegeben.',
    token: 'Sie hatten sich angemeldet; es hat aufgehört, als Postern den Zugriff holte.',
    install: 'Sie hatten sich angemeldet; es hat aufgehört, als der Zugriff gespeichert wurde.',
    connection: 'Es hat im Gespräch mit dem Server aufgehört.',
    refresh: 'Es hat beim Verlängern Ihrer Anmeldung aufgehört.',
    gateway: 'Es hat zwischen einem Programm und dem Server aufgehört.',
    local: 'Es blieb beim Server stehen, der auf diesem Computer läuft.',
    storage: 'Es hat beim Speicher dieses Computers aufgehört.',
    settings: 'Es hat bei den Einstellungen von Postern aufgehört.',
    programs: 'Es hat bei der Konfiguration eines Programms aufgehört.',
    app: 'Es hat in Postern selbst aufgehört.',
  },
  nextStep: describeRemedy,
  code: (code) => `Code ${code}`,
  actions: {
    retry: 'Erneut versuchen',
    local: 'Er läuft auf meinem Computer oder im internen Netz',
    allowHost: (host) => `${host ?? 'Diesen Host'} erlauben`,
    allowHttp: 'Ohne Verschlüsselung fortfahren',
    legacy: 'Übliche Adressen versuchen',
    apiKey: 'Stattdessen API-Schlüssel verwenden',
    addresses: 'Adressen selbst eingeben',
    scopes: 'Andere Berechtigungen verlangen',
    pkceWhenListed: 'Ohne diese Pflicht verbinden',
    editAddress: 'Adresse ändern',
    port: 'Port ändern',
    storage: 'Zum Speicher',
    logs: 'Protokolle öffnen',
    diagnosis: 'Jede Anfrage ansehen',
    signIn: 'Neu anmelden',
    grant: 'Zugriff erlauben',
    remove: 'Diesen Server entfernen',
    settings: 'Seine Einstellungen öffnen',
    review: 'Änderungen ansehen',
    withoutResource: 'Ohne Nennung des Servers versuchen',
    dismiss: 'Ausblenden',
  },
};
