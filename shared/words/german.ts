import { activityWords, diagnosisWords } from './de/activity-words.ts';
import { catalogWords, registryWords } from './de/catalog-words.ts';
import { arrangeWords, commonWords, homeWords, linkWords, paletteWords } from './de/common-words.ts';
import { connectWords, endpointWords, hostsWords, localWords } from './de/connect-words.ts';
import { errorWords, noteWords } from './de/error-words.ts';
import { accountWords, integrationWords, toolWords } from './de/integration-words.ts';
import { approvalWords, permissionWords, permitWords, questionWords } from './de/permission-words.ts';
import { appWords } from './de/app-words.ts';
import { backgroundWords, deletionWords, settingsWords, updateWords } from './de/settings-words.ts';
import { credentialWords, signInWords } from './de/sign-in-words.ts';
import type { Words } from './english.ts';

/** All texts of the window in German. */
export const german: Words = {
  ...commonWords,
  account: accountWords,
  activity: activityWords,
  approval: approvalWords,
  permits: permitWords,
  arrange: arrangeWords,
  background: backgroundWords,
  catalog: catalogWords,
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
  apps: appWords,
  questions: questionWords,
  registry: registryWords,
  settings: settingsWords,
  signIn: signInWords,
  tools: toolWords,
  update: updateWords,
};
