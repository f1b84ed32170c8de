import type { Words } from './words.ts';
import { activityWords, diagnosisWords } from '../shared/words/de/activity-words.ts';
import { catalogueWords, registryWords } from '../shared/words/de/catalogue-words.ts';
import { arrangeWords, commonWords, homeWords, linkWords, paletteWords } from '../shared/words/de/common-words.ts';
import { connectWords, endpointWords, hostsWords, localWords } from '../shared/words/de/connect-words.ts';
import { errorWords, noteWords } from '../shared/words/de/error-words.ts';
import { accountWords, integrationWords } from '../shared/words/de/integration-words.ts';
import { approvalWords, permissionWords, permitWords, questionWords } from '../shared/words/de/permission-words.ts';
import { programWords } from '../shared/words/de/program-words.ts';
import { backgroundWords, deletionWords, settingsWords, updateWords } from '../shared/words/de/settings-words.ts';
import { credentialWords, signInWords } from '../shared/words/de/sign-in-words.ts';
import { toolWords } from '../shared/words/de/tool-words.ts';

/** The window in German. */
export const german: Words = {
  ...commonWords,
  account: accountWords,
  activity: activityWords,
  approval: approvalWords,
  permits: permitWords,
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
