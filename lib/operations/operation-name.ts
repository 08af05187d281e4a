import type { Type } from '@nestjs/common';

/** `<controller path>.<method name>`; slashes become dots, parameters drop their colon. */
export function defaultOperationName(controller: Type, controllerPath: string, methodName: string): string {
  const path = controllerPath
    .split('/')
    .map((segment) => segment.replace(/[^A-Za-z0-9_-]/g, ''))
    .filter((segment) => segment !== '');
  return [...(path.length > 0 ? path : [classStem(controller)]), methodName].join('.');
}

/** `AppController` -> `app`: what a controller at the root is called. */
function classStem(controller: Type): string {
  const stem = controller.name.replace(/Controller$/, '') || controller.name;
  return stem.charAt(0).toLowerCase() + stem.slice(1);
}
