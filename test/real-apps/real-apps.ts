import { claudeCode } from './apps/claude-code.ts';
import { codex } from './apps/codex.ts';
import { continueApp } from './apps/continue.ts';
import { copilotCli } from './apps/copilot-cli.ts';
import { geminiCli } from './apps/gemini-cli.ts';
import { inspector } from './apps/inspector.ts';
import { mcporter } from './apps/mcporter.ts';
import { openCode } from './apps/opencode.ts';
import { qwenCode } from './apps/qwen-code.ts';
import type { RealApp } from './real-app.ts';

/** In the order in which they are tried. */
export const realApps: readonly RealApp[] = [
  ...[claudeCode, codex, openCode, copilotCli, continueApp],
  ...[geminiCli, qwenCode, mcporter, inspector],
];
