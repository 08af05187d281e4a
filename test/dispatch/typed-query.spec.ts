import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { INTERCEPTORS_METADATA } from '@nestjs/common/constants.js';
import { ApplicationConfig } from '@nestjs/core';
import { afterEach, describe, expect, it } from '@jest/globals';
import { IsInt } from 'class-validator';
import { Operation } from 'nestjs-palette';
import { closeApplications, PLATFORMS } from '../support/application.js';
import { bootDispatching } from '../support/dispatching.js';

class PageDto {
  @IsInt() limit!: number;
}

abstract class ListController {
  @Operation({ name: 'list' }) @Get() list(@Query() { limit }: PageDto): unknown {
    return { limit, type: typeof limit };
  }
}

@Controller('notes')
class NotesController extends ListController {
  @Operation() @Get('named') named(@Query('title') title: string): unknown {
    return { title };
  }
  @Operation() @Get(':id') read(@Param('id') id: string): unknown {
    return { id };
  }
  @Operation() @Post() create(@Body() body: PageDto): unknown {
    return body;
  }
}

function interceptorsOf(method: keyof NotesController): unknown[] | undefined {
  return Reflect.getMetadata(INTERCEPTORS_METADATA, NotesController.prototype[method]) as unknown[] | undefined;
}

describe.each(PLATFORMS)('the interceptor of typed queries on %s', (platform) => {
  afterEach(closeApplications);

  it('is on the operations whose query holds more than text, and on no other route', async () => {
    const { app, call } = await bootDispatching(platform, { controllers: [NotesController] });
    expect((await call('list', { limit: 3 })).content).toEqual({ limit: 3, type: 'number' });
    expect(interceptorsOf('list')).toHaveLength(1);
    expect((['named', 'read', 'create'] as const).map(interceptorsOf)).toEqual([undefined, undefined, undefined]);
    expect(app.get(ApplicationConfig).getGlobalInterceptors()).toEqual([]);
  });

  it('is on a method once, however many applications of a process have it', async () => {
    for (let applications = 0; applications < 3; applications++) {
      const { call } = await bootDispatching(platform, { controllers: [NotesController] });
      expect((await call('list', { limit: 3 })).content).toEqual({ limit: 3, type: 'number' });
    }
    expect(interceptorsOf('list')).toHaveLength(1);
  });
});
