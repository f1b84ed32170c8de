import type { Program } from './open-program.ts';

/** The person answers main's own questions from now on; no page can, and so no test by a page. */
export async function answerQuestions({ window }: Program, answer: 'yes' | 'no'): Promise<void> {
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

/** What main has asked since. */
export async function questionsAsked({ window }: Program): Promise<readonly string[]> {
  return await window.evaluate(() => (globalThis as unknown as { questions: string[] }).questions);
}
