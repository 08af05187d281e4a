import type { INestApplication, ModuleMetadata, Type } from '@nestjs/common';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from '@jest/globals';
import { OperationCatalogue, PaletteBootError } from 'nestjs-palette';
import type { Platform } from '../../../support/application.js';
import { catchError } from '../../../support/catch-error.js';
import { bootDispatching, type Dispatching } from '../../../support/dispatching.js';
import { whileMarked } from './marks.js';

/** An application in the shape of a public one. */
export interface ApplicationFixture {
  readonly metadata: ModuleMetadata;
  /** What its `main.ts` does before it listens. */
  readonly configure: (app: INestApplication) => void;
}

export interface BootedFixture extends Dispatching {
  readonly catalogue: OperationCatalogue;
  /** The schema that a model is told of an operation. */
  schemaOf(name: string): unknown;
  /** What the boot report names of an operation, by place. */
  gapsOf(name: string): Readonly<Record<string, string>>;
}

export async function bootFixture(platform: Platform, fixture: ApplicationFixture): Promise<BootedFixture> {
  const booted = await bootDispatching(platform, fixture.metadata, { configure: fixture.configure });
  const catalogue = booted.app.get(OperationCatalogue);
  const inputOf = (name: string) => {
    const operation = catalogue.operations.get(name);
    if (operation === undefined) throw new Error(`${name} is none of ${[...catalogue.operations.keys()].join(', ')}`);
    return operation.input;
  };
  return {
    ...booted,
    catalogue,
    schemaOf: (name) => inputOf(name).schema,
    gapsOf: (name) => Object.fromEntries(inputOf(name).gaps.map(({ at, why }) => [at, why])),
  };
}

/** The places that the whole application leaves open, each once. */
export function openPlaces({ catalogue }: BootedFixture): readonly string[] {
  return [...new Set(catalogue.gaps.map(({ at }) => at))].sort();
}

/** What boot says where methods are marked that cannot be operations: code and method of each. */
export async function refusalsOf(
  platform: Platform,
  fixture: ApplicationFixture,
  methods: readonly (readonly [Type, string])[],
): Promise<readonly string[]> {
  const error = await whileMarked(methods, () => catchError(() => bootFixture(platform, fixture)));
  if (!PaletteBootError.isInstance(error)) throw error;
  return error.faults.map(({ code, message }) => `${code}: ${message}`);
}

/** Every schema is one document: closed at the top, each reference within it. */
export function expectStrictSchemas({ palette }: BootedFixture): void {
  for (const { name, inputSchema } of palette.definitions) {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, validateFormats: false });
    expect([name, typeof ajv.compile(inputSchema)]).toEqual([name, 'function']);
    expect([name, inputSchema.type, inputSchema.additionalProperties]).toEqual([name, 'object', false]);
  }
}
