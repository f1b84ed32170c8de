import type { Output } from './output.ts';

/** A listing is not all that the server named. */
export function sayCut(output: Output, what: 'tools' | 'resources' | 'prompts'): void {
  output.event('notice', { code: 'list-cut' });
  output.tell(
    `This server names more ${what} than Postern takes, or some that are nested too deeply. They are left out.`,
  );
}
