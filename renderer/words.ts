import { accountWords } from './words/account-words.ts';
import { activityWords } from './words/activity-words.ts';
import { backgroundWords } from './words/background-words.ts';
import { approvalWords } from './words/approval-words.ts';
import { catalogueWords } from './words/catalogue-words.ts';
import { commonWords } from './words/common-words.ts';
import { connectWords } from './words/connect-words.ts';
import { credentialWords } from './words/credential-words.ts';
import { deletionWords } from './words/deletion-words.ts';
import { diagnosisWords } from './words/diagnosis-words.ts';
import { endpointWords } from './words/endpoint-words.ts';
import { errorWords } from './words/error-words.ts';
import { homeWords } from './words/home-words.ts';
import { hostsWords } from './words/hosts-words.ts';
import { integrationWords } from './words/integration-words.ts';
import { paletteWords } from './words/palette-words.ts';
import { programWords } from './words/program-words.ts';
import { registryWords } from './words/registry-words.ts';
import { settingsWords } from './words/settings-words.ts';
import { signInWords } from './words/sign-in-words.ts';
import { toolWords } from './words/tool-words.ts';
import { updateWords } from './words/update-words.ts';

/** Every word of the window, in one place, so that another language is another object of this type. */
export const words = {
  ...commonWords,
  account: accountWords,
  approval: approvalWords,
  activity: activityWords,
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
  palette: paletteWords,
  programs: programWords,
  registry: registryWords,
  settings: settingsWords,
  signIn: signInWords,
  tools: toolWords,
  update: updateWords,
};
