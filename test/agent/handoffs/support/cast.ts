import { randomUUID } from 'node:crypto';
import { defineAgent, InMemoryAgentStore, type Agent, type AgentEvent, type AgentOptions } from 'nestjs-palette';
import { ScriptedModel, type ScriptedStep } from 'nestjs-palette/testing';
import { collect, say } from '../../run/support/running.js';

type Part = Partial<Omit<AgentOptions<undefined>, 'name' | 'model'>> & { readonly script?: readonly ScriptedStep[] };

/** Agents by name, each with a scripted model of its own, and a store that they talk in. */
export interface Cast {
  readonly agents: Readonly<Record<string, Agent>>;
  readonly store: InMemoryAgentStore;
  readonly conversation: string;
  model(name: string): ScriptedModel;
  /** Says something to the first of them; another process is one that knows these agents and this store only. */
  say(message: string | undefined, extra?: Parameters<typeof say>[2]): Promise<AgentEvent[]>;
}

/** The first part is the entry. */
export function cast(parts: Readonly<Record<string, Part>>, store = new InMemoryAgentStore()): Cast {
  const models = new Map<string, ScriptedModel>();
  const agents = Object.entries(parts).map(([name, { script = [], ...rest }]) => {
    const model = new ScriptedModel(script, { name: `model of ${name}` });
    models.set(name, model);
    return defineAgent({ name, model, ...rest });
  });
  const [entry, ...others] = agents;
  const conversation = randomUUID();
  return {
    agents: Object.fromEntries(agents.map((agent) => [agent.name, agent])),
    store,
    conversation,
    model: (name) => models.get(name) as ScriptedModel,
    say: (message, extra = {}) =>
      collect(say(entry as Agent, message, { agents: others, store, conversation, ...extra } as typeof extra)),
  };
}

/** A reply that hands over to these, in this order. */
export function transfers(...targets: readonly string[]): ScriptedStep {
  return { toolCalls: targets.map((to) => ({ name: `transfer_to_${to}` })) };
}
