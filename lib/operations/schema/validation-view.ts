import { ValidationPipe } from '@nestjs/common';
import { isPlainObject, ownValue } from '../../common/index.js';
import type { ValidationView } from './schema-context.js';

const VIEW_OPTIONS = [
  'groups',
  'strictGroups',
  'always',
  'skipUndefinedProperties',
  'skipNullProperties',
  'skipMissingProperties',
] as const satisfies readonly (keyof ValidationView)[];

/**
 * By which options the application validates what passes these pipes, in the order they run. Of several `ValidationPipe`s
 * each has its say: one that applies every validator is the strictest, and else the last is taken.
 *
 * @param report told of a pipe whose options are not known before a request
 */
export function validationViewOf(pipes: readonly unknown[], report: (why: string) => void): ValidationView {
  const views = pipes.flatMap((pipe) => {
    if (pipe instanceof ValidationPipe) return [viewOf(pipe)];
    if (pipe === ValidationPipe) return [{}];
    if (isDerivedPipe(pipe)) {
      report(`is validated by ${pipe.name}, whose options are not known before a request: the defaults are assumed`);
    }
    return [];
  });
  const strictest = views.find((view) => Object.keys(view).length === 0);
  return strictest ?? views.at(-1) ?? {};
}

/**
 * The class that a `ValidationPipe` takes a value for in the place of the parameter's own: `{ expectedType }`, or what an
 * application's pipe of that kind holds by the names of Nest's sources: `{ body: CreateNoteDto }`, the usual way for generic
 * controllers, whose own types the compiler erases.
 */
export function expectedTypeOf(pipes: readonly unknown[], source: 'path' | 'query' | 'body'): unknown {
  const validating = pipes.filter((pipe) => pipe instanceof ValidationPipe);
  return validating.map((pipe) => fieldsOf(pipe).expectedType ?? typeBySource(pipe, source)).findLast(isClass);
}

function typeBySource(pipe: ValidationPipe, source: 'path' | 'query' | 'body'): unknown {
  if (Object.getPrototypeOf(pipe) === ValidationPipe.prototype) return undefined;
  const held = Object.values(pipe).filter((value) => isPlainObject(value));
  return held.map((types) => ownValue(types, source === 'path' ? 'param' : source)).find(isClass);
}

function isClass(value: unknown): boolean {
  return typeof value === 'function' && typeof value.prototype === 'object';
}

function viewOf(pipe: ValidationPipe): ValidationView {
  const { validatorOptions } = fieldsOf(pipe);
  if (!isPlainObject(validatorOptions)) return {};
  const stated = VIEW_OPTIONS.map((name) => [name, validatorOptions[name]] as const).filter(([, value]) =>
    isSet(value),
  );
  return Object.fromEntries(stated);
}

/** Nest keeps what its pipe was given in fields of these names, protected ones. */
function fieldsOf(pipe: ValidationPipe): { readonly validatorOptions?: unknown; readonly expectedType?: unknown } {
  return pipe as unknown as ReturnType<typeof fieldsOf>;
}

function isSet(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

function isDerivedPipe(pipe: unknown): pipe is typeof ValidationPipe {
  return typeof pipe === 'function' && pipe.prototype instanceof ValidationPipe;
}
