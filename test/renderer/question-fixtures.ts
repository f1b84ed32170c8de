import { words } from '../../renderer/words.ts';
import type { QuestionView } from '../../shared/question-view.ts';
import type { LeadPage } from '../gallery/page-here.ts';

const baseQuestion = {
  id: 'a-question',
  integrationId: 'linear',
  integration: 'Linear',
  host: 'mcp.linear.app',
  tool: 'create_order',
  expiresAt: Date.now() + 600_000,
};

export function aForm(values: Partial<Extract<QuestionView, { kind: 'form' }>> = {}): QuestionView {
  return {
    ...baseQuestion,
    kind: 'form',
    message: 'Where shall the parcel go?\nIt leaves tomorrow.',
    fields: [
      { name: 'street', label: 'Street', kind: 'text', required: true, least: 3, most: 80 },
      {
        name: 'mail',
        label: 'Mail',
        kind: 'text',
        format: 'email',
        required: false,
        description: 'Where news of it go.',
      },
      { name: 'floor', label: 'Floor', kind: 'number', whole: true, required: false, least: 0, most: 9, initial: 2 },
      { name: 'gift', label: 'It is a gift', kind: 'boolean', required: false },
      {
        ...{ name: 'size', label: 'Size', kind: 'choice', required: true },
        choices: [
          { value: 's', label: 'Small' },
          { value: 'm', label: 'Medium' },
        ],
      },
      {
        ...{ name: 'extras', label: 'Extras', kind: 'choices', required: false, most: 2 },
        choices: [
          { value: 'card', label: 'A card' },
          { value: 'bow', label: 'A bow' },
          { value: 'insurance', label: 'Insurance' },
        ],
        initial: ['card'],
      },
    ],
    ...values,
  };
}

export function aPage(values: Partial<Extract<QuestionView, { kind: 'page' }>> = {}): QuestionView {
  return {
    ...baseQuestion,
    id: 'a-page',
    kind: 'page',
    message: 'Pay for the parcel on our page.',
    address: 'https://pay.example/orders/2027/0317?session=9f2c41d07b&return=mcp',
    place: 'pay.example',
    isConfusable: false,
    state: 'asked',
    ...values,
  };
}

/** Sends the form as it is, with all its errors. */
export const sendQuestion = async (page: LeadPage): Promise<void> => {
  await page.getByRole('button', { name: words.questions.send }).click();
};
