/**
 * The only file that knows Nest's internals: metadata keys, deep imports, and how routes become addresses.
 * `nest.spec.ts` holds each of these facts against the installed Nest.
 */
import 'reflect-metadata';
import { RequestMethod, type CanActivate, type Type, type VersioningOptions } from '@nestjs/common';
import { MetadataScanner, type ApplicationConfig, type DiscoveryService, type ModulesContainer } from '@nestjs/core';
import { RoutePathFactory } from '@nestjs/core/router/route-path-factory.js';

export const NEST_KEYS = {
  path: 'path',
  method: 'method',
  host: 'host',
  version: '__version__',
  modulePath: '__module_path__',
  routeArguments: '__routeArguments__',
  customRouteArguments: '__customRouteArgs__',
  guards: '__guards__',
  pipes: '__pipes__',
  sse: '__sse__',
  render: '__renderTemplate__',
  redirect: '__redirect__',
  messagePattern: 'microservices:pattern',
  messageHandlerType: 'microservices:handler_type',
} as const;

// PatternHandler.EVENT of @nestjs/microservices.
const EVENT_HANDLER = 2;

export type HostPattern = string | RegExp | (string | RegExp)[];

/** What Nest knows of one route before the application is configured. */
export interface RouteMetadata {
  readonly verb: RequestMethod;
  readonly controllerPaths: readonly string[];
  readonly methodPaths: readonly string[];
  readonly host: HostPattern | undefined;
  readonly controllerVersion: unknown;
  readonly methodVersion: unknown;
}

export type ParameterSource =
  | 'path'
  | 'query'
  | 'body'
  | 'rawBody'
  | 'file'
  | 'files'
  | 'custom'
  /** Read from the request (headers, address, session, the request itself); a tool has no say in it. */
  | 'request';

export interface ParameterMetadata {
  readonly index: number;
  readonly source: ParameterSource;
  /** The key given to the decorator: `id` of `@Param('id')`. */
  readonly key: string | undefined;
  readonly pipes: readonly unknown[];
  /** What Nest 12 takes as `@Body({ schema })`; undefined where there is none, and on Nest 11. */
  readonly schema: unknown;
  /** The emitted TypeScript type; undefined where none was emitted. */
  readonly designType: unknown;
}

interface StoredParameter {
  readonly index: number;
  readonly data?: unknown;
  readonly pipes?: readonly unknown[];
  readonly schema?: unknown;
}

// Nest's RouteParamtypes: 3 body, 4 query, 5 param, 8 file, 9 files, 12 raw body; whatever else reads the request.
const SOURCES: Readonly<Record<string, ParameterSource>> = {
  3: 'body',
  4: 'query',
  5: 'path',
  8: 'file',
  9: 'files',
  12: 'rawBody',
};

const MODULE_KEYS = ['imports', 'controllers', 'providers', 'exports'];

/** Whether a value is a class with `@Module({...})` on it. `@Module({})` leaves no mark, and is not recognised. */
export function isModuleClass(value: unknown): value is Type {
  return typeof value === 'function' && MODULE_KEYS.some((key) => Reflect.hasOwnMetadata(key, value));
}

/** Names of all methods of a controller, inherited ones included. */
export function methodNames(prototype: object): readonly string[] {
  return new MetadataScanner().getAllMethodNames(prototype);
}

/** The route of a controller method; undefined where the method has no verb. */
export function routeMetadata(controller: Type, methodName: string): RouteMetadata | undefined {
  const handler = handlerOf(controller, methodName);
  const methodPath: unknown = Reflect.getMetadata(NEST_KEYS.path, handler);
  const verb: unknown = Reflect.getMetadata(NEST_KEYS.method, handler);
  if (methodPath === undefined || typeof verb !== 'number') return undefined;
  return {
    verb,
    controllerPaths: pathList(Reflect.getMetadata(NEST_KEYS.path, controller)),
    methodPaths: pathList(methodPath),
    host: Reflect.getMetadata(NEST_KEYS.host, controller) as HostPattern | undefined,
    controllerVersion: Reflect.getMetadata(NEST_KEYS.version, controller),
    methodVersion: Reflect.getMetadata(NEST_KEYS.version, handler),
  };
}

/** Whether a handler answers to `GET`, whose query stands in the URL. */
export function isGetRoute(handler: object): boolean {
  return Reflect.getMetadata(NEST_KEYS.method, handler) === RequestMethod.GET;
}

/** The parameters of a controller method that carry a decorator, by index. */
export function parameterMetadata(controller: Type, methodName: string): readonly ParameterMetadata[] {
  const found: unknown = Reflect.getMetadata(NEST_KEYS.routeArguments, controller, methodName);
  const designTypes: unknown = Reflect.getMetadata('design:paramtypes', controller.prototype as object, methodName);
  const types: readonly unknown[] = Array.isArray(designTypes) ? designTypes : [];
  return Object.entries((found ?? {}) as Record<string, StoredParameter>)
    .map(([key, { index, data, pipes, schema }]) => ({
      index,
      source: sourceOf(key),
      key: typeof data === 'string' && data !== '' ? data : undefined,
      pipes: pipes ?? [],
      schema,
      designType: types[index],
    }))
    .sort((a, b) => a.index - b.index);
}

/** The pipes that run before those of the parameters: global ones, the controller's, the method's. Classes and instances. */
export function pipesAround(config: ApplicationConfig, controller: Type, methodName: string): readonly unknown[] {
  const declared = [controller, handlerOf(controller, methodName)].flatMap(
    (target) => (Reflect.getMetadata(NEST_KEYS.pipes, target) as unknown[] | undefined) ?? [],
  );
  const requestScoped = config.getGlobalRequestPipes().map((wrapper) => wrapper.metatype as unknown);
  return [...config.getGlobalPipes(), ...requestScoped, ...declared];
}

export type ControllerWrapper = ReturnType<DiscoveryService['getControllers']>[number];

/** The instance that Nest made of a pipe's class for a controller; the class itself where there is none before a request. */
export function pipeInstance(pipe: unknown, { host }: ControllerWrapper): unknown {
  if (typeof pipe !== 'function') return pipe;
  const instance: unknown = host?.injectables.get(pipe)?.instance;
  // What stands for an instance that each request gets anew was never constructed: it holds nothing.
  return typeof instance === 'object' && instance !== null && Object.keys(instance).length > 0 ? instance : pipe;
}

export type RouteMark = 'sse' | 'render' | 'redirect';

/** What makes the answer of a route unfit for a tool. */
export function routeMarks(controller: Type, methodName: string): readonly RouteMark[] {
  const handler = handlerOf(controller, methodName);
  return (['sse', 'render', 'redirect'] as const).filter((mark) => Reflect.hasMetadata(NEST_KEYS[mark], handler));
}

export interface MessageMetadata {
  /** As given to `@MessagePattern`: texts or objects. */
  readonly patterns: readonly unknown[];
  /** `@EventPattern`: nothing is answered. */
  readonly isEvent: boolean;
}

/** The message patterns of a controller method for which `isMessageHandler` holds. */
export function messageMetadata(controller: Type, methodName: string): MessageMetadata {
  const handler = handlerOf(controller, methodName);
  const pattern: unknown = Reflect.getMetadata(NEST_KEYS.messagePattern, handler);
  return {
    patterns: Array.isArray(pattern) ? pattern : [pattern],
    isEvent: Reflect.getMetadata(NEST_KEYS.messageHandlerType, handler) === EVENT_HANDLER,
  };
}

/** The payload of a message handler, as a body: decorated, or the first parameter where none is. */
export function messageParameters(controller: Type, methodName: string): readonly ParameterMetadata[] {
  const decorated = parameterMetadata(controller, methodName);
  if (decorated.length > 0) {
    return decorated.map((each) => (each.source === 'body' || each.source === 'custom' ? each : asRequest(each)));
  }
  const types: unknown = Reflect.getMetadata('design:paramtypes', controller.prototype as object, methodName);
  if (!Array.isArray(types) || types.length === 0) return [];
  return [{ index: 0, source: 'body', key: undefined, pipes: [], schema: undefined, designType: types[0] as unknown }];
}

function asRequest(parameter: ParameterMetadata): ParameterMetadata {
  return { ...parameter, source: 'request' };
}

/** Puts a guard on a method, once. It must be there before Nest makes the method's handler. */
export function addMethodGuard(handler: object, guard: CanActivate): void {
  const guards = (Reflect.getMetadata(NEST_KEYS.guards, handler) as unknown[] | undefined) ?? [];
  if (!guards.includes(guard)) Reflect.defineMetadata(NEST_KEYS.guards, [...guards, guard], handler);
}

export function isMessageHandler(controller: Type, methodName: string): boolean {
  return Reflect.hasMetadata(NEST_KEYS.messagePattern, handlerOf(controller, methodName));
}

/** The prefix that `RouterModule` gave to a module. */
export function modulePath(modules: ModulesContainer, moduleType: Type): string | undefined {
  const own: unknown = Reflect.getMetadata(NEST_KEYS.modulePath + modules.applicationId, moduleType);
  return (own ?? Reflect.getMetadata(NEST_KEYS.modulePath, moduleType)) as string | undefined;
}

/** The version that a route has under the application's versioning; undefined where it has none. */
export function routeVersion(route: RouteMetadata, versioning: VersioningOptions | undefined): unknown {
  if (versioning === undefined) return undefined;
  return route.methodVersion ?? route.controllerVersion ?? versioning.defaultVersion;
}

/** Every path that Nest registers for a route: prefixes, exclusions and URI versions are applied by Nest's own factory. */
export function routePaths(
  config: ApplicationConfig,
  route: RouteMetadata,
  path: { readonly controllerPath: string; readonly methodPath: string; readonly modulePath: string | undefined },
): readonly string[] {
  const versioning = config.getVersioning();
  const metadata = {
    ctrlPath: path.controllerPath,
    methodPath: path.methodPath,
    globalPrefix: config.getGlobalPrefix(),
    ...(path.modulePath === undefined ? {} : { modulePath: path.modulePath }),
    ...(versioning === undefined ? {} : { versioningOptions: versioning }),
    ...versionMetadata('controllerVersion', versioning && (route.controllerVersion ?? versioning.defaultVersion)),
    ...versionMetadata('methodVersion', route.methodVersion),
  };
  return new RoutePathFactory(config).create(metadata as Parameters<RoutePathFactory['create']>[0], route.verb);
}

function versionMetadata(key: string, version: unknown): Record<string, unknown> {
  return version === undefined ? {} : { [key]: version };
}

/** The method of a controller's prototype. */
export function handlerOf(controller: Type, methodName: string): object {
  return (controller.prototype as Record<string, object>)[methodName] as object;
}

function sourceOf(key: string): ParameterSource {
  if (key.includes(NEST_KEYS.customRouteArguments)) return 'custom';
  const kind = key.slice(0, key.indexOf(':'));
  return Object.hasOwn(SOURCES, kind) ? (SOURCES[kind] as ParameterSource) : 'request';
}

function pathList(path: unknown): readonly string[] {
  const paths = (Array.isArray(path) ? path : [path ?? '/']) as string[];
  return paths.map((each) => (each.startsWith('/') ? each : `/${each}`));
}
