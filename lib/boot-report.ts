import { Injectable, Logger } from '@nestjs/common';
import type { BootFaults } from './common/index.js';
import { OperationCatalogue, operationPlace, type SchemaGap } from './operations/index.js';
import { PaletteRegistry } from './palette/index.js';
import { QueryInput } from './query/index.js';

/** A query that nobody wrote a policy for: every field of its read model is open. */
export interface OpenQuery {
  /** `NotesController.list`. */
  readonly at: string;
  readonly readModel: string;
  /** Characters that the policy's sentence adds to the tool's description. */
  readonly sentenceLength: number;
}

const MAX_LINES = 20;

/** What an application offers to agents, and what it leaves open: logged once at boot, and here to be asked. */
@Injectable()
export class BootReport {
  readonly #logger = new Logger('OperationsModule');

  constructor(
    private readonly catalogue: OperationCatalogue,
    private readonly registry: PaletteRegistry,
  ) {}

  /** The tools of each palette, by palette. */
  get palettes(): Readonly<Record<string, readonly string[]>> {
    return Object.fromEntries(
      this.registry.palettes.map(({ name, definitions }) => [name, definitions.map((definition) => definition.name)]),
    );
  }

  /** What schemas leave open. */
  get gaps(): readonly SchemaGap[] {
    return this.catalogue.gaps;
  }

  get openQueries(): readonly OpenQuery[] {
    return [...this.catalogue.operations.values()].flatMap(({ controller, methodName, input }) =>
      [...input.declared.values()]
        .filter((declared) => declared instanceof QueryInput)
        .map((query) => ({ query, told: query.describeFor(controller.prototype as object, methodName) }))
        .filter(({ told }) => !told.policy.isDeclared)
        .map(({ query, told }) => ({
          at: operationPlace(controller, methodName),
          readModel: query.readModel.name,
          sentenceLength: told.sentence.length,
        })),
    );
  }

  /** For `requirePolicy`: an open query is a fault. */
  addOpenQueries(faults: BootFaults): void {
    for (const { at, readModel } of this.openQueries) faults.add('query_policy_required', { operation: at, readModel });
  }

  log(): void {
    const palettes = Object.entries(this.palettes).map(([name, tools]) => `"${name}" (${tools.join(', ')})`);
    const count = this.catalogue.operations.size;
    this.#logger.log(`${count} operations; palettes: ${palettes.join('; ') || 'none'}`);
    this.#warn(
      'schemas leave something open',
      this.gaps.map(({ at, why }) => `${at}: ${why}`),
    );
    this.#warn(
      'queries have no policy, so that every field is open',
      this.openQueries.map(({ at, readModel, sentenceLength }) => `${at}: ${readModel}, ${sentenceLength} characters`),
    );
  }

  #warn(what: string, places: readonly string[]): void {
    if (places.length === 0) return;
    const more = places.length > MAX_LINES ? [`and ${places.length - MAX_LINES} more, see BootReport`] : [];
    this.#logger.warn([`${places.length} ${what}:`, ...places.slice(0, MAX_LINES), ...more].join('\n  '));
  }
}
