import type { StandardSchema } from '../../../egress/index.js';

/**
 * A shape that takes every object: what is sent is written by a model class and not by a caller, and what comes back is read by
 * one that trusts none of it.
 */
export function anyObject<Shape extends object>(): StandardSchema<Shape> {
  return {
    '~standard': {
      version: 1,
      vendor: 'nestjs-palette',
      validate: (value) =>
        typeof value === 'object' && value !== null
          ? { value: value as Shape }
          : { issues: [{ message: 'Must be an object.' }] },
    },
  };
}
