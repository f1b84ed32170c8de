import { noteWords } from '../compatibility-notes.ts';
import type { Translated } from '../language.ts';
import { activityWords, diagnosisWords } from './en/activity-words.ts';
import { catalogWords, registryWords } from './en/catalog-words.ts';
import { arrangeWords, commonWords, homeWords, linkWords, paletteWords } from './en/common-words.ts';
import { connectWords, endpointWords, hostsWords, localWords } from './en/connect-words.ts';
import { errorWords } from './en/error-words.ts';
import { accountWords, integrationWords, toolWords } from './en/integration-words.ts';
import { approvalWords, permissionWords, permitWords, questionWords } from './en/permission-words.ts';
import { appWords } from './en/app-words.ts';
import { backgroundWords, deletionWords, settingsWords, updateWords } from './en/settings-words.ts';
import { credentialWords, signInWords } from './en/sign-in-words.ts';

/** All texts of the window; another language is another object with the same keys. */
export const english = {
  ...commonWords,
  account: accountWords,
  approval: approvalWords,
  permits: permitWords,
  activity: activityWords,
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

export type Words = Translated<typeof english>;
