import type { Remedy } from '../../../shared/remedy.ts';
import { writeStart } from './write-command.ts';
import type { Situation } from './write-command.ts';

type OfLocal = Extract<
  Remedy['kind'],
  'allow-command' | 'connect-command' | 'start-server' | 'see-output' | 'name-folder'
>;

/** What helps where a server that runs on this computer does not answer. */
export function describeLocalRemedy(kind: OfLocal, at: Situation): string {
  switch (kind) {
    case 'allow-command':
      return `Look at what it runs, and allow it: ${writeStart(at)}.`;
    case 'connect-command':
      return 'Give its command and its variables again: `postern local NAME --env NAME -- COMMAND`.';
    case 'start-server':
      return `Start it again: ${writeStart(at)}.`;
    case 'name-folder':
      return at.command === 'local'
        ? 'Name a folder that is there with --cwd.'
        : 'Put the folder back, or give the command again with another one: `postern local NAME --cwd DIR -- COMMAND`.';
    case 'see-output':
      return 'Run the command in a terminal to see what goes wrong.';
  }
}

/** What opens an address inside of the person's network. */
export function describeLocal({ because }: Extract<Remedy, { kind: 'allow-local' }>): string {
  switch (because) {
    case 'blocked':
      return 'If this server runs on your computer or internal network and you trust it, connect it with --local.';
    case 'not-encrypted':
      return 'Use the address with https://. If the server runs on this computer, connect it with --local.';
    case 'rebound':
      return 'Do not use this server unless you trust it. If it is inside your own network, connect it with --local.';
  }
}
