import { claudeCode } from './programs/claude-code.ts';
import { codex } from './programs/codex.ts';
import { continueProgram } from './programs/continue.ts';
import { copilotCli } from './programs/copilot-cli.ts';
import { geminiCli } from './programs/gemini-cli.ts';
import { inspector } from './programs/inspector.ts';
import { mcporter } from './programs/mcporter.ts';
import { openCode } from './programs/opencode.ts';
import { qwenCode } from './programs/qwen-code.ts';
import type { RealProgram } from './real-program.ts';

/** In the order in which they are tried. */
export const realPrograms: readonly RealProgram[] = [
  ...[claudeCode, codex, openCode, copilotCli, continueProgram],
  ...[geminiCli, qwenCode, mcporter, inspector],
];
