import 'reflect-metadata';
import { Controller, Get, Inject, Injectable, Post } from '@nestjs/common';
import { ClsModule, ClsService } from 'nestjs-cls';
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
import type { AnyRequest } from '../support/request.js';

@Injectable()
class Notes {
  constructor(private readonly cls: ClsService) {}

  async ofUser(): Promise<{ user?: string; isActive: boolean }> {
    await new Promise((resolve) => setTimeout(resolve, 1));
    return { user: this.cls.get<string>('user'), isActive: this.cls.isActive() };
  }
}

@Controller('cls')
class ClsController {
  constructor(
    @Inject(Notes) private readonly notes: Notes,
    @Inject(ClsService) private readonly cls: ClsService,
    @Inject(OperationDispatcher) private readonly dispatcher: OperationDispatcher,
    @InjectPalette('all') private readonly palette: Palette,
  ) {}

  @Operation() @Get('user') user(): Promise<unknown> {
    return this.notes.ofUser();
  }

  @Operation({ name: 'cls.write' }) @Post() write(): unknown {
    const inherited = this.cls.get<string>('written');
    this.cls.set('written', 'by the tool call');
    return { inherited, written: this.cls.get<string>('written') };
  }

  @Post('ask') async ask(@Caller() caller: CallerContext): Promise<unknown> {
    this.cls.set('written', 'by the outer request');
    const call = (name: string, headers = caller.headers): Promise<ToolResult> =>
      this.dispatcher.dispatch(
        { id: 'c', name, arguments: {} },
        { palette: this.palette, caller: { ...caller, headers } },
      );
    const [own, other, inner] = await Promise.all([
      call('cls__user'),
      call('cls__user', { ...caller.headers, authorization: 'grace' }),
      call('cls__write'),
    ]);
    return {
      own: own.content,
      other: other.content,
      inner: inner.content,
      after: await this.notes.ofUser(),
      writtenOutside: this.cls.get<string>('written'),
    };
  }
}

const application = {
  imports: [
    ClsModule.forRoot({
      global: true,
      middleware: {
        mount: true,
        generateId: true,
        setup: (cls: ClsService, incoming: AnyRequest) => cls.set('user', incoming.headers['authorization']),
      },
    }),
  ],
  controllers: [ClsController],
  providers: [Notes],
};

export interface ClsStory {
  readonly http: unknown;
  readonly toolCall: unknown;
  readonly httpOfNobody: unknown;
  readonly toolCallOfNobody: unknown;
  /** What a request saw that makes tool calls side by side. */
  readonly nested: unknown;
}

async function tell(platform: Platform): Promise<ClsStory> {
  const { app, call } = await bootDispatching(platform, application);
  const server = app.getHttpServer() as never;
  const story = {
    http: (await request(server).get('/cls/user').set('authorization', 'ada')).body as unknown,
    toolCall: (await call('cls__user', {}, { headers: { authorization: 'ada' } })).content,
    httpOfNobody: (await request(server).get('/cls/user')).body as unknown,
    toolCallOfNobody: (await call('cls__user')).content,
    nested: (await request(server).post('/cls/ask').set('authorization', 'ada')).body as unknown,
  };
  await closeApplications();
  return story;
}

const told: Record<string, ClsStory> = {};
for (const platform of PLATFORMS) told[platform] = await tell(platform);
process.stdout.write(JSON.stringify(told));
