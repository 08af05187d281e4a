import { describe, expect, it } from '@jest/globals';
import { defineAgent, InMemoryAgentStore, runAgent, type RunAgentOptions } from 'nestjs-palette';
import { ScriptedModel } from 'nestjs-palette/testing';
import { approvalsOf } from './support/approvals.js';
import { ANN, CALLER } from './support/running.js';

const agent = defineAgent({ name: 'helper', model: new ScriptedModel([]) });
const store = new InMemoryAgentStore();
const MESSAGES = { agent, caller: CALLER, messages: [] };
const CONVERSATION = { agent, caller: CALLER, conversation: 'c-1', principal: ANN };

/** As a caller of JavaScript may write it. */
const begin = (options: object) => () => runAgent(options as RunAgentOptions);

describe('options of a run that do not go together', () => {
  it.each([
    [{ ...MESSAGES, caller: undefined }, 'caller', 'is missing'],
    [{ ...MESSAGES, caller: null }, 'caller', 'is missing'],
    [{ ...MESSAGES, model: agent.model }, 'model', 'cannot be given together with `agent`'],
    [{ ...MESSAGES, messages: 'q' }, 'messages', 'must be an array'],
    [{ ...MESSAGES, conversation: 'c-1' }, 'conversation', 'is of conversations in a store'],
    [{ ...MESSAGES, message: 'q' }, 'message', 'is of conversations in a store'],
    [{ ...MESSAGES, store }, 'store', 'is of conversations in a store'],
    [{ ...MESSAGES, approvals: approvalsOf(store) }, 'approvals', 'is of conversations in a store'],
    [{ ...MESSAGES, onOpenRun: 'queue' }, 'onOpenRun', 'is of conversations in a store'],
    [{ ...MESSAGES, whenWaiting: 'wait' }, 'whenWaiting', 'is of conversations in a store'],
    [{ agent, caller: CALLER }, 'conversation', 'is missing'],
    [{ ...CONVERSATION, principal: undefined }, 'principal', 'is missing'],
    [{ ...CONVERSATION, onOpenRun: 'drop' }, 'onOpenRun', 'must be one of supersede, queue, reject'],
    [{ ...CONVERSATION, whenWaiting: 'forever' }, 'whenWaiting', 'must be one of suspend, wait'],
    [
      { ...CONVERSATION, store: new InMemoryAgentStore(), approvals: approvalsOf(store) },
      'store',
      'is not that of `approvals`',
    ],
  ])('are refused at once (%#)', (options, key, what) => {
    expect(begin(options)).toThrow(`[agent_options_invalid] Agents: \`${key}\` ${what}`);
  });

  it('are told together', () => {
    expect(begin({ agent, messages: [], store, caller: undefined })).toThrow(/`caller` is missing[^]*`store` is of/);
  });

  it.each([
    MESSAGES,
    { ...MESSAGES, principal: ANN },
    { model: agent.model, messages: [], caller: CALLER },
    CONVERSATION,
    { ...CONVERSATION, message: 'q', store, approvals: approvalsOf(store), onOpenRun: 'queue', whenWaiting: 'wait' },
  ])('are taken where they do (%#)', (options) => {
    expect(begin(options)).not.toThrow();
  });
});
