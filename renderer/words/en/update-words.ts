import type { UpdateObstacle } from '../../../shared/update-view.ts';

export const updateWords = {
  title: 'Updates',
  newer: 'Newer versions',
  automatic: 'Look for newer versions of Postern',
  automaticHint: 'At start and once a day. Nothing is downloaded or installed unless you say so.',
  check: 'Look now',
  checking: 'Looking…',
  current: (version: string, when: string | undefined) =>
    when === undefined ? `This is ${version}.` : `${version} is the newest version (looked ${when}).`,
  available: (version: string) => `Postern ${version} is available.`,
  download: 'Download it',
  downloading: (version: string, percent: number) => `Downloading Postern ${version}: ${percent} %`,
  ready: (version: string) => `Postern ${version} is ready.`,
  readyText: 'It starts with the next start of Postern, or now.',
  restart: 'Restart now',
  later: 'Later',
  obstacles: {
    source: 'This Postern runs from its source; update that.',
    managed: 'Whoever manages this computer updates Postern.',
    'unsigned-build': 'This build of Postern knows no place for updates that it could trust.',
    'not-installed': 'This Postern was unpacked by hand; get newer versions from where you got it.',
  } satisfies Record<UpdateObstacle, string>,
};
