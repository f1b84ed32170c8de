import type { discoveryStepWords as english } from '../../../shared/discovery-step-words.ts';
import type { Translated } from '../../../shared/translated.ts';

export const discoveryStepWords: Translated<typeof english> = {
  started: {
    probe: 'Server wird gefragt',
    'tools-probe': 'Server wird nach seinen Tools gefragt',
    'resource-metadata': 'Wo man sich anmeldet, wird gelesen',
    'authorization-server-metadata': 'Wie man sich anmeldet, wird gelesen',
    method: 'Art der Anmeldung wird bestimmt',
  },
  found: {
    probe: 'Der Server antwortet',
    'tools-probe': 'Der Server antwortet für seine Tools',
    'resource-metadata': 'Der Server sagt, wo man sich anmeldet',
    'authorization-server-metadata': 'Der Anmeldedienst sagt, wie man sich anmeldet',
    method: 'Die Art der Anmeldung ist klar',
  },
  'not-found': {
    probe: 'Der Server antwortet und nennt keine Anmeldung',
    'tools-probe': 'Auch für seine Tools nennt der Server keine Anmeldung',
    'resource-metadata': 'Dort steht nicht, wo man sich anmeldet',
    'authorization-server-metadata': 'Dort steht nicht, wie man sich anmeldet',
    method: 'Keine Anmeldung gefunden',
  },
  failed: {
    probe: 'Der Server gab keine brauchbare Antwort',
    'tools-probe': 'Der Server gab für seine Tools keine brauchbare Antwort',
    'resource-metadata': 'Wo man sich anmeldet, war nicht zu lesen',
    'authorization-server-metadata': 'Wie man sich anmeldet, war nicht zu lesen',
    method: 'Die Art der Anmeldung war nicht herauszufinden',
  },
};
