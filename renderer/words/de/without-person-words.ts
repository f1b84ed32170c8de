import type { Translated } from '../../../shared/translated.ts';
import type { withoutPersonWords as english } from '../en/without-person-words.ts';

export const withoutPersonWords: Translated<typeof english> = {
  title: 'Ohne Anmeldeseite',
  text: 'Manche Dienste geben einem Programm Zugriff, oder allen, die bei Ihrer Firma schon angemeldet sind.',
  label: 'Wer den Zugriff bekommt',
  choices: {
    program: 'Das Programm selbst (Client Credentials)',
    programHint:
      'Mit der ID einer eigenen App und ihrem Secret oder Schlüssel. Der Zugriff gehört der App, nicht Ihnen.',
    provider: (name) => `Sie, über ${name}`,
    providerHint: 'Der Identitätsanbieter Ihrer Firma sagt dem Dienst, wer Sie sind. Die App dafür hat Ihre Firma.',
    file: 'Wen eine Datei nennt (JWT-Assertion)',
    fileHint:
      'Ein Cluster oder eine Cloud legt darin ein signiertes JWT ab und erneuert es. Postern liest es jedes Mal neu und kopiert es nirgendwohin.',
  },
  providers:
    'Der Identitätsanbieter Ihrer Firma steht hier zur Wahl, sobald er verbunden ist: Prüfen Sie seine Adresse wie die eines Servers, und sagen Sie dann, dass es Ihr Identitätsanbieter ist.',
  file: {
    choose: 'Datei auswählen…',
    chooseOther: 'Andere Datei auswählen…',
    needed: 'Wählen Sie zuerst die Datei aus.',
  },
};
