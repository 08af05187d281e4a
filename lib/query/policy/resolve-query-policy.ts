import type { Type } from '@nestjs/common';
import { BootFaults, isPlainObject } from '../../common/index.js';
import { sortKey, type SortKey } from '../ast.js';
import { parseZone } from '../kinds/index.js';
import { narrowAggregatable, narrowFilterable, narrowReturnable, narrowSortable } from './narrow-axes.js';
import { openPolicy } from './open-policy.js';
import { PolicyCheck } from './policy-check.js';
import { declaredQueryPolicy } from './query-policy.decorator.js';
import { DEFAULT_LIMITS, type QueryLimits, type QueryPolicyAxes } from './query-policy.options.js';
import type { PolicyAxis, ResolvedQueryPolicy } from './resolved-query-policy.js';

type Options = QueryPolicyAxes<string>;

export interface PolicyResolution {
  /** Collects what is wrong. */
  readonly faults: BootFaults;
  /** Names the place in a fault: `NotesController.list`, `palette "answering"`. */
  readonly where: string;
}

export interface NarrowedQueryPolicy {
  /** The narrower policy; it never allows more than the one it was made from, whatever the options said. */
  readonly policy: ResolvedQueryPolicy;
  /** What the options asked for beyond it, as `axis: what`; empty where they only narrow. */
  readonly widened: readonly string[];
}

const AXES = ['filterable', 'sortable', 'aggregatable', 'returnable'] as const;
const READ_MODEL_OPTIONS = ['kinds', 'tieBreaker', 'zone'] as const;
const OPTIONS: readonly string[] = [...AXES, ...READ_MODEL_OPTIONS, 'maxSize', 'defaultSort', 'limits'];

/**
 * The policy that a read model's own `@QueryPolicy` declares; every read field is open where there is none. What comes
 * back allows only what was valid.
 * @param resolution where faults go and what to call the place; without it they are thrown
 * @param declaration stands in for the read model's policy where it has none: the one of a method, say
 * @throws PaletteBootError without `resolution`, with every fault
 */
export function resolveQueryPolicy(
  readModel: Type,
  resolution?: PolicyResolution,
  declaration?: Options,
): ResolvedQueryPolicy {
  const own = declaredQueryPolicy(readModel);
  const ownPlace = `@QueryPolicy of ${readModel.name}`;
  const where = own === undefined ? (resolution?.where ?? ownPlace) : ownPlace;
  const faults = resolution?.faults ?? new BootFaults();
  const policy = declarePolicy(readModel, own ?? declaration, new PolicyCheck(where, readModel.name, faults));
  if (resolution === undefined) faults.throwIfAny();
  return policy;
}

/** What a method's or a palette's options leave of a policy. `where` of the resolution names the method or the palette. */
export function narrowQueryPolicy(
  policy: ResolvedQueryPolicy,
  narrowing: Options,
  resolution: PolicyResolution,
): NarrowedQueryPolicy {
  const check = new PolicyCheck(resolution.where, policy.readModel.name, resolution.faults);
  const options = knownOptions(narrowing, check);
  for (const option of READ_MODEL_OPTIONS) {
    if (options[option] !== undefined) check.invalidOption(option, 'belongs on the read model');
  }
  const maxSize = positive('maxSize', options.maxSize, policy.maxSize, check);
  if (maxSize > policy.maxSize) check.widens('maxSize', String(maxSize));
  const limits = limitsOf(options, policy.limits, check);
  const smaller = {
    ...policy,
    maxSize: Math.min(maxSize, policy.maxSize),
    limits: smallerLimits(limits, policy.limits, check),
  };
  return { policy: narrowed(smaller, options, check), widened: check.widened };
}

function declarePolicy(readModel: Type, declared: Options | undefined, check: PolicyCheck): ResolvedQueryPolicy {
  const options = knownOptions(declared, check);
  const open = openPolicy(readModel, options.kinds, check);
  if (declared === undefined) return open;
  const tieBreaker =
    options.tieBreaker === undefined ? open.tieBreaker : check.field(open, 'tieBreaker', options.tieBreaker);
  const policy: ResolvedQueryPolicy = {
    ...open,
    ...(tieBreaker === undefined ? {} : { tieBreaker }),
    zone: zoneOf(options, check),
    maxSize: positive('maxSize', options.maxSize, open.maxSize, check),
    limits: limitsOf(options, DEFAULT_LIMITS, check),
  };
  return narrowed(policy, options, check);
}

function narrowed(policy: ResolvedQueryPolicy, options: Options, check: PolicyCheck): ResolvedQueryPolicy {
  const declaredAxes = AXES.filter((axis) => options[axis] !== undefined || policy.declaredAxes.includes(axis));
  const returnable = narrowReturnable(policy, options, check);
  return Object.freeze({
    ...policy,
    isDeclared: true,
    declaredAxes: Object.freeze<PolicyAxis[]>(declaredAxes),
    filterable: narrowFilterable(policy, options, check),
    sortable: narrowSortable(policy, options, check),
    aggregatable: narrowAggregatable(policy, options, check),
    ...(returnable === undefined ? {} : { returnable }),
    defaultSort: defaultSortOf(policy, options, check),
  });
}

function knownOptions(options: unknown, check: PolicyCheck): Options {
  if (options === undefined) return {};
  if (!isPlainObject(options)) {
    check.invalidOption('the policy', 'is not an object of options');
    return {};
  }
  for (const key of Object.keys(options)) {
    if (!OPTIONS.includes(key)) check.invalidOption(key, `is no option; there are ${OPTIONS.join(', ')}`);
  }
  return options;
}

function defaultSortOf(policy: ResolvedQueryPolicy, options: Options, check: PolicyCheck): readonly SortKey[] {
  if (options.defaultSort === undefined) return policy.defaultSort;
  const keys = Object.entries(options.defaultSort).flatMap(([name, direction]) => {
    const field = check.field(policy, 'defaultSort', name);
    if (direction !== 'asc' && direction !== 'desc') check.invalidOption(`defaultSort.${name}`, 'is not asc or desc');
    return field === undefined ? [] : [sortKey(field, direction === 'desc' ? 'desc' : 'asc')];
  });
  return Object.freeze(keys);
}

function zoneOf({ zone = 'UTC' }: Options, check: PolicyCheck) {
  if (typeof zone === 'string' && parseZone(zone) !== undefined) return zone;
  check.invalidOption('zone', 'is not UTC or an offset such as +02:00');
  return 'UTC';
}

function limitsOf({ limits }: Options, current: QueryLimits, check: PolicyCheck): QueryLimits {
  const stated = Object.entries(limits ?? {}).filter(([, value]) => value !== undefined);
  const known = stated.filter(([name]) => {
    if (Object.hasOwn(DEFAULT_LIMITS, name)) return true;
    check.invalidOption(`limits.${name}`, `is no limit; there are ${Object.keys(DEFAULT_LIMITS).join(', ')}`);
    return false;
  });
  const valid = known.map(([name, value]) => {
    return [name, positive(`limits.${name}`, value, current[name as keyof QueryLimits], check)] as const;
  });
  return Object.freeze({ ...current, ...Object.fromEntries(valid) });
}

function smallerLimits(wanted: QueryLimits, current: QueryLimits, check: PolicyCheck): QueryLimits {
  const smaller = Object.keys(current).map((key) => {
    const name = key as keyof QueryLimits;
    if (wanted[name] > current[name]) check.widens(`limits.${name}`, String(wanted[name]));
    return [name, Math.min(wanted[name], current[name])] as const;
  });
  return Object.freeze({ ...current, ...Object.fromEntries(smaller) });
}

function positive(option: string, value: unknown, fallback: number, check: PolicyCheck): number {
  if (value === undefined) return fallback;
  if (Number.isSafeInteger(value) && (value as number) >= 1) return value as number;
  check.invalidOption(option, 'is not an integer from 1');
  return fallback;
}
