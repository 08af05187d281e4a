import { MAX_TIMER_MS, type BootFaults } from '../../common/index.js';
import type { Agent, Handoff } from './agent.js';
import { transferName } from './transfer-name.js';

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const AGENT_NAME = /^[a-zA-Z0-9_-]{1,50}$/;

/** Agents that hand over to one another, checked together. */
export class AgentGraph {
  readonly #agents = new Map<string, Agent>();

  /**
   * @param agents all of them
   * @param entries the names of those that conversations begin with; the first is the one that is taken unless asked otherwise
   * @param faults takes what is wrong; a graph with faults is not to be used
   */
  constructor(
    agents: readonly Agent[],
    readonly entries: readonly string[],
    faults: BootFaults,
  ) {
    if (agents.length === 0) faults.add('agent_options_invalid', { key: 'agents', what: 'is empty' });
    for (const agent of agents) {
      if (this.#agents.has(agent.name)) faults.add('agent_name_duplicate', { agent: agent.name });
      this.#agents.set(agent.name, agent);
      checkAgent(agent, faults);
    }
    for (const agent of agents) this.#checkHandoffs(agent, faults);
    this.#checkEntries(faults);
  }

  get agents(): readonly Agent[] {
    return [...this.#agents.values()];
  }

  agent(name: string): Agent | undefined {
    return this.#agents.get(name);
  }

  /** The ways out of an agent, in its own order. */
  handoffsOf({ handoffs = [] }: Agent): readonly Handoff[] {
    return handoffs.map((handoff) => (typeof handoff === 'string' ? { to: handoff } : handoff));
  }

  handoff(from: string, to: string): Handoff | undefined {
    const agent = this.#agents.get(from);
    return agent && this.handoffsOf(agent).find((handoff) => handoff.to === to);
  }

  /** The agent that a tool of `from` transfers to; undefined for every other tool. */
  transferTarget(from: string, tool: string): string | undefined {
    const agent = this.#agents.get(from);
    return agent && this.handoffsOf(agent).find(({ to }) => transferName(to) === tool)?.to;
  }

  /** Tool names that one agent has twice. Palettes are read by then, so this is asked after they are. */
  checkTools(faults: BootFaults): void {
    for (const agent of this.agents) {
      const owners = new Map<string, string>();
      for (const [tool, owner] of this.#toolNames(agent)) {
        const first = owners.get(tool);
        if (first === undefined) owners.set(tool, owner);
        else faults.add('agent_tool_collision', { agent: agent.name, tool, first, second: owner });
      }
    }
  }

  /** Tools whose calls somebody may have to approve, where nobody keeps approvals. Palettes are read by then. */
  checkGates(faults: BootFaults): void {
    for (const { name: agent, palette, tools = [] } of this.agents) {
      const gated = tools.filter(({ isGated }) => isGated).map(({ definition }) => definition.name);
      for (const { name } of palette?.definitions ?? []) {
        if ((palette?.entry(name)?.approvalRules.length ?? 0) > 0) gated.push(name);
      }
      for (const tool of gated) faults.add('agent_gate_missing', { agent, tool });
    }
  }

  *#toolNames(agent: Agent): Generator<readonly [tool: string, owner: string]> {
    for (const { name } of agent.palette?.definitions ?? []) yield [name, `palette "${agent.palette?.name}"`];
    for (const { definition } of agent.tools ?? []) yield [definition.name, 'a function tool'];
    for (const { to } of this.handoffsOf(agent)) yield [transferName(to), `the handoff to "${to}"`];
  }

  #checkHandoffs(agent: Agent, faults: BootFaults): void {
    for (const { to } of this.handoffsOf(agent)) {
      if (!this.#agents.has(to)) faults.add('handoff_unknown', { agent: agent.name, target: to });
      if (to === agent.name) faults.add('agent_definition_invalid', { agent: to, what: 'hands over to itself' });
    }
  }

  #checkEntries(faults: BootFaults): void {
    for (const entry of this.entries) {
      if (this.#agents.has(entry)) continue;
      faults.add('agent_options_invalid', { key: 'entries', what: `names "${entry}", which is no agent` });
    }
    const reached = new Set<string>();
    const visit = (name: string): void => {
      const agent = this.#agents.get(name);
      if (agent === undefined || reached.has(name)) return;
      reached.add(name);
      for (const { to } of this.handoffsOf(agent)) visit(to);
    };
    this.entries.forEach(visit);
    for (const { name } of this.agents) if (!reached.has(name)) faults.add('agent_unreachable', { agent: name });
  }
}

function checkAgent(agent: Agent, faults: BootFaults): void {
  const report = (what: string): void => faults.add('agent_definition_invalid', { agent: agent.name, what });
  // Configuration may come from JavaScript.
  if (typeof agent.name !== 'string' || !AGENT_NAME.test(agent.name)) {
    report('the name may have letters, digits, "_" and "-", 50 at most');
  }
  if (typeof (agent.model as Partial<Agent['model']> | undefined)?.complete !== 'function') {
    report('`model` is missing, or has no `complete`');
  }
  for (const { definition, timeoutMs } of agent.tools ?? []) {
    const tool = `the tool "${definition.name}"`;
    if (!TOOL_NAME.test(definition.name))
      report(`${tool} may have letters, digits, "_" and "-" in its name, 64 at most`);
    const isTime =
      timeoutMs === undefined || (Number.isInteger(timeoutMs) && timeoutMs > 0 && timeoutMs <= MAX_TIMER_MS);
    if (!isTime) report(`${tool} has a \`timeoutMs\` that is no whole number from 1 to ${MAX_TIMER_MS}`);
  }
}
