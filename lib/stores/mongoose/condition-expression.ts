import type { Condition } from './condition.js';
import type { Document } from './mongoose-model.js';

/**
 * A condition as an aggregation expression. Expressions compare across types, null below all else; and text that begins
 * with `$` is a path there, wherefore every value is a literal.
 */
export function conditionExpression(condition: Condition): Document {
  switch (condition.type) {
    case 'all':
      return { $and: condition.of.map(conditionExpression) };
    case 'any':
      return { $or: condition.of.map(conditionExpression) };
    case 'not':
      return { $not: [conditionExpression(condition.of)] };
    case 'in': {
      const isIn = { $in: [valueOf(condition.path), { $literal: [...condition.values] }] };
      return condition.isNegated ? { $not: [isIn] } : isIn;
    }
    case 'order': {
      const value = condition.isText ? textOf(condition.path) : valueOf(condition.path);
      const isOrdered = { [condition.operator]: [value, { $literal: condition.value }] };
      return { $and: [{ $ne: [valueOf(condition.path), null] }, isOrdered] };
    }
    case 'match': {
      const input = condition.isText ? textOf(condition.path) : valueOf(condition.path);
      return { $regexMatch: { input, regex: condition.expression } };
    }
  }
}

/** The value of a path; null where it is absent. */
export function valueOf(path: string): Document {
  return { $ifNull: [`$${path}`, null] };
}

function textOf(path: string): Document {
  return { $toString: `$${path}` };
}
