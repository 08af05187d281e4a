import { Inject, Injectable } from '@nestjs/common';
import {
  defineAgent,
  EgressClient,
  InjectEgress,
  InjectPalette,
  OperationDispatcher,
  Palette,
  runAgent,
  type Agent,
  type CallerContext,
  type ToolCallEvent,
  type ToolResultEvent,
} from 'nestjs-palette';
import { modelOf, modelService, type Provider } from '../model/model.service.js';

/** The provider that answers; undefined: the canned one. */
export const PROVIDER = Symbol('PROVIDER');

/** One turn: what the model asked for, what it was told, what it said. */
export interface Turn {
  readonly toolCalls: readonly ToolCallEvent[];
  readonly results: readonly ToolResultEvent[];
  readonly answer: string;
}

@Injectable()
export class AnswerService {
  readonly #agent: Agent<undefined>;

  constructor(
    @InjectPalette('answering') palette: Palette,
    @InjectEgress(modelService) client: EgressClient<typeof modelService>,
    @Inject(PROVIDER) provider: Provider | undefined,
    private readonly dispatcher: OperationDispatcher,
  ) {
    this.#agent = defineAgent({
      name: 'answering',
      model: modelOf(client, provider),
      palette,
      system: 'Answer questions about notes and films from what the tools say. If a tool refuses, say so and why.',
    });
  }

  async answer(question: string, caller: CallerContext): Promise<Turn> {
    const { dispatcher } = this;
    const toolCalls: ToolCallEvent[] = [];
    const results: ToolResultEvent[] = [];
    let answer = '';
    const messages = [{ role: 'user' as const, text: question }];
    for await (const event of runAgent({ agent: this.#agent, dispatcher, caller, messages })) {
      if (event.type === 'tool_call') toolCalls.push(event);
      if (event.type === 'tool_result') results.push(event);
      if (event.type === 'error') answer = event.message;
      if (event.type === 'done') answer = event.answer ?? answer;
    }
    return { toolCalls, results, answer };
  }
}
