import { Injectable, VERSION_NEUTRAL, VersioningType, type VersioningOptions } from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import { BootFaults, type BootFault } from '../../common/index.js';
import { routePaths, routeVersion, type HostPattern } from '../../internal/nest.js';
import { operationPlace, type OperationDescriptor, type OperationRoute } from '../operation.js';
import { parseRouteTemplate, type RouteTemplate } from './route-template.js';

/** Where an operation is reached in this application, prefixes, exclusions and versions applied. */
export interface OperationAddress {
  /** `GET`, `POST`, ... */
  readonly httpMethod: string;
  readonly template: RouteTemplate;
  /** Headers that the router chooses by: host, version. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Resolves operations to addresses, once each; the application must have its prefix and versioning set by then. */
@Injectable()
export class OperationAddresses {
  readonly #resolved = new Map<OperationDescriptor, OperationAddress>();

  constructor(private readonly config: ApplicationConfig) {}

  /** Faults of operations that have no single address. */
  faultsOf(operations: Iterable<OperationDescriptor>): readonly BootFault[] {
    const faults = new BootFaults();
    for (const operation of operations) {
      if (operation.route === undefined) continue;
      const resolved = this.#resolve(operation, operation.route);
      if ('what' in resolved) {
        const place = operationPlace(operation.controller, operation.methodName);
        faults.add('operation_route_unresolved', { operation: place, ...resolved });
      } else this.#resolved.set(operation, resolved);
    }
    return faults.list;
  }

  /** The address of an operation that `faultsOf` found nothing wrong with. */
  addressOf(operation: OperationDescriptor): OperationAddress | undefined {
    return this.#resolved.get(operation);
  }

  #resolve(operation: OperationDescriptor, route: OperationRoute): OperationAddress | { what: string; repair: string } {
    const versioning = this.config.getVersioning();
    const [path = '/'] = routePaths(this.config, route, {
      controllerPath: route.controllerPaths[0] ?? '/',
      methodPath: route.methodPaths[0] ?? '/',
      modulePath: route.modulePath,
    });
    const template = parseRouteTemplate(path);
    if (template === undefined) {
      return { what: `"${path}" has a wildcard or an optional part`, repair: 'Use `:parameters` alone.' };
    }
    const unknown = template.parameters.find((name) => !operation.input.slots.some((slot) => isPathSlot(slot, name)));
    if (unknown !== undefined) {
      return { what: `the global prefix has a parameter ":${unknown}"`, repair: 'Use a prefix without parameters.' };
    }
    const host = hostHeader(route.host);
    const version = versioning && versionHeaders(versioning, firstVersion(routeVersion(route, versioning)));
    if (host === undefined) return { what: 'its host is a pattern', repair: 'Give the controller a fixed host.' };
    if (version === undefined && versioning) {
      return { what: 'custom versioning has no way back', repair: 'Use URI, header or media type versioning.' };
    }
    return Object.freeze({ httpMethod: route.httpMethod, template, headers: Object.freeze({ ...host, ...version }) });
  }
}

function isPathSlot(slot: { readonly source: string; readonly name: string }, name: string): boolean {
  return slot.source === 'path' && slot.name === name;
}

function hostHeader(host: HostPattern | undefined): Record<string, string> | undefined {
  const first = Array.isArray(host) ? host[0] : host;
  if (first === undefined) return {};
  return typeof first === 'string' && !/[:*(){}]/.test(first) ? { host: first } : undefined;
}

function firstVersion(version: unknown): string | undefined {
  const first: unknown = Array.isArray(version) ? version[0] : version;
  return first === VERSION_NEUTRAL || typeof first !== 'string' ? undefined : first;
}

/** Undefined where the version cannot be said in a request that we can build. */
function versionHeaders(
  versioning: VersioningOptions,
  version: string | undefined,
): Record<string, string> | undefined {
  if (version === undefined || versioning.type === VersioningType.URI) return {};
  if (versioning.type === VersioningType.HEADER) return { [versioning.header.toLowerCase()]: version };
  if (versioning.type === VersioningType.MEDIA_TYPE) return { accept: `application/json;${versioning.key}${version}` };
  return undefined;
}
