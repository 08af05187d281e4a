import type { Type } from '@nestjs/common';

type MethodName<Controller> = {
  [Key in keyof Controller]: Controller[Key] extends (...parameters: never[]) => unknown ? Key : never;
}[keyof Controller] &
  string;

/** An operation, referred to by its method: the compiler checks that the method exists. */
export class OperationReference {
  constructor(
    readonly controller: Type,
    readonly methodName: string,
  ) {}
}

/** All operations whose name begins with a prefix. */
export class OperationPrefix {
  constructor(readonly prefix: string) {}
}

/** What a palette may include: an operation's name, a reference to its method, a prefix. */
export type PaletteInclude = string | OperationReference | OperationPrefix;

/** Refers to an operation by its method: `operation(NotesController, 'list')`. */
export function operation<Controller>(
  controller: Type<Controller>,
  methodName: MethodName<Controller>,
): OperationReference {
  return new OperationReference(controller, methodName);
}

/** Includes every operation under a prefix: `operationsUnder('notes.')`. What it matched stands in the boot report. */
export function operationsUnder(prefix: string): OperationPrefix {
  return new OperationPrefix(prefix);
}
