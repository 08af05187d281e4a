import 'reflect-metadata';
import type { QueryPolicyAxes, QueryPolicyOptions } from './query-policy.options.js';

const QUERY_POLICY = Symbol.for('nestjs-palette:query:QUERY_POLICY');

/** The field names that a policy was written with, wherever they stand in it. */
type NamesOf<Options> = { [Option in Extract<keyof Options, NamingOption>]: NamesIn<Options[Option]> }[Extract<
  keyof Options,
  NamingOption
>];

type NamingOption = Exclude<keyof QueryPolicyAxes<string>, 'maxSize' | 'zone' | 'limits'>;

type NamesIn<Value> = Value extends readonly (infer Name)[] ? Name : Value extends string ? Value : keyof Value;

/** Refuses a key that is no option; the compiler's own check is off where a type is inferred. */
type NoOtherOptions<Options> = { readonly [Key in Exclude<keyof Options, keyof QueryPolicyAxes<string>>]: never };

/** Refuses a class that lacks a field which the policy names; the name is in the compiler's message. */
type HasFields<T, Name> = [Exclude<Name, keyof T>] extends [never]
  ? unknown
  : { readonly 'the policy names a field that the read model does not have': Exclude<Name, keyof T> };

/** Nothing fits where no read model is named: the other signature says then what is wrong. */
type OptionsOf<T> = [keyof T] extends [never] ? never : QueryPolicyOptions<T>;

export interface QueryPolicyDecorator<Name> {
  /** On a read model: its policy wherever it is queried. */
  <T extends object>(readModel: (abstract new (...args: never[]) => T) & HasFields<T, Name>): void;
  /** On a controller method: narrows the read model's policy there. */
  (controller: object, method: string | symbol, descriptor: PropertyDescriptor): void;
}

/**
 * States which fields of a read model callers may filter, sort, aggregate and get. On a read model it is the default;
 * on a method with `@ListQueryBody` or `@AggregateQueryBody` it narrows that default. Faults are told at boot:
 * `query_policy_field_unknown`, `query_policy_operator_unknown`, `query_policy_operator_unsupported`,
 * `query_policy_kind_unknown`, `query_policy_option_invalid`, `query_policy_widens`.
 * On a read model, names are checked against the class; on a method, `@QueryPolicy<NoteRead>({...})` checks them.
 */
export function QueryPolicy<const Options extends QueryPolicyAxes<string>>(
  options: Options & NoOtherOptions<Options>,
): QueryPolicyDecorator<NamesOf<Options>>;
/** With the read model named, field names are checked where they are written, on methods too. */
export function QueryPolicy<T extends object>(options: OptionsOf<T>): QueryPolicyDecorator<never>;
export function QueryPolicy(options: object): QueryPolicyDecorator<never> {
  return (target: object, _method?: string | symbol, descriptor?: PropertyDescriptor) => {
    const bearer: unknown = descriptor === undefined ? target : descriptor.value;
    Reflect.defineMetadata(QUERY_POLICY, options, bearer as object);
  };
}

/** The options that a read model or a method carries, as they were written. */
export function declaredQueryPolicy(bearer: object): QueryPolicyAxes<string> | undefined {
  return Reflect.getMetadata(QUERY_POLICY, bearer) as QueryPolicyAxes<string> | undefined;
}
