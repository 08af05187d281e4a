import type { JsonPrimitive } from '../../common/index.js';
import type { ValidatorMetadata } from './property-metadata.js';

/** Which values the conditions of a property (`@IsOptional`, `@ValidateIf`) exempt from every other validator. */
export interface Exemption {
  readonly undefined: boolean;
  readonly null: boolean;
  /** Other falsy values. */
  readonly values: readonly JsonPrimitive[];
  /** A condition looks at other properties, or at what it will: any value may be exempt. */
  readonly isUnknown: boolean;
}

type Condition = (object: object, value: unknown) => unknown;

/**
 * Asks the conditions of a property. A condition is a function of the application: it is called with sample values only
 * and an object of nothing but the property, and one that looks for anything else is not understood.
 */
export function exemptionOf(name: string, validators: readonly ValidatorMetadata[]): Exemption {
  const conditions = validators
    .filter((each) => each.type === 'conditionalValidation')
    .map((each) => (each.constraints as Condition[])[0])
    .filter((condition) => condition !== undefined);
  const isExempt = (value: unknown): boolean | undefined => {
    const answers = conditions.map((condition) => ask(condition, name, value));
    return answers.includes(undefined) ? undefined : answers.includes(false);
  };
  return {
    undefined: isExempt(undefined) !== false,
    null: isExempt(null) !== false,
    values: FALSY.filter((value) => isExempt(value) === true),
    isUnknown: [undefined, null, ...FALSY].some((value) => isExempt(value) === undefined) || TRUTHY.some(isNotBound),
  };

  function isNotBound(value: unknown): boolean {
    return isExempt(value) !== false;
  }
}

const FALSY: readonly JsonPrimitive[] = ['', 0, false];
const TRUTHY: readonly unknown[] = ['text', 1, true, [], {}];

/** Whether the condition holds; undefined where it asks for more than the value. */
function ask(condition: Condition, name: string, value: unknown): boolean | undefined {
  let isAskingForMore = false;
  const unknown = (): undefined => void (isAskingForMore = true);
  const object = new Proxy(
    {},
    {
      get: (_target, key) => (key === name ? value : unknown()),
      has: (_target, key) => (key === name ? true : Boolean(unknown())),
      ownKeys: () => (unknown(), []),
      getOwnPropertyDescriptor: unknown,
    },
  );
  try {
    const isHolding = Boolean(condition(object, value));
    return isAskingForMore ? undefined : isHolding;
  } catch {
    return undefined;
  }
}
