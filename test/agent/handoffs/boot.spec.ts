import { Test } from '@nestjs/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  AgentModule,
  AgentRunner,
  defineAgent,
  getPaletteToken,
  OperationDispatcher,
  runAgent,
  type Agent,
  type AgentModuleOptions,
  type AgentOptions,
  type BootFault,
  type Palette,
  type PaletteBootError,
} from 'nestjs-palette';
import { ScriptedModel } from 'nestjs-palette/testing';
import { closeApplications } from '../../support/application.js';
import { ANN, CALLER, collect, counted, doneOf } from '../run/support/running.js';
import { bootCounter } from './support/counter.js';

const model = (): ScriptedModel => new ScriptedModel(() => 'Here.');
const agent = (name: string, options: Partial<AgentOptions<undefined>> = {}): Agent =>
  defineAgent({ name, model: model(), ...options });

/** Boots the module with these agents and lets the first answer. */
async function booted(options: AgentModuleOptions): Promise<unknown> {
  const app = (
    await Test.createTestingModule({ imports: [AgentModule.forRoot(options)] }).compile()
  ).createNestApplication({
    logger: false,
  });
  try {
    await app.init();
    const request = { conversation: 'c-1', principal: ANN, caller: CALLER, message: 'Hi' };
    return doneOf(await collect(app.get(AgentRunner).run(request))).answer;
  } finally {
    await app.close();
  }
}

/** Lets the first answer, without a module. */
async function ran({ agents, entries: _entries, ...limits }: AgentModuleOptions): Promise<unknown> {
  const [first, ...others] = agents;
  const messages = [{ role: 'user' as const, text: 'Hi' }];
  const events = runAgent({ agent: first as Agent, agents: others, messages, caller: CALLER, ...limits } as never);
  return doneOf(await collect(events)).answer;
}

const faultsOf = async (boot: () => Promise<unknown>): Promise<readonly BootFault[]> => {
  const error: unknown = await boot().then(
    () => new Error('it booted'),
    (thrown: unknown) => thrown,
  );
  return (error as PaletteBootError).faults ?? [{ code: String(error), message: '' }];
};

type Case = readonly [code: string, what: string, faulty: AgentModuleOptions, sound: AgentModuleOptions];

const BOTH: readonly Case[] = [
  [
    'agent_name_duplicate',
    'Two agents are named "billing"',
    { agents: [agent('triage', { handoffs: ['billing'] }), agent('billing'), agent('billing')] },
    { agents: [agent('triage', { handoffs: ['billing', 'Billing'] }), agent('billing'), agent('Billing')] },
  ],
  [
    'agent_gate_missing',
    'Agent "helper" has the tool "pay", whose calls a person must approve, and nobody keeps approvals.',
    { agents: [agent('helper', { tools: [counted('pay', { approval: 'moves money' }).tool] })] },
    { agents: [agent('helper', { tools: [counted('pay').tool] })] },
  ],
  [
    'agent_tool_collision',
    'two tools named "transfer_to_billing": a function tool and the handoff to "billing"',
    {
      agents: [
        agent('triage', { handoffs: ['billing'], tools: [counted('transfer_to_billing').tool] }),
        agent('billing'),
      ],
    },
    {
      agents: [agent('triage', { handoffs: ['billing'], tools: [counted('transfer_bill').tool] }), agent('billing')],
    },
  ],
  [
    'agent_tool_collision',
    'two tools named "look_up": a function tool and a function tool',
    { agents: [agent('triage', { tools: [counted('look_up').tool, counted('look_up').tool] })] },
    {
      agents: [
        agent('triage', { handoffs: ['billing'], tools: [counted('look_up').tool] }),
        agent('billing', { tools: [counted('look_up').tool] }),
      ],
    },
  ],
  [
    'agent_tool_collision',
    'two tools named "transfer_to_billing": the handoff to "billing" and the handoff to "billing"',
    { agents: [agent('triage', { handoffs: ['billing', { to: 'billing', when: 'Twice.' }] }), agent('billing')] },
    { agents: [agent('triage', { handoffs: [{ to: 'billing', when: 'Once.' }] }), agent('billing')] },
  ],
  [
    'agent_unreachable',
    '"billing" is never reached',
    { agents: [agent('triage'), agent('billing', { handoffs: ['triage'] })] },
    { agents: [agent('triage', { handoffs: ['billing'] }), agent('billing', { handoffs: ['triage'] })] },
  ],
  [
    'agent_unreachable',
    '"refunds" is never reached',
    { agents: [agent('triage', { handoffs: ['billing'] }), agent('billing'), agent('refunds')] },
    {
      agents: [
        agent('triage', { handoffs: ['billing'] }),
        agent('billing', { handoffs: ['refunds'] }),
        agent('refunds'),
      ],
    },
  ],
  [
    'handoff_unknown',
    '"triage" hands over to "biling", which is not among the agents',
    { agents: [agent('triage', { handoffs: ['billing', 'biling'] }), agent('billing')] },
    { agents: [agent('triage', { handoffs: ['billing'] }), agent('billing')] },
  ],
  [
    'agent_definition_invalid',
    'the name may have letters',
    { agents: [agent('tri age')] },
    { agents: [agent('tri-age_2')] },
  ],
  ['agent_definition_invalid', '50 at most', { agents: [agent('a'.repeat(51))] }, { agents: [agent('a'.repeat(50))] }],
  [
    'agent_definition_invalid',
    'Agent "undefined": the name may have letters',
    { agents: [agent(undefined as never)] },
    { agents: [agent('undefined')] },
  ],
  [
    'agent_definition_invalid',
    'the tool "look up" may have letters',
    { agents: [agent('triage', { tools: [counted('look up').tool] })] },
    { agents: [agent('triage', { tools: [counted('look-up_2').tool] })] },
  ],
  [
    'agent_definition_invalid',
    'the tool "look_up" has a `timeoutMs` that is no whole number',
    { agents: [agent('triage', { tools: [counted('look_up', { timeoutMs: 0 }).tool] })] },
    { agents: [agent('triage', { tools: [counted('look_up', { timeoutMs: 1 }).tool] })] },
  ],
  [
    'agent_definition_invalid',
    'hands over to itself',
    { agents: [agent('triage', { handoffs: ['triage'] })] },
    { agents: [agent('triage', { handoffs: ['billing'] }), agent('billing', { handoffs: ['triage'] })] },
  ],
  [
    'agent_definition_invalid',
    '`model` is missing',
    { agents: [defineAgent({ name: 'triage' } as AgentOptions<undefined>)] },
    { agents: [agent('triage')] },
  ],
  [
    'agent_definition_invalid',
    'has no `complete`',
    { agents: [agent('triage', { model: { name: 'm', provider: 'p' } as never })] },
    { agents: [agent('triage', { model: { name: 'm', provider: 'p', complete: model().complete.bind(model()) } })] },
  ],
  [
    'agent_options_invalid',
    '`maxHandoffs` must be a whole number from 0 to 1000',
    { agents: [agent('triage')], maxHandoffs: -1 },
    { agents: [agent('triage')], maxHandoffs: 0 },
  ],
];

const MODULE_ONLY: readonly Case[] = [
  ['agent_options_invalid', '`agents` is empty', { agents: [] }, { agents: [agent('triage')] }],
  [
    'agent_options_invalid',
    '`entries` names "orders", which is no agent',
    { agents: [agent('triage')], entries: ['triage', 'orders'] },
    { agents: [agent('triage'), agent('orders')], entries: ['triage', 'orders'] },
  ],
  [
    'agent_unreachable',
    '"orders" is never reached',
    { agents: [agent('triage'), agent('orders')] },
    { agents: [agent('triage'), agent('orders')], entries: ['triage', 'orders'] },
  ],
  [
    'agent_options_invalid',
    '`shutdownGraceMs` must be a whole number from 0 to 2147483647',
    { agents: [agent('triage')], shutdownGraceMs: -1 },
    { agents: [agent('triage')], shutdownGraceMs: 0 },
  ],
  [
    'agent_options_invalid',
    '`sweepConcurrency` must be a whole number from 1 to 1000',
    { agents: [agent('triage')], sweepConcurrency: 0 },
    { agents: [agent('triage')], sweepConcurrency: 1 },
  ],
];

describe.each([
  ['AgentModule, at boot', booted, [...BOTH, ...MODULE_ONLY]],
  ['runAgent', ran, BOTH],
] as const)('%s', (_where, start, cases) => {
  it.each(cases)('refuses %s: %s', async (code, what, faulty) => {
    const faults = await faultsOf(() => start(faulty));
    expect(faults).toEqual([{ code, message: expect.stringContaining(what) }]);
  });

  it.each(cases)('takes what is like %s (%s), and sound', async (_code, _what, _faulty, sound) => {
    await expect(start(sound)).resolves.toBe('Here.');
  });

  it('tells every fault at once', async () => {
    const agents = [agent('triage', { handoffs: ['nobody'] }), agent('a b'), agent('a b')];
    const faults = await faultsOf(() => start({ agents, maxHandoffs: 0.5 }));
    expect(new Set(faults.map(({ code }) => code))).toEqual(
      new Set([
        'handoff_unknown',
        'agent_definition_invalid',
        'agent_name_duplicate',
        'agent_unreachable',
        'agent_options_invalid',
      ]),
    );
  });
});

describe('a tool of a palette with the name of another tool', () => {
  afterEach(closeApplications);

  it('is refused when the application boots', async () => {
    const tools = [counted('refunds__look').tool];
    expect(await faultsOf(() => bootCounter('express', { tools }))).toEqual([
      {
        code: 'agent_tool_collision',
        message: expect.stringContaining('two tools named "refunds__look": palette "refunds" and a function tool'),
      },
    ]);
  });

  it('is fine where it is of another agent', async () => {
    const tools = [counted('invoices__look').tool];
    const counter = await bootCounter('express', { tools, triage: ['Here.'] });
    expect(doneOf(await counter.say('ann', 'Hi')).answer).toBe('Here.');
  });
});

describe('runAgent, where another agent has a palette', () => {
  afterEach(closeApplications);

  const start = async (hasDispatcher: boolean): Promise<unknown> => {
    const { app } = await bootCounter('express');
    const palette = app.get<Palette>(getPaletteToken('invoices'), { strict: false });
    const agents = [agent('clerk', { palette })];
    const dispatcher = hasDispatcher ? { dispatcher: app.get(OperationDispatcher) } : {};
    const messages = [{ role: 'user' as const, text: 'Hi' }];
    const triage = agent('triage', { handoffs: ['clerk'] });
    return doneOf(await collect(runAgent({ agent: triage, agents, messages, caller: CALLER, ...dispatcher }))).answer;
  };

  it('refuses to begin without a dispatcher', async () => {
    expect(await faultsOf(() => start(false))).toEqual([
      {
        code: 'agent_definition_invalid',
        message: expect.stringContaining('"clerk": has a palette, and the run has no'),
      },
    ]);
  });

  it('begins with one', async () => {
    await expect(start(true)).resolves.toBe('Here.');
  });
});

describe('runAgent, whose `agents` have the agent itself among them', () => {
  it('takes that for one agent', async () => {
    const billing = agent('billing', { handoffs: ['triage'] });
    const triage = agent('triage', { handoffs: ['billing'] });
    await expect(ran({ agents: [triage, triage, billing] })).resolves.toBe('Here.');
  });
});
