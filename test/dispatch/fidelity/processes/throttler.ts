import 'reflect-metadata';
import { Controller, Get, Inject, Injectable, Post } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { SkipThrottle, ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';
import {
  Caller,
  InjectPalette,
  Operation,
  OperationDispatcher,
  Palette,
  type CallerContext,
  type ToolResult,
} from 'nestjs-palette';
import request from 'supertest';
import { closeApplications, PLATFORMS, type Platform } from '../../../support/application.js';
import { bootDispatching } from '../../../support/dispatching.js';

let runs = 0;

@Controller('counted')
class CountedController {
  @Operation() @Get() read(): { counted: boolean } {
    runs++;
    return { counted: true };
  }
}

/** A route of the application that lets an agent work: it passes on who is calling. */
@Controller('ask')
@Injectable()
class AskController {
  constructor(
    @Inject(OperationDispatcher) private readonly dispatcher: OperationDispatcher,
    @InjectPalette('all') private readonly palette: Palette,
  ) {}

  @SkipThrottle()
  @Post()
  ask(@Caller() caller: CallerContext): Promise<ToolResult> {
    const call = { id: 'c', name: 'counted__read', arguments: {} };
    return this.dispatcher.dispatch(call, { palette: this.palette, caller });
  }
}

/** What an application that takes three requests a minute of an address answered. */
export interface ThrottlerStory {
  readonly statuses: readonly number[];
  readonly refusal: unknown;
  /** `ok`, or the code of the refusal. */
  readonly codes: readonly string[];
  readonly toolRefusal: unknown;
  readonly runs: number;
}

interface Way {
  /** Sends a request over the loopback interface. */
  http(): Promise<void>;
  tool(remoteAddress: string): Promise<void>;
  /** Sends a request whose handler makes a tool call. */
  ask(): Promise<void>;
}

async function tell(platform: Platform, happen: (way: Way) => Promise<void>): Promise<ThrottlerStory> {
  runs = 0;
  const { app, call } = await bootDispatching(platform, {
    imports: [ThrottlerModule.forRoot([{ ttl: 60_000, limit: 3 }])],
    controllers: [CountedController, AskController],
    providers: [{ provide: APP_GUARD, useClass: ThrottlerGuard }],
  });
  const story = {
    statuses: [] as number[],
    refusal: null as unknown,
    codes: [] as string[],
    toolRefusal: null as unknown,
  };
  const note = ({ isError, content }: ToolResult): void => {
    story.codes.push(isError ? (content as { code: string }).code : 'ok');
    if (isError) story.toolRefusal = content;
  };
  const server = app.getHttpServer() as never;
  await happen({
    http: async () => {
      const answer = await request(server).get('/counted');
      story.statuses.push(answer.status);
      if (answer.status !== 200) story.refusal = answer.body;
    },
    tool: async (remoteAddress) => note(await call('counted__read', {}, { remoteAddress })),
    ask: async () => note((await request(server).post('/ask')).body as ToolResult),
  });
  await closeApplications();
  return { ...story, runs };
}

async function times(count: number, act: () => Promise<void>): Promise<void> {
  for (let time = 0; time < count; time++) await act();
}

const STORIES = {
  requests: ({ http }: Way) => times(4, http),
  toolCalls: ({ tool }: Way) => times(4, () => tool('192.0.2.7')),
  severalAddresses: async ({ http, tool }: Way) => {
    await times(4, () => tool('192.0.2.7'));
    await times(3, () => tool('192.0.2.8'));
    await tool('2001:db8::7');
    await http();
  },
  oneAddress: async ({ http, tool }: Way) => {
    await http();
    await times(2, () => tool('127.0.0.1'));
    await http();
    await tool('127.0.0.1');
  },
  callsOfARequest: async ({ http, tool, ask }: Way) => {
    await times(4, ask);
    await http();
    await tool('192.0.2.7');
  },
};

export type ThrottlerStories = Record<Platform, Record<keyof typeof STORIES, ThrottlerStory>>;

const told: Record<string, Record<string, ThrottlerStory>> = {};
for (const platform of PLATFORMS) {
  told[platform] = {};
  for (const [name, happen] of Object.entries(STORIES)) told[platform][name] = await tell(platform, happen);
}
process.stdout.write(JSON.stringify(told));
