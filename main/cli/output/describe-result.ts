import { accessSync, constants, statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { counted } from '../../../shared/language.ts';
import type { ToolResult } from '../../engine/use/use-server.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { mcpDepth } from '../../limits.ts';
import { measureJson, parseExactly, unescapeInPlace } from '../../mcp/messages/exact-json.ts';
import type { CutTexts } from '../../mcp/messages/exact-json.ts';
import { fileExtension } from '../../window/views/media-header.ts';
import { optionValue, UsageError } from '../options/parse-arguments.ts';
import type { ParsedArguments } from '../options/parse-arguments.ts';
import { printable, printableJson, printableLine } from '../text.ts';
import type { Answer, Output } from './output.ts';

/** Levels and characters of JSON that gets lines of its own. */
const indented = { depth: 16, size: 256 * 1_024 } as const;

/** What a tool answered, for a person. */
export function describeResult(
  result: Pick<ToolResult, 'content' | 'structuredContent'>,
  cut?: CutTexts,
): string | undefined {
  return describePieces(piecesOf(result, cut));
}

/**
 * The same of its pieces. JSON gets lines of its own as long as it is small and flat enough to be read: the spaces of
 * what is nested deeply would outgrow the answer a thousand times.
 */
function describePieces(pieces: readonly Piece[]): string | undefined {
  const { size } = measureJson(pieces, mcpDepth);
  const parts = pieces.map((piece) => describePiece(piece, size <= indented.size));
  return parts.length === 0 ? undefined : parts.join('\n');
}

function describePiece(piece: Piece, mayIndent: boolean): string {
  switch (piece.kind) {
    case 'text':
      return describeText(piece.bytes?.toString() ?? piece.text, mayIndent);
    case 'link':
      return printable(`[resource ${piece.uri}]`);
    case 'bytes':
      return printable(`[${piece.what} ${piece.mimeType}, ${describeSize(piece.base64)}; --output FILE saves it]`);
  }
}

function describeSize(base64: string): string {
  const size = decodedLength(base64);
  return size < 10_000 ? counted(size, 'byte') : `${Math.round(size / 1_000)} kB`;
}

/** Many servers answer JSON as text; a person reads it better with its lines, and the same numbers. */
function describeText(text: string, mayIndent: boolean): string {
  if (!mayIndent || !/^\s*[[{]/u.test(text)) return printable(text);
  try {
    if (measureJson(JSON.parse(text), indented.depth).isTooDeep) return printable(text);
    return printableJson(parseExactly(text), 2);
  } catch {
    return printable(text);
  }
}

type Content = ToolResult['content'][number];

/** A part of what a server answered: text as it came, the name of something to read, or bytes. */
type Piece =
  | { readonly kind: 'text'; readonly text: string; readonly bytes?: Buffer }
  | { readonly kind: 'link'; readonly uri: string }
  | {
      readonly kind: 'bytes';
      readonly what: 'image' | 'audio' | 'resource';
      readonly mimeType: string;
      readonly base64: string;
    };

/** The parts of an answer in their order. A tool that gives its data alone gives it as one text. */
export function piecesOf(
  { content, structuredContent }: Pick<ToolResult, 'content' | 'structuredContent'>,
  cut: CutTexts = new Map(),
): readonly Piece[] {
  if (content.length === 0 && structuredContent !== undefined) {
    return [{ kind: 'text', text: withCut(JSON.stringify(structuredContent), cut) }];
  }
  return content.map((block) => pieceOf(block, cut));
}

/** JSON with the long texts that were cut out of it, which are JSON as well. */
function withCut(text: string, cut: CutTexts): string {
  return [...cut].reduce((whole, [word, was]) => whole.replace(word, () => was.toString()), text);
}

function textPiece(text: string, cut: CutTexts): Piece {
  const was = cut.get(text);
  if (!was) return { kind: 'text', text };
  // Once: it is written over.
  cut.delete(text);
  return { kind: 'text', text: '', bytes: unescapeInPlace(was) };
}

function pieceOf(content: Content, cut: CutTexts): Piece {
  switch (content.type) {
    case 'text':
      return textPiece(content.text, cut);
    case 'image':
    case 'audio':
      return { kind: 'bytes', what: content.type, mimeType: content.mimeType, base64: content.data };
    case 'resource_link':
      return { kind: 'link', uri: content.uri };
    case 'resource':
      return 'text' in content.resource
        ? textPiece(content.resource.text, cut)
        : {
            kind: 'bytes',
            what: 'resource',
            mimeType: content.resource.mimeType ?? 'application/octet-stream',
            base64: content.resource.blob,
          };
    default:
      return { kind: 'text', text: withCut(JSON.stringify(content), cut) };
  }
}

/**
 * What goes to a file or a pipe, byte for byte: the one piece that is not text, or all texts and links, each beginning
 * on a line of its own.
 */
export function unchangedPieces(pieces: readonly Piece[]): readonly (string | Buffer)[] {
  const [first, ...more] = pieces;
  if (first?.kind === 'bytes' && more.length === 0) return [Buffer.from(first.base64, 'base64')];
  const texts = pieces.flatMap((piece): readonly (string | Buffer)[] =>
    piece.kind === 'bytes' ? [] : [piece.kind === 'text' ? (piece.bytes ?? piece.text) : piece.uri],
  );
  return texts.flatMap((text, index) => (index > 0 && !endsLine(texts[index - 1]) ? ['\n', text] : [text]));
}

/** Whether what comes next begins a line. */
export function endsLine(text: string | Uint8Array | undefined): boolean {
  return (typeof text === 'string' ? text.slice(-1) : text && String.fromCharCode(text[text.length - 1] ?? 0)) === '\n';
}

/** Of what is left out there. */
function leftOut(pieces: readonly Piece[]): number {
  return pieces.length < 2 ? 0 : pieces.filter(({ kind }) => kind === 'bytes').length;
}

/** Bytes that a text of base64 stands for, without decoding it. */
function decodedLength(base64: string): number {
  return Math.max(0, Math.floor((base64.length * 3) / 4) - (/={0,2}$/u.exec(base64.slice(-2))?.[0].length ?? 0));
}

type Answered = Pick<ToolResult, 'content' | 'structuredContent'>;

/** A file that `--output` has written, as `--json` tells it. */
interface WrittenFile {
  readonly path: string;
  readonly size: number;
  readonly mimeType: string;
}

/**
 * What a server answered, as standard output takes it: shown on a terminal, byte for byte anywhere else, and with
 * `target` in files. `fields` get the answer without what is in files. Errors: OUTPUT_FAILED.
 */
export async function answerWith(
  { output }: { readonly output: Output },
  answered: Answered,
  {
    name,
    target,
    cut,
  }: { readonly name: string; readonly target: SaveTarget | undefined; readonly cut?: CutTexts | undefined },
  fields: (content: Answered['content'], files: { readonly files?: readonly WrittenFile[] }) => Answer['fields'],
): Promise<Answer> {
  const pieces = piecesOf(answered, cut);
  const saved = target ? await savePieces(target, name, pieces) : [];
  for (const { file, size } of new Map(saved.map((one) => [one.file, one])).values())
    output.say(`Saved ${printableLine(file, 500)} (${counted(size, 'byte')}).`);
  const files = target && { files: [...new Map(saved.map((one) => [one.file, toWritten(one)])).values()] };
  const told = { fields: fields(withoutSaved(answered.content, pieces, saved), files ?? {}) };
  if (output.json) return told;
  const rest = pieces.filter((piece) => !saved.some((one) => one.piece === piece));
  if (output.isShown) return { ...told, text: describePieces(rest) };
  const left = leftOut(rest);
  if (left > 0)
    output.tell(
      `${left === 1 ? 'One piece' : `${left} pieces`} of the answer cannot be printed; --output DIR saves it.`,
    );
  return { ...told, unchanged: unchangedPieces(rest) };
}

function toWritten({ piece, file, size }: SavedPiece): WrittenFile {
  return { path: file, size, mimeType: piece.kind === 'bytes' ? piece.mimeType : 'text/plain' };
}

/** Bytes that stand in a file stand there alone: `data` and `blob` are left out. */
function withoutSaved(
  content: Answered['content'],
  pieces: readonly Piece[],
  saved: readonly SavedPiece[],
): Answered['content'] {
  if (saved.length === 0) return content;
  return content.map((block, index) => {
    const one = saved.find(({ piece }) => piece === pieces[index]);
    if (one?.piece.kind !== 'bytes') return block;
    const rest = Object.entries(block).filter(([name]) => name !== 'data' && name !== 'resource');
    const resource = 'resource' in block && { resource: { ...block.resource, blob: undefined } };
    return { ...Object.fromEntries(rest), ...resource, file: one.file } as unknown as typeof block;
  });
}

/** Where `--output` puts an answer. */
export interface SaveTarget {
  readonly place: string;
  readonly isFolder: boolean;
}

/** A piece that has its file. */
interface SavedPiece {
  readonly piece: Piece;
  readonly file: string;
  readonly size: number;
}

/** Names that are tried in one folder. */
const mostNames = 10_000;

/**
 * Looked at before anything is sent: a tool may do its work only once. A name with `/` at its end is a folder, which
 * is made. Errors: USAGE.
 */
export function saveTarget(args: ParsedArguments): SaveTarget | undefined {
  const place = optionValue(args, 'output');
  if (place === undefined) return undefined;
  const found = statSync(place, { throwIfNoEntry: false });
  const namesFolder = /[/\\]$/u.test(place);
  const target = { place, isFolder: found?.isDirectory() ?? namesFolder };
  if (found && namesFolder && !found.isDirectory())
    throw new UsageError(`--output: ${shown(place)} is no folder.`, args.command);
  if (target.isFolder && !found) return target;
  try {
    accessSync(found ? place : path.dirname(path.resolve(place)), constants.W_OK);
  } catch {
    throw new UsageError(`--output: ${shown(place)} cannot be written.`, args.command);
  }
  return target;
}

/**
 * Into a folder each piece goes by itself, under `name` with a number, over nothing that is there; into a file the
 * first piece that is not text (others beside it, with a number), or all the text. Errors: OUTPUT_FAILED.
 */
async function savePieces(target: SaveTarget, name: string, pieces: readonly Piece[]): Promise<readonly SavedPiece[]> {
  try {
    if (target.isFolder) {
      await mkdir(target.place, { recursive: true });
      const saved: SavedPiece[] = [];
      for (const piece of pieces) {
        if (piece.kind !== 'link') saved.push(await saveBeside(piece, target.place, plainName(name)));
      }
      return saved;
    }
    const [first, ...more] = pieces.filter(({ kind }) => kind === 'bytes');
    if (!first) {
      const bytes = Buffer.concat(unchangedPieces(pieces).map((piece) => Buffer.from(piece as string)));
      await writeFile(target.place, bytes);
      return pieces.map((piece) => ({ piece, file: target.place, size: bytes.length }));
    }
    const bytes = bytesOf(first);
    await writeFile(target.place, bytes);
    const saved: SavedPiece[] = [{ piece: first, file: target.place, size: bytes.length }];
    const { dir, name: stem } = path.parse(target.place);
    for (const piece of more) saved.push(await saveBeside(piece, dir === '' ? '.' : dir, stem, 2));
    return saved;
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code;
    const detail = { file: shown(target.place), ...(reason !== undefined && { reason }) };
    throw new PosternError('OUTPUT_FAILED', { stage: 'app', cause: error, detail });
  }
}

async function saveBeside(piece: Piece, folder: string, stem: string, from = 1): Promise<SavedPiece> {
  const bytes = bytesOf(piece);
  const extension = piece.kind === 'bytes' ? fileExtension(piece.mimeType, bytes) : 'txt';
  for (let number = from; number < mostNames; number += 1) {
    const file = path.join(folder, `${stem}-${number}.${extension}`);
    try {
      await writeFile(file, bytes, { flag: 'wx' });
      return { piece, file, size: bytes.length };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  throw Object.assign(new Error('no name is free'), { code: 'EEXIST' });
}

function bytesOf(piece: Piece): Buffer {
  if (piece.kind === 'bytes') return Buffer.from(piece.base64, 'base64');
  return piece.kind === 'text' ? (piece.bytes ?? Buffer.from(piece.text)) : Buffer.from(piece.uri);
}

/** What was typed, as the beginning of a file's name that leads nowhere else. */
function plainName(name: string): string {
  return name.replaceAll(/[^\w-]+/gu, '_').slice(0, 60) || 'answer';
}

function shown(place: string): string {
  return `“${printableLine(place, 200)}”`;
}
