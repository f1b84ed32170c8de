import type { Words } from './words.ts';
import { accountWords } from './words/de/account-words.ts';
import { activityWords } from './words/de/activity-words.ts';
import { approvalWords } from './words/de/approval-words.ts';
import { permitWords } from './words/de/permit-words.ts';
import { arrangeWords } from './words/de/arrange-words.ts';
import { backgroundWords } from './words/de/background-words.ts';
import { catalogueWords } from './words/de/catalogue-words.ts';
import { commonWords } from './words/de/common-words.ts';
import { connectWords } from './words/de/connect-words.ts';
import { credentialWords } from './words/de/credential-words.ts';
import { deletionWords } from './words/de/deletion-words.ts';
import { diagnosisWords } from './words/de/diagnosis-words.ts';
import { endpointWords } from './words/de/endpoint-words.ts';
import { errorWords } from './words/de/error-words.ts';
import { homeWords } from './words/de/home-words.ts';
import { hostsWords } from './words/de/hosts-words.ts';
import { integrationWords } from './words/de/integration-words.ts';
import { localWords } from './words/de/local-words.ts';
import { linkWords } from './words/de/link-words.ts';
import { noteWords } from './words/de/note-words.ts';
import { paletteWords } from './words/de/palette-words.ts';
import { permissionWords } from './words/de/permission-words.ts';
import { programWords } from './words/de/program-words.ts';
import { questionWords } from './words/de/question-words.ts';
import { registryWords } from './words/de/registry-words.ts';
import { settingsWords } from './words/de/settings-words.ts';
import { signInWords } from './words/de/sign-in-words.ts';
import { toolWords } from './words/de/tool-words.ts';
import { updateWords } from './words/de/update-words.ts';

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
