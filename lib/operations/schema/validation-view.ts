import { ValidationPipe } from '@nestjs/common';
import { isPlainObject } from '../../common/index.js';
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

/** The class that a `ValidationPipe` was told to take a value for: `new ValidationPipe({ expectedType })`. */
export function expectedTypeOf(pipes: readonly unknown[]): unknown {
  const expecting = pipes.filter((pipe) => pipe instanceof ValidationPipe).map(fieldsOf);
  return expecting.map(({ expectedType }) => expectedType).findLast((type) => type !== undefined);
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
