import { COMMON_RULES } from './common-rules.js';
import { FORMAT_RULES } from './format-rules.js';
import { STRING_RULES } from './string-rules.js';
import type { ValidatorRules } from './validator-rule.js';

export { enumValues } from './common-rules.js';
export { DATE_FORMATS } from './format-rules.js';
export { expressionOf, schemaPattern } from './regular-expression.js';

/** Every validator of class-validator that says something of JSON values. */
export const VALIDATOR_RULES: ValidatorRules = Object.freeze({ ...COMMON_RULES, ...STRING_RULES, ...FORMAT_RULES });
