import type { CallerContext } from '../../common/index.js';
import type { OperationDispatcher } from '../../dispatch/index.js';
import type { ToolDefinition } from '../../palette/index.js';
import type { Agent } from '../definition/agent.js';
import type { AgentGraph } from '../definition/agent-graph.js';
import { AgentError } from '../agent-error.js';
import type { AgentTool } from './agent-tool.js';
import { PaletteTool } from './palette-tool.js';
import { TransferTool } from './transfer-tool.js';

/** What is wrong with an agent of a run that cannot call its palette. */
export const NO_DISPATCHER = 'has a palette, and the run has no `dispatcher` to call it through';

/** All that one agent can call, for one caller. */
export class Toolbox {
  readonly definitions: readonly ToolDefinition[];
  readonly #tools: ReadonlyMap<string, AgentTool>;

  constructor(tools: readonly AgentTool[]) {
    this.#tools = new Map(tools.map((tool) => [tool.definition.name, tool]));
    this.definitions = tools.map(({ definition }) => definition);
  }

  tool(name: string): AgentTool | undefined {
    return this.#tools.get(name);
  }

  /** The agent that a tool transfers to; undefined for every other tool. */
  transferTarget(name: string): string | undefined {
    const tool = this.#tools.get(name);
    return tool instanceof TransferTool ? tool.to : undefined;
  }
}

/**
 * What `agent` can call: of its palette what the caller is shown, its functions, its handoffs.
 * @throws AgentError `agent_definition_invalid` where there is a palette and no dispatcher
 */
export async function toolboxOf(
  agent: Agent,
  graph: AgentGraph,
  dispatcher: OperationDispatcher | undefined,
  caller: CallerContext,
): Promise<Toolbox> {
  const transfers = graph
    .handoffsOf(agent)
    .map(({ to, when }) => new TransferTool(to, when ?? graph.agent(to)?.description));
  return new Toolbox([...(await paletteTools(agent, dispatcher, caller)), ...(agent.tools ?? []), ...transfers]);
}

async function paletteTools(
  { name, palette }: Agent,
  dispatcher: OperationDispatcher | undefined,
  caller: CallerContext,
): Promise<AgentTool[]> {
  if (palette === undefined) return [];
  if (dispatcher === undefined) {
    throw new AgentError('agent_definition_invalid', { parameters: { agent: name, what: NO_DISPATCHER } });
  }
  const shown = await palette.visibleTo(caller);
  return shown.definitions.flatMap((definition) => {
    const entry = shown.entry(definition.name);
    return entry === undefined ? [] : [new PaletteTool(entry, shown, dispatcher)];
  });
}
