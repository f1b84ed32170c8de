import { accessSync, constants, statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { formatCount } from '../../../shared/language.ts';
import type { ToolResult } from '../../engine/use/use-server.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { mcpDepth } from '../../limits.ts';
import { parseExactly } from '../../mcp/messages/exact-json.ts';
import { unescapeInPlace } from '../../mcp/messages/extract-texts.ts';
import type { ExtractedTexts } from '../../mcp/messages/extract-texts.ts';
import { measureJson } from '../../mcp/messages/measure-json.ts';
import { fileExtension } from '../../window/views/media-header.ts';
import { optionValue, UsageError } from '../options/parse-arguments.ts';
import type { ParsedArguments } from '../options/parse-arguments.ts';
import { printable, printableJson, printableLine } from '../text.ts';
import type { CommandResult, Output } from './output.ts';

/** Limits in nesting levels and characters for pretty-printing JSON. */
const prettyPrintLimits = { depth: 16, size: 256 * 1_024 } as const;

/** A tool result as text. */
export function describeResult(
  result: Pick<ToolResult, 'content' | 'structuredContent'>,
  cut?: ExtractedTexts,
): string | undefined {
  return describePieces(piecesOf(result, cut));
}

/** Pretty-prints JSON only if it is small and flat: deep indentation could make it a thousand times larger. */
function describePieces(pieces: readonly Piece[]): string | undefined {
  const { size } = measureJson(pieces, mcpDepth);
  const parts = pieces.map((piece) => describePiece(piece, size <= prettyPrintLimits.size));
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
  return size < 10_000 ? formatCount(size, 'byte') : `${Math.round(size / 1_000)} kB`;
}

/** Many servers return JSON as text. Pretty-prints it without changing numbers. */
function describeText(text: string, mayIndent: boolean): string {
  if (!mayIndent || !/^\s*[[{]/u.test(text)) return printable(text);
  try {
    if (measureJson(JSON.parse(text), prettyPrintLimits.depth).isTooDeep) return printable(text);
    return printableJson(parseExactly(text), 2);
  } catch {
    return printable(text);
  }
}

type Content = ToolResult['content'][number];

/** Part of a server's content: text, a resource link, or bytes. */
type Piece =
  | { readonly kind: 'text'; readonly text: string; readonly bytes?: Buffer }
  | { readonly kind: 'link'; readonly uri: string }
  | {
      readonly kind: 'bytes';
      readonly what: 'image' | 'audio' | 'resource';
      readonly mimeType: string;
      readonly base64: string;
    };

/** Content in order. If a tool returns only structured content, that is one JSON text. */
export function piecesOf(
  { content, structuredContent }: Pick<ToolResult, 'content' | 'structuredContent'>,
  cut: ExtractedTexts = new Map(),
): readonly Piece[] {
  if (content.length === 0 && structuredContent !== undefined) {
    return [{ kind: 'text', text: restoreCutTexts(JSON.stringify(structuredContent), cut) }];
  }
  return content.map((block) => pieceOf(block, cut));
}

/** Puts the long texts that were cut out back into the JSON. They are JSON-escaped already. */
function restoreCutTexts(text: string, cut: ExtractedTexts): string {
  return [...cut].reduce((whole, [word, original]) => whole.replace(word, () => original.toString()), text);
}

function textPiece(text: string, cut: ExtractedTexts): Piece {
  const original = cut.get(text);
  if (!original) return { kind: 'text', text };
  // Only once: `unescapeInPlace` overwrites the buffer.
  cut.delete(text);
  return { kind: 'text', text: '', bytes: unescapeInPlace(original) };
}

function pieceOf(content: Content, cut: ExtractedTexts): Piece {
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
      return { kind: 'text', text: restoreCutTexts(JSON.stringify(content), cut) };
  }
}

/**
 * Bytes for a file or a pipe: a single binary piece, or all texts and links, each starting on a new line.
 */
export function rawPieces(pieces: readonly Piece[]): readonly (string | Buffer)[] {
  const [first, ...more] = pieces;
  if (first?.kind === 'bytes' && more.length === 0) return [Buffer.from(first.base64, 'base64')];
  const texts = pieces.flatMap((piece): readonly (string | Buffer)[] =>
    piece.kind === 'bytes' ? [] : [piece.kind === 'text' ? (piece.bytes ?? piece.text) : piece.uri],
  );
  return texts.flatMap((text, index) => (index > 0 && !endsWithNewline(texts[index - 1]) ? ['\n', text] : [text]));
}

/** Whether the text ends with a line end. */
export function endsWithNewline(text: string | Uint8Array | undefined): boolean {
  return (typeof text === 'string' ? text.slice(-1) : text && String.fromCharCode(text[text.length - 1] ?? 0)) === '\n';
}

/** Number of pieces that `rawPieces` leaves out. */
function countOmitted(pieces: readonly Piece[]): number {
  return pieces.length < 2 ? 0 : pieces.filter(({ kind }) => kind === 'bytes').length;
}

/** Decoded size of base64 text, without decoding it. */
function decodedLength(base64: string): number {
  return Math.max(0, Math.floor((base64.length * 3) / 4) - (/={0,2}$/u.exec(base64.slice(-2))?.[0].length ?? 0));
}

type ServerContent = Pick<ToolResult, 'content' | 'structuredContent'>;

/** A file written by `--output`, for `--json`. */
interface WrittenFile {
  readonly path: string;
  readonly size: number;
  readonly mimeType: string;
}

/**
 * Server content as a command result: text on a terminal, raw bytes elsewhere, or files with `target`. `fields` gets
 * the content without the parts saved to files. Errors: OUTPUT_FAILED.
 */
export async function toCommandResult(
  { output }: { readonly output: Output },
  received: ServerContent,
  {
    name,
    target,
    cut,
  }: { readonly name: string; readonly target: SaveTarget | undefined; readonly cut?: ExtractedTexts | undefined },
  fields: (
    content: ServerContent['content'],
    files: { readonly files?: readonly WrittenFile[] },
  ) => CommandResult['fields'],
): Promise<CommandResult> {
  const pieces = piecesOf(received, cut);
  const saved = target ? await savePieces(target, name, pieces) : [];
  for (const { file, size } of new Map(saved.map((entry) => [entry.file, entry])).values())
    output.info(`Saved ${printableLine(file, 500)} (${formatCount(size, 'byte')}).`);
  const files = target && { files: [...new Map(saved.map((entry) => [entry.file, toWritten(entry)])).values()] };
  const result = { fields: fields(withoutSaved(received.content, pieces, saved), files ?? {}) };
  if (output.json) return result;
  const rest = pieces.filter((piece) => !saved.some((entry) => entry.piece === piece));
  if (output.isStdoutTerminal) return { ...result, text: describePieces(rest) };
  const omitted = countOmitted(rest);
  if (omitted > 0)
    output.notify(
      `${omitted === 1 ? 'One part' : `${omitted} parts`} of the result cannot be printed. Save the result with --output DIR.`,
    );
  return { ...result, raw: rawPieces(rest) };
}

function toWritten({ piece, file, size }: SavedPiece): WrittenFile {
  return { path: file, size, mimeType: piece.kind === 'bytes' ? piece.mimeType : 'text/plain' };
}

/** Content without the `data` and `blob` of parts that were saved to files. */
function withoutSaved(
  content: ServerContent['content'],
  pieces: readonly Piece[],
  saved: readonly SavedPiece[],
): ServerContent['content'] {
  if (saved.length === 0) return content;
  return content.map((block, index) => {
    const entry = saved.find(({ piece }) => piece === pieces[index]);
    if (entry?.piece.kind !== 'bytes') return block;
    const rest = Object.entries(block).filter(([name]) => name !== 'data' && name !== 'resource');
    const resource = 'resource' in block && { resource: { ...block.resource, blob: undefined } };
    return { ...Object.fromEntries(rest), ...resource, file: entry.file } as unknown as typeof block;
  });
}

/** Where `--output` saves a result. */
export interface SaveTarget {
  readonly path: string;
  readonly isFolder: boolean;
}

/** A piece that was saved. */
interface SavedPiece {
  readonly piece: Piece;
  readonly file: string;
  readonly size: number;
}

/** Limit of file names tried in a folder. */
const maxAttempts = 10_000;

/**
 * Checked before the call, because a tool may not be repeatable. A name ending in `/` is a folder, which is created.
 * Errors: USAGE.
 */
export function saveTarget(args: ParsedArguments): SaveTarget | undefined {
  const targetPath = optionValue(args, 'output');
  if (targetPath === undefined) return undefined;
  const stats = statSync(targetPath, { throwIfNoEntry: false });
  const namesFolder = /[/\\]$/u.test(targetPath);
  const target = { path: targetPath, isFolder: stats?.isDirectory() ?? namesFolder };
  if (stats && namesFolder && !stats.isDirectory())
    throw new UsageError(`--output: ${quotePath(targetPath)} is not a folder.`, args.command);
  if (target.isFolder && !stats) return target;
  try {
    accessSync(stats ? targetPath : path.dirname(path.resolve(targetPath)), constants.W_OK);
  } catch {
    throw new UsageError(`--output: ${quotePath(targetPath)} cannot be written.`, args.command);
  }
  return target;
}

/**
 * In a folder, saves each piece as `name` with a number and never overwrites. In a file, saves the first binary piece
 * (others beside it, numbered), or all text. Errors: OUTPUT_FAILED.
 */
async function savePieces(target: SaveTarget, name: string, pieces: readonly Piece[]): Promise<readonly SavedPiece[]> {
  try {
    if (target.isFolder) {
      await mkdir(target.path, { recursive: true });
      const saved: SavedPiece[] = [];
      for (const piece of pieces) {
        if (piece.kind !== 'link') saved.push(await saveNumbered(piece, target.path, safeBaseName(name)));
      }
      return saved;
    }
    const [first, ...more] = pieces.filter(({ kind }) => kind === 'bytes');
    if (!first) {
      const bytes = Buffer.concat(rawPieces(pieces).map((piece) => Buffer.from(piece as string)));
      await writeFile(target.path, bytes);
      return pieces.map((piece) => ({ piece, file: target.path, size: bytes.length }));
    }
    const bytes = bytesOf(first);
    await writeFile(target.path, bytes);
    const saved: SavedPiece[] = [{ piece: first, file: target.path, size: bytes.length }];
    const { dir, name: stem } = path.parse(target.path);
    for (const piece of more) saved.push(await saveNumbered(piece, dir === '' ? '.' : dir, stem, 2));
    return saved;
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code;
    const detail = { file: quotePath(target.path), ...(reason !== undefined && { reason }) };
    throw new PosternError('OUTPUT_FAILED', { stage: 'postern', cause: error, detail });
  }
}

async function saveNumbered(piece: Piece, folder: string, stem: string, firstNumber = 1): Promise<SavedPiece> {
  const bytes = bytesOf(piece);
  const extension = piece.kind === 'bytes' ? fileExtension(piece.mimeType, bytes) : 'txt';
  for (let number = firstNumber; number < maxAttempts; number += 1) {
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

/** A safe base for file names: no path separators. */
function safeBaseName(name: string): string {
  return name.replaceAll(/[^\w-]+/gu, '_').slice(0, 60) || 'result';
}

function quotePath(targetPath: string): string {
  return `“${printableLine(targetPath, 200)}”`;
}
