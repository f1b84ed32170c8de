import { isUnseen } from '../../integration/kept/tool-pins.ts';
import { noteTools, readPins } from '../../integration/kept/note-tools.ts';
import type { PinPorts } from '../../integration/kept/note-tools.ts';
import { pinnedName, seeTool } from '../../mcp/client/seen-tool.ts';
import type { SeenTool, ToolPins } from '../../pin-ports.ts';
import type { Integration } from '../../../shared/integration.ts';
import { isObject } from '../messages/envelope.ts';
import type { JsonObject } from '../messages/envelope.ts';
import { toolsIn } from './without-tools.ts';

/** Tools that nobody has looked at, or not in the form that they have now. */
export interface UnseenTools {
  /** `raw`: the entry as it came. */
  readonly inList: (tool: JsonObject, raw: Buffer) => boolean;
  readonly called: (name: string) => boolean;
}

/** What tools of one server say of themselves now, beside what a person has looked at. */
export class SeenTools {
  readonly #ports: PinPorts;
  readonly #integration: () => Integration;
  #pins: Promise<ToolPins | undefined> | undefined;
  /** As they were listed last, to whichever program; two of one name are two forms. */
  readonly #listed = new Map<string, readonly SeenTool[]>();

  constructor(ports: PinPorts, integration: () => Integration) {
    this.#ports = ports;
    this.#integration = integration;
  }

  /** Learns from one page of `tools/list`, as it came. Never rejects. */
  async learn(answer: Buffer, result: JsonObject): Promise<void> {
    const seen = toolsIn(answer).flatMap(([tool, raw]) => see(tool, raw) ?? []);
    this.#remember(seen);
    const noting = noteTools(this.#ports, this.#integration(), {
      seen,
      isLast: typeof result['nextCursor'] !== 'string',
    });
    this.#pins = noting;
    await noting;
  }

  /** The same of what was listed before. */
  recall({ tools }: JsonObject): void {
    const listed: readonly unknown[] = Array.isArray(tools) ? tools : [];
    this.#remember(listed.flatMap((tool) => (isObject(tool) && see(tool)) || []));
  }

  /** Those that nobody has looked at. Never rejects. */
  async unseen(): Promise<UnseenTools> {
    const pins = await (this.#pins ??= readPins(this.#ports, this.#integration()));
    return {
      inList: (tool, raw) => {
        const seen = see(tool, raw);
        return seen !== undefined && isUnseen(pins, seen);
      },
      called: (name) => {
        const wanted = pinnedName(name);
        const listed = this.#listed.get(wanted);
        if (listed) return listed.some((seen) => isUnseen(pins, seen));
        return pins?.isWhole === true && !pins.tools.some((tool) => tool.name === wanted);
      },
    };
  }

  /** What was listed is of another sign-in; what a person has looked at stays. */
  forget(): void {
    this.#listed.clear();
    this.#pins = undefined;
  }

  /** A person has looked at them, in whichever process. */
  forgetPins(): void {
    this.#pins = undefined;
  }

  #remember(seen: readonly SeenTool[]): void {
    for (const [name, forms] of Map.groupBy(seen, (tool) => tool.name)) this.#listed.set(name, forms);
  }
}

function see(tool: JsonObject, raw?: Buffer): SeenTool | undefined {
  const { name } = tool;
  return typeof name === 'string' ? seeTool({ ...tool, name }, raw) : undefined;
}
