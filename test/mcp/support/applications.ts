import type { INestApplication, ModuleMetadata } from '@nestjs/common';
import { OperationsModule, operationsUnder, type DispatchOptions, type PaletteOptions } from 'nestjs-palette';
import { McpModule, type McpModuleOptions, type McpRouteOptions } from 'nestjs-palette/mcp';
import { bootApplication, listen, type ApplicationOptions, type Platform } from '../../support/application.js';

export interface ServedApplication {
  readonly app: INestApplication;
  /** Of the application, without a path. */
  readonly base: string;
  /** Of the endpoint at `/mcp`. */
  readonly url: string;
}

export interface ServeOptions extends ApplicationOptions {
  readonly dispatch?: DispatchOptions;
  readonly palette?: Partial<PaletteOptions>;
  readonly mcp?: Partial<McpModuleOptions & McpRouteOptions>;
}

export const SERVER_INFO = { name: 'notes', version: '1.2.3' };

/** An application whose operations are all in one palette, served over MCP, on a free port. */
export async function serve(
  platform: Platform,
  metadata: ModuleMetadata,
  options: ServeOptions = {},
): Promise<ServedApplication> {
  const imports = [
    ...(metadata.imports ?? []),
    OperationsModule.forRoot({ dispatch: options.dispatch ?? {} }),
    OperationsModule.forFeature({
      palettes: [{ name: 'all', readOnly: false, include: [operationsUnder('')], ...options.palette }],
    }),
    McpModule.forRoot({ palette: 'all', serverInfo: SERVER_INFO, ...options.mcp }),
  ];
  const app = await bootApplication(platform, { ...metadata, imports }, options);
  const base = await listen(app);
  return { app, base, url: `${base}/mcp` };
}
