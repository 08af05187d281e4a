import { Body, Controller, Post, ValidationPipe, type INestApplication } from '@nestjs/common';
import { IsObject, IsOptional, IsString } from 'class-validator';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Operation } from 'nestjs-palette';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { bootDispatching } from '../support/dispatching.js';

// A key `__proto__` in a body made a validator skip the rest. https://github.com/typestack/class-validator/issues/438

const bodies: object[] = [];

class QuestionDto {
  @IsString() q!: string;
  @IsOptional() @IsObject() extra?: Record<string, unknown>;
}

@Controller('questions')
class QuestionsController {
  @Operation() @Post() ask(@Body() body: QuestionDto): { keys: string[] } {
    bodies.push(body);
    return { keys: Object.keys(body) };
  }
  @Operation() @Post('open') open(@Body() body: Record<string, unknown>): { keys: string[] } {
    bodies.push(body);
    return { keys: Object.keys(body) };
  }
}

describe.each(PLATFORMS)('keys of the prototype in arguments, on %s', (platform) => {
  afterEach(() => {
    bodies.length = 0;
    return closeApplications();
  });

  const boot = () =>
    bootDispatching(
      platform,
      { controllers: [QuestionsController] },
      { configure: (app: INestApplication) => app.useGlobalPipes(new ValidationPipe({ transform: true })) },
    );

  it.each([
    ['questions__ask', '{"q":"1","__proto__":{"isAdmin":true}}'],
    ['questions__ask', '{"q":"1","constructor":{"prototype":{"isAdmin":true}}}'],
    ['questions__ask', '{"q":"1","prototype":{"isAdmin":true}}'],
    ['questions__ask', '{"q":"1","extra":{"a":{"__proto__":{"isAdmin":true}}}}'],
    ['questions__open', '{"body":{"__proto__":{"isAdmin":true}}}'],
    ['questions__open', '{"body":[{"__pro\\u0074o__":{"isAdmin":true}}]}'],
  ])('are refused by %s: %s', async (name, text) => {
    const { call } = await boot();
    expect(await call(name, text)).toMatchObject({ isError: true, content: { code: 'tool_arguments_unknown' } });
    expect(bodies).toEqual([]);
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });

  it('are ordinary keys of an open map', async () => {
    const { call } = await boot();
    const result = await call('questions__open', '{"body":{"constructor":1,"prototype":2}}');
    expect(result).toMatchObject({ isError: false, content: { keys: ['constructor', 'prototype'] } });
    expect((bodies[0] as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });
});
