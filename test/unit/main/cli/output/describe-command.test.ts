import { expect, it } from 'vitest';
import { describeCommand } from '../../../../../main/cli/output/describe-command.ts';
import { windowWords } from '../../../../../main/window-words.ts';
import { commandBounds } from '../../../../../shared/command-display.ts';
import { systemWords as germanSystemWords } from '../../../../../shared/words/de/system-words.ts';

/** What the user consents to before a server runs on this computer, on a terminal and in the system dialog. */
const command = { command: 'node', path: '/usr/bin/node', variables: [] };
const shownFor = (word: string, folder?: string) => {
  const shown = { ...command, arguments: [word], ...(folder !== undefined && { folder }) };
  const dialogs = [windowWords, germanSystemWords].map(
    ({ ask }) => ask.runCommand({ name: 'Notes', command: shown, shown: [] }).detail,
  );
  return [...dialogs, describeCommand(shown).join('\n')];
};

it.each([
  ['a line end', 'a\n\nIn the folder /safe'],
  ['a zero-width space', 'a\u200bb'],
  ['a direction override', 'a\u202eb'],
  ['an invisible letter', 'a\u3164b'],
  ['a terminal control sequence', 'a\u001b[2Jb'],
  ['an 8-bit control character', 'a\u009bb'],
  ['the end of a long word', `${'"'.repeat(commandBounds.length - 1)}x`],
  ['a tag', 'a\u{e0041}b'],
])('shows the whole command: %s', (_what, word) => {
  const plain = shownFor('ab', '/ab');
  for (const [index, shown] of shownFor(word, `/${word}`).entries()) {
    expect(shown).not.toMatch(/(?!\n)[\p{C}\p{Zl}\p{Zp}\u3164]/u);
    expect(shown.split('\n')).toHaveLength(plain[index]?.split('\n').length ?? 0);
    expect(shown).not.toBe(plain[index]);
    expect(shown).not.toContain('…');
  }
});

it('shows a fully visible argument unchanged, and marks an empty one', () => {
  const [english] = shownFor('--größe=3');
  expect(english?.split('\n')[1]?.trim()).toBe('--größe=3');
  expect(shownFor('')[0]?.split('\n')[1]?.trim()).toBe('""');
});
