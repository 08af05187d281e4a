import { Injectable } from '@nestjs/common';
import {
  InjectEgress,
  InjectPalette,
  OperationDispatcher,
  Palette,
  sse,
  EgressClient,
  type CallerContext,
  type ToolCall,
  type ToolResult,
} from 'nestjs-palette';
import { answers, messages, modelService } from '../model/model.service.js';

/** One turn: what the model asked for, what it was told, what it said. */
export interface Turn {
  readonly toolCall?: ToolCall;
  readonly result?: ToolResult;
  readonly answer: string;
}

@Injectable()
export class AnswerService {
  constructor(
    @InjectPalette('answering') private readonly palette: Palette,
    @InjectEgress(modelService) private readonly model: EgressClient<typeof modelService>,
    private readonly dispatcher: OperationDispatcher,
  ) {}

  async answer(question: string, caller: CallerContext): Promise<Turn> {
    const reply = await this.model.invoke(messages, { question, tools: [...this.palette.definitions] });
    if (reply.toolCall === undefined) return { answer: reply.text ?? '' };
    const { toolCall } = reply;
    const result = await this.dispatcher.dispatch(toolCall, { palette: this.palette, caller });
    return { toolCall, result, answer: await this.#tell(question, result) };
  }

  async #tell(question: string, { content }: ToolResult): Promise<string> {
    const stream = this.model.stream(answers, { question, result: JSON.stringify(content) });
    let answer = '';
    for await (const event of sse(stream, { until: '[DONE]' })) {
      answer += (JSON.parse(event.data) as { delta: string }).delta;
    }
    return answer;
  }
}
