import type { INestApplication, ModuleMetadata } from '@nestjs/common';
import {
  AgentModule,
  ApprovalsModule,
  defineAgent,
  getPaletteToken,
  InMemoryAgentStore,
  OperationsModule,
  operationsUnder,
  type AgentModuleOptions,
  type AgentStore,
  type ApprovalsModuleOptions,
  type ApprovalsRoutes,
  type ModelMessage,
  type Palette,
} from 'nestjs-palette';
import { McpModule } from 'nestjs-palette/mcp';
import { ScriptedModel, type ScriptedReply } from 'nestjs-palette/testing';
import { bootApplication, listen, type Platform } from '../../support/application.js';
import { usePipes } from '../../dispatch/notes-application.js';

export const PALETTE = 'all';

export interface ServedApplication {
  readonly app: INestApplication;
  readonly store: AgentStore;
  /** Without a path. */
  readonly base: string;
}

export interface ServeOptions {
  readonly store?: AgentStore;
  readonly approvals?: ApprovalsModuleOptions & ApprovalsRoutes;
}

/** An application whose operations are all in one palette, which every surface of the library offers, on a free port. */
export async function serve(
  platform: Platform,
  controllers: NonNullable<ModuleMetadata['controllers']>,
  { store = new InMemoryAgentStore(), approvals }: ServeOptions = {},
): Promise<ServedApplication> {
  const palettes = OperationsModule.forFeature({
    palettes: [{ name: PALETTE, readOnly: false, include: [operationsUnder('')] }],
  });
  const imports = [
    OperationsModule.forRoot({}),
    palettes,
    ...(approvals === undefined ? [] : [ApprovalsModule.forRoot({ ...approvals, store })]),
    AgentModule.forRootAsync({
      imports: [palettes],
      inject: [getPaletteToken(PALETTE)],
      useFactory: (palette: Palette): AgentModuleOptions => ({
        agents: [defineAgent({ name: 'agent', model: obedientModel(), palette })],
        store,
      }),
    }),
    McpModule.forRoot({ palette: PALETTE, serverInfo: { name: 'parity', version: '1.0.0' } }),
  ];
  const app = await bootApplication(platform, { imports, controllers }, { configure: usePipes });
  return { app, store, base: await listen(app) };
}

/** Makes the one call that the user writes down for it, and then says that it did. */
export function obedientModel(): ScriptedModel {
  return new ScriptedModel(({ messages }) => replyTo(messages.at(-1)));
}

/** What the user of an obedient model writes. */
export function written(name: string, args: Record<string, unknown>): string {
  return JSON.stringify({ name, arguments: args });
}

function replyTo(last: ModelMessage | undefined): ScriptedReply {
  if (last?.role !== 'user') return { text: 'Done.' };
  return { toolCalls: [JSON.parse(last.text) as { name: string }] };
}
