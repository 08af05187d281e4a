import { Body, Controller, Get, HttpCode, Param, Post, UseFilters, UseGuards } from '@nestjs/common';
import { IsString, MaxLength } from 'class-validator';
import { AgentRunner, Caller, type AgentEvent, type CallerContext, type ModelMessage } from 'nestjs-palette';
import { CustomerGuard } from '../customers/customer.guard.js';
import { WhichCustomer } from '../customers/customer.decorator.js';
import { principalOf, type Customer } from '../customers/customers.js';
import { PaletteErrors } from './palette-errors.filter.js';

export class SayDto {
  @IsString() @MaxLength(500) text!: string;
}

/** What became of a message. */
export interface Reply {
  /** Who answered. */
  readonly agent: string;
  readonly answer: string;
  /** Everything on the way, but for the pieces of what was said. */
  readonly events: readonly AgentEvent[];
}

/** A conversation is its customer's: of another it does not exist. */
@Controller('conversations/:id/messages')
@UseGuards(CustomerGuard)
@UseFilters(PaletteErrors)
export class TalkController {
  constructor(private readonly runner: AgentRunner) {}

  @Post()
  @HttpCode(200)
  async say(
    @Param('id') conversation: string,
    @Body() { text: message }: SayDto,
    @Caller() caller: CallerContext,
    @WhichCustomer() customer: Customer,
  ): Promise<Reply> {
    const principal = principalOf(customer);
    const events: AgentEvent[] = [];
    for await (const event of this.runner.run({ conversation, principal, caller, message })) {
      if (event.type !== 'message_delta') events.push(event);
    }
    return replyOf(events);
  }

  @Get()
  said(@Param('id') conversation: string, @WhichCustomer() customer: Customer): Promise<ModelMessage[]> {
    return this.runner.messages(conversation, principalOf(customer), { includeTools: false });
  }
}

function replyOf(events: readonly AgentEvent[]): Reply {
  let [agent, answer] = ['', ''];
  for (const event of events) {
    agent = event.agent;
    if (event.type === 'error') answer = event.message;
    if (event.type === 'done' && typeof event.answer === 'string') answer = event.answer;
  }
  return { agent, answer, events };
}
