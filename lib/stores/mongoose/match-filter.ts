import type { Condition, MembershipCondition } from './condition.js';
import { conditionExpression } from './condition-expression.js';
import type { Document } from './mongoose-model.js';

/** A condition for `$match`. MongoDB's filters are two-valued as it is: `$ne`, `$nin` and `$nor` match null and absent. */
export function matchFilter(condition: Condition): Document {
  switch (condition.type) {
    case 'all':
      return { $and: condition.of.map(matchFilter) };
    case 'any':
      return { $or: condition.of.map(matchFilter) };
    case 'not':
      return { $nor: [matchFilter(condition.of)] };
    case 'in':
      return { [condition.path]: membership(condition) };
    case 'order':
      if (condition.isText) return { $expr: conditionExpression(condition) };
      return { [condition.path]: { [condition.operator]: condition.value } };
    case 'match':
      if (condition.isText) return { $expr: conditionExpression(condition) };
      return { [condition.path]: { $regex: condition.expression } };
  }
}

/** `$in` of nothing matches nothing, `$nin` of nothing everything: MongoDB says so itself. */
function membership({ values, isNegated }: MembershipCondition): Document {
  if (values.length === 1) return isNegated ? { $ne: values[0] } : { $eq: values[0] };
  return isNegated ? { $nin: [...values] } : { $in: [...values] };
}
