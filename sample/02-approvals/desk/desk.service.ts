import { Injectable } from '@nestjs/common';
import {
  AgentRunner,
  type AgentEvent,
  type ApprovalRequestEvent,
  type CallerContext,
  type DoneEvent,
  type ModelMessage,
  type Principal,
  type ToolCallEvent,
  type ToolResultEvent,
} from 'nestjs-palette';

/** What came of one message: an answer, or what it waits for. */
export interface Turn {
  readonly outcome: DoneEvent['outcome'];
  readonly answer: string | undefined;
  readonly toolCalls: readonly ToolCallEvent[];
  readonly results: readonly ToolResultEvent[];
  /** What a person has to decide first, at `/approvals/<approvalId>`. */
  readonly waitsFor: readonly ApprovalRequestEvent[];
}

@Injectable()
export class DeskService {
  constructor(private readonly runner: AgentRunner) {}

  /** Says something; a run that waits is left waiting, and goes on by itself once it is decided. */
  async say(conversation: string, message: string, principal: Principal, caller: CallerContext): Promise<Turn> {
    const events: AgentEvent[] = [];
    for await (const event of this.runner.run({ conversation, message, principal, caller })) events.push(event);
    const done = events.find((event) => event.type === 'done');
    const error = events.find((event) => event.type === 'error');
    return {
      outcome: done?.outcome ?? 'interrupted',
      answer: (done?.answer as string | undefined) ?? error?.message,
      toolCalls: events.filter((event) => event.type === 'tool_call'),
      results: events.filter((event) => event.type === 'tool_result'),
      waitsFor: events.filter((event) => event.type === 'approval_request'),
    };
  }

  /** What was said so far, whenever and wherever it was. */
  messages(conversation: string, principal: Principal): Promise<ModelMessage[]> {
    return this.runner.messages(conversation, principal, { includeTools: false });
  }
}
