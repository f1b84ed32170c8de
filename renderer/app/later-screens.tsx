import { ActivityPage } from '../activity/activity-page.tsx';
import { ConnectionPanel } from '../connect/connection-panel.tsx';
import { ImportList } from '../connect/import-list.tsx';
import { IntegrationPage } from '../integration/integration-page.tsx';
import { ProgramPage } from '../programs/program-page.tsx';
import { ProgramsPage } from '../programs/programs-page.tsx';
import { UseQuestions } from '../programs/use-question.tsx';
import { SettingsPage } from '../settings/settings-page.tsx';

/** All that nobody sees at the start: a file of its own, which `useLaterScreens` loads. */
export const laterScreens = {
  ActivityPage,
  ConnectionPanel,
  ImportList,
  IntegrationPage,
  ProgramPage,
  ProgramsPage,
  SettingsPage,
  UseQuestions,
};
