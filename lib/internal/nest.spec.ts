import {
  Body,
  Controller,
  Get,
  Head,
  Module,
  Param,
  ParseIntPipe,
  Query,
  Redirect,
  Render,
  Req,
  Sse,
  VersioningType,
  createParamDecorator,
} from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import { describe, expect, it } from '@jest/globals';
import { MessagePattern } from '@nestjs/microservices';
import { PATTERN_HANDLER_METADATA, PATTERN_METADATA } from '@nestjs/microservices/constants.js';
import * as nestConstants from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import {
  isMessageHandler,
  isModuleClass,
  methodNames,
  NEST_KEYS,
  parameterMetadata,
  routeMarks,
  routeMetadata,
  routePaths,
  routeVersion,
} from './nest.js';

const Custom = createParamDecorator(() => 1);

class BaseController {
  @Get('inherited') inherited(): void {}
}

@Controller({ path: ['notes', 'memos'], host: 'api.example.com', version: '1' })
class NotesController extends BaseController {
  @Get(':id') read(
    @Param('id', ParseIntPipe) _id: number,
    @Query() _query: object,
    @Custom() _custom: unknown,
    @Req() _request: unknown,
  ): void {}
  @Head() head(@Body() _body: string): void {}
  @Sse('events') events(): void {}
  @Get('page') @Render('page') page(): void {}
  @Get('away') @Redirect('/') away(): void {}
  @MessagePattern('notes') message(): void {}
  helper(): void {}
}

describe('what is known of the internals of Nest', () => {
  it('has the metadata keys of the installed version', () => {
    expect(NEST_KEYS).toMatchObject({
      path: nestConstants.PATH_METADATA,
      method: nestConstants.METHOD_METADATA,
      host: nestConstants.HOST_METADATA,
      version: nestConstants.VERSION_METADATA,
      modulePath: nestConstants.MODULE_PATH,
      routeArguments: nestConstants.ROUTE_ARGS_METADATA,
      customRouteArguments: nestConstants.CUSTOM_ROUTE_ARGS_METADATA,
      guards: nestConstants.GUARDS_METADATA,
      pipes: nestConstants.PIPES_METADATA,
      messagePattern: PATTERN_METADATA,
      messageHandlerType: PATTERN_HANDLER_METADATA,
      sse: nestConstants.SSE_METADATA,
      render: nestConstants.RENDER_METADATA,
      redirect: nestConstants.REDIRECT_METADATA,
    });
    expect(isMessageHandler(NotesController, 'message')).toBe(true);
    expect(isMessageHandler(NotesController, 'read')).toBe(false);
  });

  it('has the parameter kinds of the installed version', () => {
    const { BODY, QUERY, PARAM, FILE, FILES, RAW_BODY } = RouteParamtypes;
    expect([BODY, QUERY, PARAM, FILE, FILES, RAW_BODY]).toEqual([3, 4, 5, 8, 9, 12]);
  });

  it('reads routes, inherited ones too', () => {
    expect(methodNames(NotesController.prototype)).toEqual(expect.arrayContaining(['read', 'helper', 'inherited']));
    expect(routeMetadata(NotesController, 'read')).toMatchObject({
      verb: 0,
      controllerPaths: ['/notes', '/memos'],
      methodPaths: ['/:id'],
      host: 'api.example.com',
      controllerVersion: '1',
    });
    expect(routeMetadata(NotesController, 'inherited')).toMatchObject({ methodPaths: ['/inherited'] });
    expect(routeMetadata(NotesController, 'helper')).toBeUndefined();
  });

  it('reads parameters', () => {
    const parameters = parameterMetadata(NotesController, 'read');
    expect(parameters.map(({ source, key, designType }) => [source, key, designType])).toEqual([
      ['path', 'id', Number],
      ['query', undefined, Object],
      ['custom', undefined, Object],
      ['request', undefined, Object],
    ]);
    expect(parameters[0]?.pipes).toEqual([ParseIntPipe]);
  });

  it('reads marks', () => {
    expect(['events', 'page', 'away', 'read'].map((name) => routeMarks(NotesController, name))).toEqual([
      ['sse'],
      ['render'],
      ['redirect'],
      [],
    ]);
  });

  it("builds paths by Nest's own rules", () => {
    const config = new ApplicationConfig();
    config.setGlobalPrefix('api');
    config.enableVersioning({ type: VersioningType.URI });
    const route = routeMetadata(NotesController, 'read');
    if (route === undefined) throw new Error('no route');
    const paths = routePaths(config, route, { controllerPath: '/notes', methodPath: '/:id', modulePath: '/office' });
    expect(paths).toEqual(['/api/v1/office/notes/:id']);
    expect(routeVersion(route, config.getVersioning())).toBe('1');
  });

  it('tells module classes from other classes and from what inherits a module', () => {
    @Module({ controllers: [NotesController] })
    class NotesModule {}
    class Derived extends NotesModule {}
    expect([NotesModule, Derived, NotesController, () => NotesModule, undefined].map(isModuleClass)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});
