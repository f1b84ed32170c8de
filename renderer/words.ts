import { noteWords } from '../shared/compatibility-notes.ts';
import type { Translated } from '../shared/language.ts';
import { activityWords, diagnosisWords } from '../shared/words/en/activity-words.ts';
import { catalogueWords, registryWords } from '../shared/words/en/catalogue-words.ts';
import { arrangeWords, commonWords, homeWords, linkWords, paletteWords } from '../shared/words/en/common-words.ts';
import { connectWords, endpointWords, hostsWords, localWords } from '../shared/words/en/connect-words.ts';
import { errorWords } from '../shared/words/en/error-words.ts';
import { accountWords, integrationWords } from '../shared/words/en/integration-words.ts';
import { approvalWords, permissionWords, permitWords, questionWords } from '../shared/words/en/permission-words.ts';
import { programWords } from '../shared/words/en/program-words.ts';
import { backgroundWords, deletionWords, settingsWords, updateWords } from '../shared/words/en/settings-words.ts';
import { credentialWords, signInWords } from '../shared/words/en/sign-in-words.ts';
import { toolWords } from '../shared/words/en/tool-words.ts';

/** Every word of the window, in one place; another language is another object with the same keys. */
export const english = {
  ...commonWords,
  account: accountWords,
  approval: approvalWords,
  permits: permitWords,
  activity: activityWords,
  arrange: arrangeWords,
  background: backgroundWords,
  catalogue: catalogueWords,
  connect: connectWords,
  credentials: credentialWords,
  deletion: deletionWords,
  diagnosis: diagnosisWords,
  endpoints: endpointWords,
  errors: errorWords,
  home: homeWords,
  hosts: hostsWords,
  integration: integrationWords,
  link: linkWords,
  local: localWords,
  notes: noteWords,
  palette: paletteWords,
  permissions: permissionWords,
  programs: programWords,
  questions: questionWords,
  registry: registryWords,
  settings: settingsWords,
  signIn: signInWords,
  tools: toolWords,
  update: updateWords,
};

export type Words = Translated<typeof english>;

/**
 * The words of the language that is spoken. Read them where something is drawn, not once as a module is loaded: they
 * change with the language, and everything is drawn again then (`language.ts`).
 */
export let words: Words = english;

/** From now on `words` are these. */
export function speakWith(spoken: Words): void {
  words = spoken;
}
