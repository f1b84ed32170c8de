import type { ContentView } from '../../../shared/mcp-view.ts';
import { browserAddress } from '../../address/check-address.ts';
import type { BrowserAddress } from '../../address/check-address.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { KeptPiece } from '../views/describe-mcp.ts';
import { fileExtension } from '../views/file-extension.ts';

/** Results that can still be copied and saved. */
const most = 5;

/** The last results, by the calls that they answer: a page names one, and writes nothing of its own anywhere. */
export class KeptResults {
  readonly #results = new Map<string, readonly KeptPiece[]>();

  keep(call: string, pieces: readonly KeptPiece[]): void {
    this.#results.delete(call);
    this.#results.set(call, pieces);
    const [oldest] = this.#results.keys();
    if (this.#results.size > most && oldest !== undefined) this.#results.delete(oldest);
  }

  /** All that is text in it, cut nowhere, but without what cannot be seen: it is pasted elsewhere. */
  text(call: string): string {
    return this.#of(call)
      .flatMap(({ text }) => text?.() ?? [])
      .join('\n\n');
  }

  /** No name of it comes from the server: that could be one that a system runs. */
  file(call: string, piece: number | undefined): { readonly name: string; readonly bytes: Buffer } {
    if (piece === undefined) return { name: 'result.txt', bytes: this.#rawText(call) };
    const chosen = this.#of(call)[piece];
    if (!chosen) throw gone();
    const bytes = chosen.bytes();
    return { name: `result.${extensionOf(chosen.view, bytes)}`, bytes };
  }

  /** A link stands in a result as it is opened, or is not opened. Errors: those of `browserAddress`. */
  link(call: string, url: string): BrowserAddress {
    const isThere = this.#of(call).some(
      ({ view }) => (view.type === 'text' && view.text.includes(url)) || (view.type === 'link' && view.uri === url),
    );
    if (!isThere) throw gone();
    return browserAddress(url);
  }

  #rawText(call: string): Buffer {
    const texts = this.#of(call).filter(({ text }) => text !== undefined);
    return Buffer.from(texts.map(({ bytes }) => bytes().toString('utf8')).join('\n\n'));
  }

  #of(call: string): readonly KeptPiece[] {
    const pieces = this.#results.get(call);
    if (!pieces) throw gone();
    return pieces;
  }
}

function extensionOf(view: ContentView, bytes: Buffer): string {
  if (view.type === 'json') return 'json';
  return view.type === 'binary' ? fileExtension(view.mimeType, bytes) : 'txt';
}

function gone(): PosternError {
  return new PosternError('NOT_FOUND', { stage: 'app', detail: { count: 0 } });
}
