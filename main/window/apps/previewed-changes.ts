import type { AppOutcomes, AppPreviews } from '../../../shared/app-view.ts';
import { displayText } from '../../address/display-text.ts';
import type { ChangeFingerprint } from '../../apps/apply-change.ts';
import type { EditorProfile } from '../../apps/plan/editor-profiles.ts';
import { ManualChangeRequired } from '../../apps/plan/plan-edits.ts';
import type { AppDependencies } from '../../apps/app-dependencies.ts';
import { PosternError, toPlainError } from '../../errors/postern-error.ts';
import { applyProposed } from '../../operations/app-changes.ts';
import type { ConfirmedChange, ProposedChange } from '../../operations/app-changes.ts';
import { describeOutcome, describePreview } from './read-apps.ts';

/** Changes whose lines can still be copied. */
const maxLines = 64;
/** Characters of a displayed path. */
const pathLength = 2_000;

/** A change to preview. */
interface PreviewRequest extends ProposedChange {
  /** Editor profiles that it could be applied to instead. */
  readonly profiles?: readonly EditorProfile[];
}

/** Changes to app configurations: each is previewed first, and made once, exactly as previewed or not at all. */
export class PreviewedChanges {
  readonly #openApps: () => Promise<AppDependencies>;
  readonly #fingerprint: ChangeFingerprint;
  /** Previewed changes, by token: the fingerprint of the preview. */
  readonly #previewed = new Map<string, PreviewRequest>();

  /** Lines that the user may copy, by the same tokens; only the most recent. */
  readonly #lines = new Map<string, string>();

  constructor(openApps: () => Promise<AppDependencies>, fingerprint: ChangeFingerprint) {
    this.#openApps = openApps;
    this.#fingerprint = fingerprint;
  }

  /** Errors: those of a single change; with several changes, failures are listed in `refused`. */
  async preview(requests: readonly PreviewRequest[]): Promise<AppPreviews> {
    return await this.#previewAll(requests, requests.length === 1);
  }

  /** Previews only changes that have an effect. Failures are always listed in `refused`. */
  async previewNeeded(requests: readonly PreviewRequest[]): Promise<AppPreviews> {
    const { previews, refused } = await this.#previewAll(requests, false);
    return { previews: previews.filter(({ action }) => action !== 'none'), refused };
  }

  /** Makes the changes one by one; a failure does not stop the others. Errors: as `preview`; APP_FILE_CHANGED first. */
  async make(tokens: readonly string[]): Promise<AppOutcomes> {
    return await this.prepare(tokens, tokens.length === 1)();
  }

  /**
   * Like `make`, for callers that do something in between: checks the tokens now, and returns what makes the changes.
   * `throws`: failures are thrown instead of listed in `refused`.
   */
  prepare(tokens: readonly string[], throws: boolean): () => Promise<AppOutcomes> {
    if (!tokens.every((token) => this.#previewed.has(token)))
      throw new PosternError('APP_FILE_CHANGED', { stage: 'apps' });
    return async () => {
      const confirmed = this.#claimAll(tokens);
      const engine = await this.#openApps();
      const outcomes: AppOutcomes = { made: [], refused: [] };
      for (const { token, change } of confirmed) {
        try {
          outcomes.made.push(await this.#apply(engine, token, change));
        } catch (error) {
          outcomes.refused.push(refusal(change, this.#withToken(error, token), throws));
        }
      }
      return outcomes;
    };
  }

  /** For callers that make the changes one by one. Errors: APP_FILE_CHANGED; for each change, as `make`. */
  claimConfirmed(tokens: readonly string[]): readonly ConfirmedChange[] {
    return this.#claimAll(tokens).map(({ token, change }) => async () => {
      const outcome = await this.#apply(await this.#openApps(), token, change);
      return outcome.change;
    });
  }

  /** Names of the apps previewed under these tokens. */
  namesOf(tokens: readonly string[]): readonly string[] {
    return [...new Set(tokens.flatMap((token) => this.#previewed.get(token)?.app.name ?? []))];
  }

  async #previewAll(requests: readonly PreviewRequest[], throws: boolean): Promise<AppPreviews> {
    const engine = await this.#openApps();
    this.#previewed.clear();
    const results: AppPreviews = { previews: [], refused: [] };
    for (const change of requests) {
      try {
        const planned = await change.plan(engine);
        const token = this.#fingerprint(planned);
        this.#previewed.set(token, change);
        // The user copies these lines before anything is made, so they must be complete.
        const { replacesSecret, ...pasted } =
          planned.method === 'paste' && change.complete ? await change.complete(engine, planned) : planned;
        if (planned.method === 'paste') this.#storeLines(token, pasted.shown.after);
        results.previews.push(
          describePreview(token, { ...planned, ...(replacesSecret && { replacesSecret }) }, change.profiles),
        );
      } catch (error) {
        results.refused.push(refusal(change, error, throws));
      }
    }
    return results;
  }

  async #apply(engine: AppDependencies, token: string, change: ProposedChange): Promise<AppOutcomes['made'][number]> {
    const { planned, id } = await applyProposed(engine, change, (now) => this.#fingerprint(now) === token);
    return describeOutcome(planned, id);
  }

  /** Errors: as of `#take`. */
  #claimAll(tokens: readonly string[]): readonly { readonly token: string; readonly change: PreviewRequest }[] {
    return tokens.map((token) => ({ token, change: this.#claim(token) }));
  }

  /** Lines of a change that the user makes by hand. Errors: APP_FILE_CHANGED if it was not previewed. */
  linesOf(token: string): string {
    const lines = this.#lines.get(token);
    if (lines === undefined) throw new PosternError('APP_FILE_CHANGED', { stage: 'apps' });
    return lines;
  }

  #storeLines(token: string, lines: string): void {
    this.#lines.delete(token);
    this.#lines.set(token, lines);
    for (const oldest of this.#lines.keys()) if (this.#lines.size > maxLines) this.#lines.delete(oldest);
  }

  /** Adds a token to an error with lines to paste, so that the window can copy them. */
  #withToken(error: unknown, token: string): unknown {
    if (!(error instanceof ManualChangeRequired)) return error;
    const { paste } = error;
    this.#storeLines(token, paste.lines);
    return error.with({ remedy: { ...paste, path: displayText(paste.path, pathLength), token } });
  }

  /** Errors: APP_FILE_CHANGED if it was not previewed, was already made, or was replaced by a later preview. */
  #claim(token: string): PreviewRequest {
    const change = this.#previewed.get(token);
    this.#previewed.delete(token);
    if (!change) throw new PosternError('APP_FILE_CHANGED', { stage: 'apps' });
    return change;
  }
}

function refusal({ app: { id, name } }: ProposedChange, error: unknown, throws: boolean) {
  if (throws) throw error;
  return { app: id, name, error: toPlainError(error) };
}
