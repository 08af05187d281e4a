import type { INestApplication } from '@nestjs/common';
import { ApplicationConfig, DiscoveryService, ModulesContainer } from '@nestjs/core';
import { BootFaults } from '../../common/index.js';
import type { EgressManifestService } from '../../egress/index.js';
import { OperationAddresses, OperationCatalogue, type OperationDescriptor } from '../../operations/index.js';
import { OperationsModule } from '../../operations.module.js';
import {
  PaletteDeclaration,
  PaletteRegistry,
  type Palette,
  type PaletteEntry,
  type PaletteInclude,
} from '../../palette/index.js';
import { checkQueryPolicies } from '../../query/index.js';
import { CommandError } from '../command-error.js';
import { egressServices } from './egress-services.js';
import { routeText } from './route-text.js';

/** All that agents of an application may see, do and send. */
export interface ApplicationSurface {
  /** In the order of names. */
  readonly operations: readonly SurfaceOperation[];
  /** In the order of names. */
  readonly palettes: readonly SurfacePalette[];
  /** In the order of names; undefined where only a boot tells. */
  readonly egress: readonly EgressManifestService[] | undefined;
}

export interface SurfaceOperation {
  readonly descriptor: OperationDescriptor;
  /** `GET /v1/notes/:id`, with prefix and version. */
  readonly route: string;
}

export interface SurfacePalette {
  readonly palette: Palette;
  /** The allow-list as it is written; a prefix ends in `*`. */
  readonly include: readonly string[];
  /** In the order in which a model sees them. */
  readonly entries: readonly PaletteEntry[];
}

/**
 * Reads an application that was put together, in preview mode or by a boot. The library's own services are made anew over
 * its modules, since in preview mode Nest makes none; both ways yield the same.
 *
 * @throws PaletteBootError with every fault of operations, addresses, query policies, palettes and egress
 */
export function readSurface(app: INestApplication): ApplicationSurface {
  const modules = app.get(ModulesContainer);
  requireOperationsModule(modules);
  const discovery = new DiscoveryService(modules);
  const catalogue = new OperationCatalogue(discovery, modules, app.get(ApplicationConfig));
  const addresses = new OperationAddresses(app.get(ApplicationConfig));
  const registry = new PaletteRegistry(discovery, catalogue);
  const egress = egressServices(modules);
  const faults = new BootFaults();
  faults.include(registry.faults);
  faults.include(addresses.faultsOf(catalogue.operations.values()));
  checkQueryPolicies(catalogue.controllers, faults);
  faults.include(egress.faults);
  faults.throwIfAny();
  const includes = allowLists(discovery);
  return {
    operations: [...catalogue.operations.values()]
      .map((descriptor) => ({ descriptor, route: routeText(descriptor, addresses.addressOf(descriptor)) }))
      .sort(by(({ descriptor }) => descriptor.name)),
    palettes: registry.palettes
      .map((palette) => ({
        palette,
        include: includes.get(palette.name) ?? [],
        entries: palette.definitions.flatMap(({ name }) => palette.entry(name) ?? []),
      }))
      .sort(by(({ palette }) => palette.name)),
    egress: egress.services,
  };
}

function requireOperationsModule(modules: ModulesContainer): void {
  if ([...modules.values()].some(({ metatype }) => metatype === OperationsModule)) return;
  throw new CommandError(
    'The module does not import OperationsModule.forRoot(...) of this nestjs-palette. Name the root module; and run the ' +
      'command that is installed beside the application (npx in its folder), since another copy would not know its palettes.',
  );
}

function allowLists(discovery: DiscoveryService): ReadonlyMap<string, readonly string[]> {
  const declarations = discovery
    .getProviders()
    .map(({ instance }) => instance as unknown)
    .filter((instance) => instance instanceof PaletteDeclaration);
  return new Map(declarations.map(({ options }) => [options.name, options.include.map(includeText)]));
}

function includeText(include: PaletteInclude): string {
  if (typeof include === 'string') return include;
  return 'prefix' in include ? `${include.prefix}*` : `${include.controller.name}.${include.methodName}`;
}

function by<Item>(key: (item: Item) => string): (first: Item, second: Item) => number {
  return (first, second) => (key(first) < key(second) ? -1 : 1);
}
