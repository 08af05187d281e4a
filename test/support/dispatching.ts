import type { INestApplication, ModuleMetadata } from '@nestjs/common';
import {
  getPaletteToken,
  OperationDispatcher,
  OperationsModule,
  operationsUnder,
  type CallerContext,
  type DispatchOptions,
  type Palette,
  type ToolResult,
} from 'nestjs-palette';
import { bootApplication, type ApplicationOptions, type Platform } from './application.js';

export interface Dispatching {
  readonly app: INestApplication;
  readonly palette: Palette;
  /** Runs one tool call through a palette of all operations. */
  call(name: string, args?: unknown, caller?: Partial<CallerContext>): Promise<ToolResult>;
}

/** Boots an application whose operations are all in one palette. */
export async function bootDispatching(
  platform: Platform,
  metadata: ModuleMetadata,
  options: ApplicationOptions & { readonly dispatch?: DispatchOptions } = {},
): Promise<Dispatching> {
  const imports = [
    ...(metadata.imports ?? []),
    OperationsModule.forRoot({ dispatch: options.dispatch ?? {} }),
    OperationsModule.forFeature({ palettes: [{ name: 'all', readOnly: false, include: [operationsUnder('')] }] }),
  ];
  const app = await bootApplication(platform, { ...metadata, imports }, options);
  const palette = app.get<Palette>(getPaletteToken('all'), { strict: false });
  const dispatcher = app.get(OperationDispatcher);
  return {
    app,
    palette,
    call: (name, args = {}, caller = {}) =>
      dispatcher.dispatch({ id: 'call-1', name, arguments: args }, { palette, caller: { headers: {}, ...caller } }),
  };
}
