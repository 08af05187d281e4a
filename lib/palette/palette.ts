import type { CallerContext, JsonSchema } from '../common/index.js';
import type { ApprovalRule, OperationDescriptor } from '../operations/index.js';
import type { ResolvedQueryPolicy } from '../query/index.js';
import {
  aiSdkTool,
  anthropicTool,
  estimateTools,
  grammarOf,
  mcpTool,
  openAITool,
  runnableAiSdkTool,
  strictFormOf,
  type AiSdkTool,
  type AnthropicTool,
  type FilterGrammar,
  type McpTool,
  type OpenAIFormatOptions,
  type OpenAITool,
  type PaletteEstimate,
  type RunnableAiSdkTool,
  type ToldTool,
  type ToolRunner,
} from './formats/index.js';
import type { OperationVisibility } from './palette.options.js';
import type { ToolDefinition } from './tool-definition.js';

/** One operation in a palette, under the name a model calls it by. */
export interface PaletteEntry extends ToldTool {
  readonly operation: OperationDescriptor;
  readonly definition: ToolDefinition;
  /** The schema of all arguments, with what the definition leaves to the filter grammar. */
  readonly argumentsSchema: JsonSchema;
  /** The names that arguments have in formats whose providers do not take every name, with their own ones. */
  readonly argumentAliases: ReadonlyMap<string, string>;
  /** The definitions of the filter grammar that the definition points to. */
  readonly pointsTo: readonly string[];
  /** The query policy that calls through this palette are held to, where the palette narrows it. */
  readonly queryPolicy: ResolvedQueryPolicy | undefined;
  /** Whoever demands that a person approve: the operation's owner, this palette. Empty: nobody. */
  readonly approvalRules: readonly ApprovalRule[];
}

/** What a palette holds once the application has booted. */
export interface PaletteContent {
  readonly readOnly: boolean;
  readonly entries: ReadonlyMap<string, PaletteEntry>;
  readonly definitions: readonly ToolDefinition[];
  readonly filterGrammar: FilterGrammar | undefined;
  readonly visible: OperationVisibility | undefined;
}

/**
 * A named, frozen part of the catalogue: all that one agent may see and call. Inject it with `@InjectPalette(name)`.
 * Its content is read on first use, at the latest when the application initialises.
 */
export class Palette {
  readonly #content: () => PaletteContent;

  constructor(
    readonly name: string,
    content: () => PaletteContent,
  ) {
    this.#content = content;
    Object.freeze(this);
  }

  /** The tools as a model is told of them, in the order of the allow-list. */
  get definitions(): readonly ToolDefinition[] {
    return this.#content().definitions;
  }

  /** Whether commands were refused at boot. */
  get readOnly(): boolean {
    return this.#content().readOnly;
  }

  /** What the definitions leave to a shared text; undefined without `sharedFilterGrammar`, and where no tool queries. */
  get filterGrammar(): FilterGrammar | undefined {
    return this.#content().filterGrammar;
  }

  /** Why tools have `strict: false` in `toOpenAI({ strict: true })`: for each such tool, what strict mode cannot carry. */
  get strictObstacles(): ReadonlyMap<string, readonly string[]> {
    const forms = this.#entries().map((entry) => [entry.definition.name, strictFormOf(entry)] as const);
    return new Map(forms.flatMap(([name, form]) => ('obstacles' in form ? [[name, form.obstacles] as const] : [])));
  }

  /** The definitions as `tools` of OpenAI's chat completions. Yours to change, like what the other formats yield. */
  toOpenAI(options: OpenAIFormatOptions = {}): OpenAITool[] {
    return this.#entries().map((entry) => openAITool(entry, options));
  }

  /** The definitions as `tools` of Anthropic's messages. */
  toAnthropic(): AnthropicTool[] {
    return this.#entries().map(anthropicTool);
  }

  /** The definitions as `tools` of the AI SDK, by name. With `run`, the SDK runs the calls through it. */
  toAiSdk(): Record<string, AiSdkTool>;
  toAiSdk(run: ToolRunner): Record<string, RunnableAiSdkTool>;
  toAiSdk(run?: ToolRunner): Record<string, AiSdkTool> {
    const made = this.#entries().map((entry) => (run === undefined ? aiSdkTool(entry) : runnableAiSdkTool(entry, run)));
    return Object.fromEntries(made.map((tool, index) => [this.definitions[index]?.name, tool]));
  }

  /** The definitions as `tools` of MCP's `tools/list`. */
  toMcp(): McpTool[] {
    return this.#entries().map(mcpTool);
  }

  /** How much of a model's context the definitions take, each and together. */
  estimate(): PaletteEstimate {
    return estimateTools(this.#entries(), this.filterGrammar);
  }

  /** The palette with what its `visible` option shows to a caller: to tell a model of, and to dispatch through. */
  async visibleTo(caller: CallerContext): Promise<Palette> {
    const content = this.#content();
    const { visible } = content;
    if (visible === undefined) return this;
    const shown = await Promise.all(this.#entries().map(({ operation }) => visible(operation, caller)));
    const entries = new Map([...content.entries].filter((_, index) => shown[index] === true));
    const definitions = Object.freeze([...entries.values()].map((entry) => entry.definition));
    const filterGrammar = grammarOf(entries.values(), content.filterGrammar);
    return new Palette(this.name, () => ({ ...content, entries, definitions, filterGrammar }));
  }

  /** The entry that a model calls `toolName`; undefined for every other name. */
  entry(toolName: string): PaletteEntry | undefined {
    return this.#content().entries.get(toolName);
  }

  #entries(): readonly PaletteEntry[] {
    return [...this.#content().entries.values()];
  }
}
