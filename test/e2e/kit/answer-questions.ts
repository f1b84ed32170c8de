import type { RunningPostern } from './open-postern.ts';

/** Answers main's own dialogs from now on; no page can, so no test can through a page. */
export async function answerQuestions({ window }: RunningPostern, answer: 'yes' | 'no'): Promise<void> {
  await window.evaluate(
    ({ dialog }, response) => {
      const questions: string[] = [];
      Object.assign(globalThis, { questions });
      dialog.showMessageBox = async (...given: unknown[]) => {
        questions.push((given.at(-1) as { message: string }).message);
        return { response, checkboxChecked: false };
      };
    },
    answer === 'yes' ? 1 : 0,
  );
}

/** The dialogs since then. */
export async function questionsAsked({ window }: RunningPostern): Promise<readonly string[]> {
  return await window.evaluate(() => (globalThis as unknown as { questions: string[] }).questions);
}
