import {
  Controller,
  Get,
  Param,
  ParseBoolPipe,
  ParseIntPipe,
  Post,
  Query,
  Body,
  ValidationPipe,
  type INestApplication,
  type ValidationPipeOptions,
} from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsArray, IsBoolean, IsInt, IsOptional, IsString } from 'class-validator';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Operation } from 'nestjs-palette';
import request from 'supertest';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { bootDispatching } from '../support/dispatching.js';

// `Boolean('false')` is true and `Number('')` is 0: with implicit conversion a query string changes what was said.
// https://github.com/typestack/class-transformer/issues/306

class SearchDto {
  @IsOptional() @IsBoolean() includeArchived?: boolean;
  @IsOptional() @IsInt() n?: number;
  @IsOptional() @IsArray() @IsString({ each: true }) tags?: string[];
}

class RepairedDto {
  @Transform(({ value }) => value === 'true') @IsBoolean() flag!: boolean;
}

@Controller('films')
class FilmsController {
  @Operation() @Get() search(@Query() query: SearchDto): SearchDto {
    return { ...query };
  }
  @Operation() @Get('repaired') repaired(@Query() query: RepairedDto): RepairedDto {
    return { ...query };
  }
  @Operation() @Get('flag') flag(@Query('flag', ParseBoolPipe) flag: boolean): { flag: boolean } {
    return { flag };
  }
  @Operation() @Get('bare') bare(@Query('n') n: number, @Query('flag') flag: boolean): { n: number; flag: boolean } {
    return { n, flag };
  }
  @Operation() @Get('one/:id') one(@Param('id') id: number): { id: unknown } {
    return { id };
  }
  @Operation() @Get('parsed/:id') parsed(@Param('id', ParseIntPipe) id: number): { id: unknown } {
    return { id };
  }
  @Operation() @Post() create(@Body() body: SearchDto): SearchDto {
    return { ...body };
  }
}

const PIPES: [string, ValidationPipeOptions][] = [
  ['implicit conversion', { transform: true, transformOptions: { enableImplicitConversion: true } }],
  ['transform', { transform: true }],
  ['validation alone', {}],
  ['whitelist', { transform: true, whitelist: true, forbidNonWhitelisted: true }],
];

describe.each(PLATFORMS)('values of a query string on %s', (platform) => {
  describe.each(PIPES)('with %s', (_name, options) => {
    afterEach(closeApplications);

    const boot = () =>
      bootDispatching(
        platform,
        { controllers: [FilmsController] },
        { configure: (app: INestApplication) => app.useGlobalPipes(new ValidationPipe(options)) },
      );

    it.each([
      ['films__search', { includeArchived: false, n: 0 }],
      ['films__search', { includeArchived: true, n: 7 }],
      ['films__search', { tags: ['one'] }],
      ['films__search', { tags: ['one', 'two'] }],
      ['films__flag', { flag: false }],
      ['films__bare', { n: 3, flag: false }],
      ['films__create', { includeArchived: false, n: 0 }],
      ['films__parsed', { id: 7 }],
    ])('arrive in %s as they were sent: %j', async (name, args) => {
      const { call } = await boot();
      expect(await call(name, args)).toEqual({ toolCallId: 'call-1', isError: false, content: args });
    });

    it.each([true, false])('are text where the application transforms text, exactly as over HTTP: %j', async (flag) => {
      const { app, call } = await boot();
      const overHttp = await request(app.getHttpServer() as never).get(`/films/repaired?flag=${flag}`);
      expect((await call('films__repaired', { flag })).content).toEqual(overHttp.body);
    });

    it.each([
      ['films__search', { includeArchived: 'false' }],
      ['films__search', { n: '' }],
      ['films__search', { n: 1.5 }],
      ['films__flag', { flag: 'false' }],
      ['films__bare', { n: '3', flag: 'false' }],
      ['films__one', { id: 'abc' }],
      ['films__parsed', { id: 'abc' }],
      ['films__create', { includeArchived: 'false' }],
    ])('are refused by %s as text: %j', async (name, args) => {
      const { call } = await boot();
      expect(await call(name, args)).toMatchObject({ isError: true, content: { code: 'tool_arguments_invalid' } });
    });
  });
});
