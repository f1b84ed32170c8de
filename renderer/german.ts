import type { Words } from './words.ts';
import { activityWords, diagnosisWords } from './words/de/activity-words.ts';
import { catalogueWords, registryWords } from './words/de/catalogue-words.ts';
import { arrangeWords, commonWords, homeWords, linkWords, paletteWords } from './words/de/common-words.ts';
import { connectWords, endpointWords, hostsWords, localWords } from './words/de/connect-words.ts';
import { errorWords, noteWords } from './words/de/error-words.ts';
import { accountWords, integrationWords } from './words/de/integration-words.ts';
import { approvalWords, permissionWords, permitWords, questionWords } from './words/de/permission-words.ts';
import { programWords } from './words/de/program-words.ts';
import { backgroundWords, deletionWords, settingsWords, updateWords } from './words/de/settings-words.ts';
import { credentialWords, signInWords } from './words/de/sign-in-words.ts';
import { toolWords } from './words/de/tool-words.ts';

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
