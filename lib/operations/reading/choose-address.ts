import type { BootFaults } from '../../common/index.js';
import type { RouteMetadata } from '../../internal/nest.js';
import type { OperationAddressChoice } from '../decorators/operation.decorator.js';

/** Narrows a route with several paths, versions or hosts to the ones that the operation chose. */
export function chooseAddress(
  route: RouteMetadata,
  choice: OperationAddressChoice,
  place: string,
  faults: BootFaults,
): RouteMetadata {
  const versions = [route.methodVersion ?? route.controllerVersion].flat();
  const pick = (what: string, wanted: string | undefined, offered: readonly unknown[]): void => {
    if (wanted === undefined || offered.includes(wanted)) return;
    faults.add('operation_route_unresolved', {
      operation: place,
      what: `its ${what} "${wanted}" is not one that the route has`,
      repair: `Choose one of: ${offered.map(String).join(', ')}.`,
    });
  };
  const controllerPath = withSlash(choice.controllerPath);
  const methodPath = withSlash(choice.methodPath);
  pick('controller path', controllerPath, route.controllerPaths);
  pick('method path', methodPath, route.methodPaths);
  pick('version', choice.version, versions);
  return {
    ...route,
    controllerPaths: controllerPath === undefined ? route.controllerPaths : [controllerPath],
    methodPaths: methodPath === undefined ? route.methodPaths : [methodPath],
    host: choice.host ?? route.host,
    methodVersion: choice.version ?? route.methodVersion,
  };
}

function withSlash(path: string | undefined): string | undefined {
  return path === undefined || path.startsWith('/') ? path : `/${path}`;
}
