import { expect, it } from 'vitest';
import { describeCommand } from '../../../../../main/cli/output/describe-command.ts';
import { windowWords } from '../../../../../main/window-words.ts';
import { commandBounds } from '../../../../../shared/shown-command.ts';
import { systemWords as germanSystemWords } from '../../../../../shared/words/de/system-words.ts';

/** What a person agrees to before a server is run on this computer, on a terminal and in the dialog of the system. */
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
  ['text that turns its direction', 'a\u202eb'],
  ['a blank letter', 'a\u3164b'],
  ['a terminal’s command', 'a\u001b[2Jb'],
  ['a control of eight bits', 'a\u009bb'],
  ['the end of a long word', `${'"'.repeat(commandBounds.length - 1)}x`],
  ['a tag', 'a\u{e0041}b'],
])('hides nothing of what runs: %s', (_what, word) => {
  const plain = shownFor('ab', '/ab');
  for (const [index, shown] of shownFor(word, `/${word}`).entries()) {
    expect(shown).not.toMatch(/(?!\n)[\p{C}\p{Zl}\p{Zp}\u3164]/u);
    expect(shown.split('\n')).toHaveLength(plain[index]?.split('\n').length ?? 0);
    expect(shown).not.toBe(plain[index]);
    // Cut nowhere.
    expect(shown).not.toContain('…');
  }
});

it('shows a word as it is where all of it can be seen, and tells an empty one from none', () => {
  const [english] = shownFor('--größe=3');
  expect(english?.split('\n')[1]?.trim()).toBe('--größe=3');
  expect(shownFor('')[0]?.split('\n')[1]?.trim()).toBe('""');
});
