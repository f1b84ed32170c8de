import type { ProgramAnswer } from '../../gateway-ports.ts';
import { tooManyText } from '../answers/answers.ts';
import type { RequestEnvelope } from '../messages/envelope.ts';
import { asJson } from './http-answers.ts';
import type { Places } from '../limits/places.ts';
import { whenGone } from './when-gone.ts';

/** A request by HTTP has its place until its answer has gone out. Errors: those of `answer`. */
export async function answerInPlace(
  places: Places,
  { id, bytes }: RequestEnvelope,
  signal: AbortSignal,
  answer: () => Promise<ProgramAnswer>,
): Promise<ProgramAnswer> {
  if (places.isFullFor(bytes.byteLength)) return asJson(tooManyText(id));
  const place = places.enter(bytes.byteLength);
  await place.take();
  whenGone(signal, () => place.leave());
  return await answer();
}
