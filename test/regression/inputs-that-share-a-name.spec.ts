import { Body, Controller, Param, ParseIntPipe, Post, Put, Query } from '@nestjs/common';
import { IsInt, IsString } from 'class-validator';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Operation } from 'nestjs-palette';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { bootDispatching } from '../support/dispatching.js';

// One `id` stood for path and body, so that one of them got nothing; a list as body vanished from the schema.
// https://github.com/PrefectHQ/fastmcp/issues/1100

class UserDto {
  @IsInt() id!: number;
  @IsString() name!: string;
}

@Controller('users')
class UsersController {
  @Operation() @Put(':id') up(@Param('id') id: string, @Body() body: UserDto): unknown {
    return { id, body };
  }
  @Operation() @Put('untyped/:id') untyped(@Param('id') id: never, @Body() body: UserDto): unknown {
    return { id, body };
  }
  @Operation() @Post('bulk') bulk(@Query('values') v: string, @Body() values: number[]): unknown {
    return { v, values };
  }
  @Operation() @Post('path/:path') named(
    @Param('path', ParseIntPipe) path: number,
    @Body('query') query: string,
  ): unknown {
    return { path, query };
  }
}

describe.each(PLATFORMS)('inputs that share a name, on %s', (platform) => {
  afterEach(closeApplications);

  it('are two inputs, and each value has one place', async () => {
    const { call, palette } = await bootDispatching(platform, { controllers: [UsersController] });
    const { inputSchema } = palette.entry('users__up')?.definition ?? {};
    expect(inputSchema?.properties).toMatchObject({
      path: { properties: { id: { type: 'string' } }, required: ['id'] },
      body: { properties: { id: { type: 'integer' }, name: { type: 'string' } } },
    });
    const result = await call('users__up', { path: { id: '7' }, body: { id: 9, name: 'n' } });
    expect(result.content).toEqual({ id: '7', body: { id: 9, name: 'n' } });
  });

  it('take a number for a path value of no type, as its text', async () => {
    const { call } = await bootDispatching(platform, { controllers: [UsersController] });
    const result = await call('users__untyped', { path: { id: 7 }, body: { id: 9, name: 'n' } });
    expect(result.content).toEqual({ id: '7', body: { id: 9, name: 'n' } });
  });

  it('offer a list as body under one name, verbatim', async () => {
    const { call, palette } = await bootDispatching(platform, { controllers: [UsersController] });
    expect(palette.entry('users__bulk')?.definition.inputSchema.properties).toMatchObject({
      values: { type: 'string' },
      body: { type: 'array' },
    });
    expect((await call('users__bulk', { values: 'v', body: [1, 2] })).content).toEqual({ v: 'v', values: [1, 2] });
  });

  it('may be called like a source', async () => {
    const { call } = await bootDispatching(platform, { controllers: [UsersController] });
    expect((await call('users__named', { path: 3, query: 'q' })).content).toEqual({ path: 3, query: 'q' });
  });
});
