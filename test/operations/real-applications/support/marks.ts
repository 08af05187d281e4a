import type { Type } from '@nestjs/common';
import { Operation } from 'nestjs-palette';

const OPERATION = Symbol.for('nestjs-palette:operations:OPERATION');

/** Marks methods that cannot be operations, for the time of an action. */
export async function whileMarked<T>(
  methods: readonly (readonly [Type, string])[],
  action: () => Promise<T>,
): Promise<T> {
  const marked = methods.map(([controller, name]) => {
    const prototype = controller.prototype as object;
    const descriptor = Object.getOwnPropertyDescriptor(prototype, name);
    if (descriptor === undefined) throw new Error(`${controller.name} has no ${name}`);
    Operation()(prototype, name, descriptor);
    return descriptor.value as object;
  });
  try {
    return await action();
  } finally {
    for (const handler of marked) Reflect.deleteMetadata(OPERATION, handler);
  }
}
