import { noteWords } from '../shared/compatibility-notes.ts';
import type { Translated } from '../shared/translated.ts';
import { accountWords } from './words/en/account-words.ts';
import { activityWords } from './words/en/activity-words.ts';
import { arrangeWords } from './words/en/arrange-words.ts';
import { backgroundWords } from './words/en/background-words.ts';
import { approvalWords } from './words/en/approval-words.ts';
import { permitWords } from './words/en/permit-words.ts';
import { catalogueWords } from './words/en/catalogue-words.ts';
import { commonWords } from './words/en/common-words.ts';
import { connectWords } from './words/en/connect-words.ts';
import { credentialWords } from './words/en/credential-words.ts';
import { deletionWords } from './words/en/deletion-words.ts';
import { diagnosisWords } from './words/en/diagnosis-words.ts';
import { endpointWords } from './words/en/endpoint-words.ts';
import { errorWords } from './words/en/error-words.ts';
import { homeWords } from './words/en/home-words.ts';
import { hostsWords } from './words/en/hosts-words.ts';
import { integrationWords } from './words/en/integration-words.ts';
import { localWords } from './words/en/local-words.ts';
import { linkWords } from './words/en/link-words.ts';
import { paletteWords } from './words/en/palette-words.ts';
import { permissionWords } from './words/en/permission-words.ts';
import { programWords } from './words/en/program-words.ts';
import { questionWords } from './words/en/question-words.ts';
import { registryWords } from './words/en/registry-words.ts';
import { settingsWords } from './words/en/settings-words.ts';
import { signInWords } from './words/en/sign-in-words.ts';
import { toolWords } from './words/en/tool-words.ts';
import { updateWords } from './words/en/update-words.ts';

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
